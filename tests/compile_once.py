"""Compiles what most tests call: python -m tests.compile_once GROUP.

Workers of pytest-xdist that find no compiled code would each compile all of it.
"""

import subprocess
import sys

import numpy as np

from mindup_agents.features import ENCODERS, SeatFeatures
from mindup_env import BatchEnv, GameConfig, belief, make_agent
from mindup_env.engine.compiler import IS_COMPILED

GROUPS = {
    "champion": ["champion-2:worlds=1"],
    "others": ["champion-1", "greedy", "planner", "predictor", "search:simulations=1"],
}
"""Bots that take about equally long to compile."""


def compile_once() -> None:
    """Compiles the groups at the same time, each in a process of its own."""
    if IS_COMPILED:
        command = [sys.executable, "-m", __name__]
        for process in [subprocess.Popen([*command, group]) for group in GROUPS]:
            assert process.wait() == 0


def compile_group(group: str) -> None:
    env = BatchEnv(GameConfig(num_objectives=1), num_envs=2)
    seen, _ = env.reset(seed=0)
    observation, mask = (seen[name][:, 0].copy() for name in ("observation", "action_mask"))
    for bot in GROUPS[group]:
        make_agent(bot, env.config).act(
            observation, mask, np.ones(2, np.bool_), np.zeros(2, np.uint64)
        )
    if group == "others":
        env.step(seen["action_mask"].argmax(axis=-1))
        belief.sample(observation[0], env.config, 1, np.random.default_rng(0))
        for features in ENCODERS:
            SeatFeatures(env, features).read()


if __name__ == "__main__":
    compile_group(sys.argv[1])
