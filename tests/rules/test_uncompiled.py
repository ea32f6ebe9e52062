"""Compiled code does what Python does with the same functions."""

import os
import subprocess
import sys
from hashlib import sha256

from mindup_env import BatchEnv, GameConfig

PRINT_GAME = "from tests.rules.test_uncompiled import hash_of_game; print(hash_of_game())"


def hash_of_game() -> str:
    """Of all that each seat sees and gains in a game of middle cards."""
    env, found = (
        BatchEnv(GameConfig(3, 2), 1, reward="0.1*margin+0.3*win+0.7*score", autoreset=False),
        sha256(),
    )
    seen, _ = env.reset(seed=7)
    for _ in range(env.config.num_turns):
        legal = seen["action_mask"]
        middle = (legal.cumsum(axis=2) * 2 > legal.sum(axis=2, keepdims=True)).argmax(axis=2)
        seen, rewards, *_ = env.step(middle)
        for array in (*seen.values(), rewards):
            found.update(array.tobytes())
    return found.hexdigest()


def test_a_game_is_the_same_without_the_compiler() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINT_GAME],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == hash_of_game()
