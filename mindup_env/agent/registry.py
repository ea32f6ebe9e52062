"""The registry of bots by name."""

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any, NamedTuple

from mindup_env.agent.protocol import Agent
from mindup_env.agent.spec_options import read_options
from mindup_env.checks import suggestion
from mindup_env.config import GameConfig, check_config

AGENTS = "mindup_env.agents"
"""The entry-point group of bots: each is a class or a function of a config."""

_EXAMPLE = "mybots:Bonus"


class AgentFactory(NamedTuple):
    """What makes a bot: a class or a function of a config.

    Attributes:
        name: a registered name, or ``module:Class``.
        make: the class or function.
        options: the text of its options.
        module: the module that the name refers to.
    """

    name: str
    make: Callable[..., Any]
    options: str
    module: str


def list_agents() -> list[str]:
    """The names of all registered bots."""
    return sorted(entry.name for entry in entry_points(group=AGENTS))


def numbered_spec(spec: str) -> str:
    """The spec with the number of the bot's version: ``champion`` is an alias of the latest."""
    name, colon, rest = spec.partition(":")
    targets = {entry.name: entry.value for entry in entry_points(group=AGENTS)}
    names = [other for other in targets if targets[other] == targets.get(name)]
    return max(names, key=len, default=name) + colon + rest


def make_agent(
    spec: str, config: GameConfig | None = None, *, run_folder: Path | None = None
) -> Agent:
    """Makes a bot.

    Args:
        spec: a registered name such as ``greedy``, or ``module:Class``, where the module can be a
            file in the current folder. Options follow as ``:option=value,...``; the first option
            without a default can be given without its name, as in ``policy:PATH``.
        config: the rules of the games to play; the published game for four players if None.
        run_folder: where the bot may keep files of a run, such as logs; for bots that have a
            parameter of this name, for which it is made. They keep none if it is None.
    """
    if not isinstance(spec, str):
        raise ValueError(f"an agent is named by a text such as 'greedy', not {spec!r}")
    config = check_config(GameConfig() if config is None else config)
    found = find_agent(spec)
    options = read_options(found.name, found.make, found.options, run_folder)
    agent: Agent = found.make(config, **options)
    return agent


def find_agent(spec: str) -> AgentFactory:
    """What makes the bot of a spec."""
    name, _, rest = spec.partition(":")
    found = [entry for entry in entry_points(group=AGENTS) if entry.name == name]
    if found:
        return AgentFactory(name, found[0].load(), rest, found[0].module)
    attribute, _, rest = rest.partition(":")
    _check_class_name(spec, name, attribute)
    return AgentFactory(f"{name}:{attribute}", _load_class(name, attribute), rest, name)


def _check_class_name(spec: str, module: str, attribute: str) -> None:
    """Refuses what is neither a registered name nor ``module:Class``."""
    path = PurePath(module)
    if path.suffix == ".py" or (len(path.parts) > 1 and not path.suffix):
        raise ValueError(
            f"agents are named module:Class, such as {path.stem}:{attribute or 'Bot'}, not {spec!r}"
        )
    if not all(part.isidentifier() for part in (*module.split("."), attribute)):
        raise ValueError(
            f"unknown agent {module!r}{suggestion(module, list_agents())}; "
            f"or module:Class, such as {_EXAMPLE}"
        )


def _load_class(module: str, name: str) -> Callable[..., Any]:
    if "" not in sys.path:
        sys.path.append("")  # the current folder, which a command does not search by default
    try:
        found = import_module(module)
    except ImportError as error:
        unknown = getattr(error, "name", None) == module
        known = suggestion(module, list_agents()) if unknown else ""
        raise ValueError(f"agent {module}:{name} cannot be imported: {error}{known}") from None
    make: Callable[..., Any] | None = getattr(found, name, None)
    if not callable(make):
        own = [key for key, value in vars(found).items() if _is_class_of(found, value)]
        raise ValueError(f"module {module!r} has no class {name!r}{suggestion(name, own)}")
    return make


def _is_class_of(module: ModuleType, value: Any) -> bool:
    return inspect.isclass(value) and value.__module__ == module.__name__
