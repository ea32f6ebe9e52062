"""The bot self-play: its policies, one for each number of players."""

import pytest

from mindup_agents.weights import weights_file
from mindup_arena import win_share_against
from mindup_env import GameConfig

MOST_BYTES = 700_000


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_it_wins_more_than_greedy(players: int) -> None:
    config = GameConfig(players)
    assert weights_file("self-play", config).stat().st_size < MOST_BYTES
    share = win_share_against("self-play", "greedy", config, 40, seed=3)
    assert share.low > 1 / players
