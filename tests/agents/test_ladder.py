"""The ladder of the bots: each wins more than an equal share from three of the one below."""

from itertools import pairwise

import pytest

from mindup_arena.match import win_share_against
from mindup_env import GameConfig

LADDER = "random", "greedy", "planner", "predictor", "search:worlds=64", "champion:worlds=128"


@pytest.mark.slow
@pytest.mark.parametrize(("lower", "higher"), [*pairwise(LADDER)])
def test_each_bot_beats_the_one_below(lower: str, higher: str) -> None:
    """Equal bots win 25 %; these win 38 to 75 %, give or take 7 in 50 deals."""
    assert win_share_against(higher, lower, GameConfig(), 50).value > 0.3
