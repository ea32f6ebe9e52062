"""Damaged policy files are refused in words, or are policies that play."""

import json
import struct
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.random import Generator

from mindup_agents.policy import PolicyAgent, load_policy, save_policy
from mindup_env import BatchEnv, GameConfig
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import mutated, mutated_plain
from tests.hostile.refusal import result_or_refusal
from tests.training.policies import random_policy

pytestmark = pytest.mark.hostile

CONFIG = GameConfig(3)


def test_any_policy_file_plays_or_is_refused(attempts: Attempts, tmp_path: Path) -> None:
    path = tmp_path / "policy.safetensors"
    save_policy(random_policy(CONFIG, seed=1), path)
    original = path.read_bytes()
    for random in attempts:
        for _ in range(10):
            attempts.inputs += 1
            path.write_bytes(_damaged(random, original))
            policy = result_or_refusal(partial(load_policy, path))
            if policy is None:
                continue
            agent = result_or_refusal(partial(PolicyAgent.of, policy, CONFIG))
            if agent is not None:
                _check_plays(agent)


def _damaged(random: Generator, data: bytes) -> bytes:
    """Damage to bytes anywhere or in the header, or to the description or the table of tensors."""
    (length,) = struct.unpack("<Q", data[:8])
    header, tensors = data[8 : 8 + length], data[8 + length :]
    kind = random.integers(4)
    if kind == 0:
        return mutated(random, data)
    if kind == 1:
        return mutated(random, data[: 8 + length]) + tensors
    plain = json.loads(header)
    if kind == 2:
        description = json.loads(plain["__metadata__"]["mindup"])
        changed = json.dumps(mutated_plain(random, description), default=repr)
        plain["__metadata__"]["mindup"] = changed
    else:
        plain = mutated_plain(random, plain)
    header = json.dumps(plain, default=repr).encode()
    return struct.pack("<Q", len(header)) + header + tensors


def _check_plays(agent: PolicyAgent) -> None:
    env = BatchEnv(CONFIG, 1)
    seen, _ = env.reset(seed=0)
    observation, mask = (seen[name][0] for name in ("observation", "action_mask"))
    with np.errstate(all="ignore"):  # weights of 1e38 are finite, their products are not
        actions = agent.act(observation, mask, np.ones(3, np.bool_), np.zeros(3, np.uint64))
    assert mask[np.arange(3), actions].all()
