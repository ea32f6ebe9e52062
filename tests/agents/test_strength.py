"""How strong the bots are: each wins more than an equal share from a weaker one."""

from itertools import pairwise

import pytest

from mindup_agents.weights import weights_file
from mindup_arena import win_share_against
from mindup_env import GameConfig

LADDER = "random", "greedy", "planner", "predictor", "search:worlds=64", "champion:worlds=128"
MOST_BYTES = 700_000  # of a policy in the package


@pytest.mark.slow
@pytest.mark.parametrize(("lower", "higher"), [*pairwise(LADDER)])
def test_each_bot_of_the_ladder_beats_the_one_below(lower: str, higher: str) -> None:
    """Equal bots win 25 %; these win 38 to 75 %, give or take 7 in 50 deals."""
    assert win_share_against(higher, lower, GameConfig(), 50).value > 0.3


@pytest.mark.parametrize("bot", ["self-play", "distilled"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_policy_wins_more_than_greedy(players: int, bot: str) -> None:
    config = GameConfig(players)
    assert weights_file(bot, config).stat().st_size < MOST_BYTES
    share = win_share_against(bot, "greedy", config, 40, seed=3)
    assert share.low > 1 / players
