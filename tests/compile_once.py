"""Compiles what most tests call: python -m tests.compile_once.

The environments come first: bots are compiled from the same functions. With names of bots,
``python -m tests.compile_once greedy``, only these.
"""

import subprocess
import sys

import numpy as np

from mindup_env import BatchEnv, Game, GameConfig, belief, make_agent

CONFIG = GameConfig(num_objectives=1)
GROUPS = ["champion:worlds=1"], ["greedy", "planner", "predictor", "search:simulations=1"]
"""Bots for a process each; the first takes longest."""


def compile_environments() -> None:
    game, env = Game(CONFIG), BatchEnv(CONFIG, num_envs=2)
    game.play([game.hand(player)[0] for player in range(CONFIG.num_players)])
    seen, _ = env.reset(seed=0)
    env.step(seen["action_mask"].argmax(axis=-1))
    env.set_game(0, game)
    view = env.seen["observation"][0, 0]
    env.set_state([1], belief.sample(view, CONFIG, 1, np.random.default_rng(0)))


def compile_bot(name: str) -> None:
    seen, _ = BatchEnv(CONFIG, num_envs=2).reset(seed=0)
    observation, mask = (array[:, 0].copy() for array in seen.values())
    make_agent(name, CONFIG).act(observation, mask, np.ones(2, np.bool_), np.zeros(2, np.uint64))


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
