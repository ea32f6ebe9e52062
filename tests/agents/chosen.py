"""Prints the choices of every bot, which a test compares with those of its own process."""

import json

from tests.agents.bots import choose, playable
from tests.agents.positions import stages
from tests.envs.playing import SHORT


def choices() -> dict[str, list[int]]:
    return {name: choose(name, SHORT, stages(SHORT)).tolist() for name in playable(SHORT)}


if __name__ == "__main__":
    print(json.dumps(choices()))
