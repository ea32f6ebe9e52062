"""Any text that names a bot makes one, or is refused in words."""

from functools import partial

import pytest
from numpy.random import Generator

from mindup_env import make_agent
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import mutated
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile

SPECS = ["greedy", "search:simulations=16", "predictor", "random", "policy:no-such-file", "os:path"]


def test_any_spec_is_a_bot_or_refused(attempts: Attempts) -> None:
    for random in attempts:
        for _ in range(100):
            attempts.inputs += 1
            spec = _spec(random)
            agent = result_or_refusal(partial(make_agent, spec))
            assert agent is None or callable(agent.act), spec


def _spec(random: Generator) -> str:
    return mutated(random, str(random.choice(SPECS)).encode()).decode("utf-8", "replace")
