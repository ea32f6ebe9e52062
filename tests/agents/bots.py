"""The bots that the tests play, by their names; as a program, prints the choices of all of them."""

import inspect
import json
from collections.abc import Sequence
from functools import cache
from importlib.metadata import entry_points

import numpy as np

from mindup_env import GameConfig, list_agents, make_agent
from mindup_env.agent import AGENTS, Agent
from tests.agents.positions import ActArguments, Choices, stages
from tests.envs.playing import SHORT

QUICK = {"champion": "champion:worlds=9"}
"""A bot that would take most of the time of the tests, with an option that makes it faster."""


@cache
def playable(config: GameConfig) -> list[str]:
    """The bots that can play a config without required options."""
    return [name for name in list_agents() if _plays(name, config)]


def _plays(name: str, config: GameConfig) -> bool:
    if any(option.default is option.empty for option in parameters(name)[1:]):
        return False
    try:
        make_agent(name, config)
    except ValueError:
        return False
    return True


@cache
def parameters(name: str) -> list[inspect.Parameter]:
    """The parameters of the class or function behind a name."""
    (entry,) = entry_points(group=AGENTS, name=name)
    return list(inspect.signature(entry.load()).parameters.values())


def make_quick(name: str, config: GameConfig) -> Agent:
    """A new agent that decides in milliseconds."""
    return make_agent(QUICK.get(name, name), config)


def choose(name: str, config: GameConfig, arguments: ActArguments) -> Choices:
    """The choices of a new agent."""
    return make_quick(name, config).act(*arguments)


def choose_in_turn(agent: Agent, turns: Sequence[ActArguments]) -> Choices:
    """The choices of an agent turn by turn: (turns, B)."""
    return np.array([agent.act(*arguments) for arguments in turns])


def choices() -> dict[str, list[int]]:
    """The choices of every bot, which a test compares with those of another process."""
    return {name: choose(name, SHORT, stages(SHORT)).tolist() for name in playable(SHORT)}


if __name__ == "__main__":
    print(json.dumps(choices()))
