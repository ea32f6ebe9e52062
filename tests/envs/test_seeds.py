"""Which deals a seed stands for."""

from typing import Any

import numpy as np
import pytest

from mindup_env import Game
from mindup_env.engine.keys import agent_seed_of
from tests.envs.playing import SHORT, deals, games_of, lowest_legal, started

LARGEST = 2**64 - 1


@pytest.mark.parametrize(
    "seed", [0, LARGEST, np.uint64(LARGEST), np.array(5), [5, 5, 0], np.array([5, 9, 5])], ids=repr
)
def test_a_seed_deals_the_first_episodes(seed: Any) -> None:
    """Those of the slots of one seed, or of the first slot of each in a list."""
    places = (
        [(int(each), 0) for each in seed] if np.ndim(seed) else [(int(seed), n) for n in (0, 1, 2)]
    )
    env = started(3, 0)
    for episode in (0, 1):
        env.reset(seed=None if episode else seed)
        assert games_of(env) == [Game(SHORT, s, slot=n, episode=episode) for s, n in places]
        assert env.keys.tolist() == [[s, n, episode, agent_seed_of(s)] for s, n in places]


def test_a_reset_without_a_seed_deals_the_next_episode() -> None:
    env = started(2, 0)
    # After two turns, after a game to its end, and at once: always the next that was not dealt.
    for turns, episode in ((2, 1), (SHORT.num_turns, 3), (0, 4)):
        for _ in range(turns):
            env.step(lowest_legal(env.seen))
        env.reset()
        assert games_of(env) == deals(SHORT, 2, 2, episode)


@pytest.mark.parametrize(
    ("seed", "said"),
    [
        ([1, 2], "3 games need as many seeds, not 2"),
        ([1, 2, -3], "seed must be 0 to"),
        (2**64, "seed must be 0 to"),
        (b"abc", "seed must be a whole number, not b'abc'"),
        (np.zeros((3, 1), np.int64), "seed must be a whole number"),
    ],
)
def test_other_seeds_are_refused_and_nothing_is_dealt(seed: Any, said: str) -> None:
    env = started(3, 1)
    before = games_of(env)
    with pytest.raises(ValueError, match=said):
        env.reset(seed=seed)
    assert games_of(env) == before
    env.reset()
    assert games_of(env) == deals(SHORT, 2, 3, episode=1)
