"""The bots that the tests play, by their names."""

import inspect
from collections.abc import Sequence
from importlib.metadata import entry_points

import numpy as np

from mindup_env import GameConfig, list_agents, make_agent
from mindup_env.agent import AGENTS, Agent
from tests.agents.positions import Asked, Choices


def playable(config: GameConfig) -> list[str]:
    """All who play at such a table, but for the person, and bots that need to be told more."""
    bots = [name for name in list_agents() if name != "human" and not _needed_options(name)]
    return [name for name in bots if _plays(name, config)]


def _plays(name: str, config: GameConfig) -> bool:
    try:
        make_agent(name, config)
    except ValueError:
        return False
    return True


def parameters(name: str) -> list[inspect.Parameter]:
    """Those of what makes the agent."""
    (entry,) = entry_points(group=AGENTS, name=name)
    return list(inspect.signature(entry.load()).parameters.values())


def _needed_options(name: str) -> list[str]:
    return [option.name for option in parameters(name)[1:] if option.default is option.empty]


def choose(name: str, config: GameConfig, asked: Asked) -> Choices:
    """What a fresh agent chooses."""
    return make_agent(name, config).act(*asked)


def choose_in_turn(agent: Agent, turns: Sequence[Asked]) -> Choices:
    """What an agent chooses turn by turn, (turns, B)."""
    return np.array([agent.act(*asked) for asked in turns])
