"""Compiles what most tests call: python -m tests.compile_once.

The environments come first: bots are compiled from the same functions. With names of bots,
``python -m tests.compile_once greedy``, only these.
"""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np

from mindup_env import BatchEnv, Game, GameConfig, belief, make_agent

CONFIG = GameConfig(num_objectives=1)
GROUPS = ["champion:worlds=1"], ["random", "greedy", "planner", "predictor", "search:worlds=1"]
"""Bots for a process each; the first takes longest."""


def compile_environments() -> None:
    game, env = Game(CONFIG), BatchEnv(CONFIG, num_envs=2)
    game.play([game.hand(player)[0] for player in range(CONFIG.num_players)])
    str(game)
    env.reset(seed=0)
    env.step(env.random_actions())
    env.set_game(0, game)
    env.state()
    views = env.seen["observation"]
    env.set_state([1], belief.sample(views[0, 0], CONFIG, 1, np.random.default_rng(0)))
    against_random: Any = gymnasium.make_vec("MindUp-v0", num_envs=2)
    against_random.reset(seed=0)


def compile_bot(name: str) -> None:
    """Also for arrays of which the bot gets every second row."""
    seen, _ = BatchEnv(CONFIG, num_envs=2).reset(seed=0)
    starts, bits = np.ones(8, np.bool_), np.zeros(8, np.uint64)
    rows = *(array.reshape(8, -1) for array in seen.values()), starts, bits
    agent = make_agent(name, CONFIG)
    agent.act(*rows)
    agent.act(*(array[::2] for array in rows))


if __name__ == "__main__":
    compile_environments()
    if sys.argv[1:]:
        for name in sys.argv[1:]:
            compile_bot(name)
    else:
        command = [sys.executable, "-m", "tests.compile_once"]
        processes = [subprocess.Popen([*command, *bots]) for bots in GROUPS]
        failures = [process.wait() for process in processes]
        sys.exit(any(failures))
