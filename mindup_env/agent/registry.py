"""The registry of bots by name, and several of their names in one text."""

from pathlib import Path

from mindup_env.agent.named_agent import NamedAgent, import_agent, list_agents
from mindup_env.agent.protocol import Agent
from mindup_env.config import GameConfig, check_config

POLICY_FILE = "policy.onnx"
"""The latest policy in the folder of a training run, which is a bot too."""


def full_spec(spec: str) -> str:
    """The spec of a bot: a folder of a training stands for its policy.

    A registered name stands for its bot, also where a folder has the same name.
    """
    policy = Path(spec) / POLICY_FILE
    if policy.is_file() and spec not in list_agents():
        return f"policy:{policy}"
    return spec


def make_agent(spec: str, config: GameConfig | None = None) -> Agent:
    """Makes a bot.

    Args:
        spec: a registered name such as ``greedy``, or ``module:Class``, where the module can be a
            file in the current folder, or the folder of a training. Options follow as
            ``:option=value,...``; the first option without a default can be given without its
            name, as in ``policy:PATH``.
        config: the rules of the games to play; the published game for four players if None.
    """
    config = check_config(GameConfig() if config is None else config)
    found = find_agent(spec)
    agent: Agent = found.make(config, **found.read_options())
    return agent


def as_agent(bot: str | Agent, config: GameConfig) -> Agent:
    """A bot itself, or the one of this name."""
    return bot if hasattr(bot, "act") else make_agent(bot, config)


def find_agent(spec: str) -> NamedAgent:
    """The class or function of a config that makes the bot of a spec."""
    if not isinstance(spec, str):
        raise ValueError(f"an agent is named by a text such as 'greedy', not {spec!r}")
    full, path = full_spec(spec), Path(spec)
    is_path = path.is_dir() or (len(path.parts) > 1 and ":" not in spec)
    if is_path and full == spec not in list_agents() and path.suffix != ".py":
        raise ValueError(
            f"unknown agent {spec!r}; accepted: policy:FILE, module:Class, or a folder of a "
            f"training with {POLICY_FILE}"
        )
    return import_agent(full)


def split_specs(text: str) -> tuple[str, ...]:
    """Reads ``greedy,search:worlds=8,models=random,planner``.

    A comma may also separate two options of one bot.
    """
    specs: list[str] = []
    for piece in text.split(","):
        if specs and "=" in piece and ":" not in piece.partition("=")[0]:
            specs[-1] += f",{piece}"
        else:
            specs.append(piece.strip())
    return tuple(specs)
