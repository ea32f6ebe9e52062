"""The bot self-play: its policies, one for each number of players."""

import pytest

from mindup_agents.weights import weights_file
from mindup_arena import win_share_against
from mindup_env import GameConfig, make_agent

MOST_BYTES = 700_000


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_it_wins_more_than_greedy(players: int) -> None:
    config = GameConfig(players)
    assert weights_file("self-play", config).stat().st_size < MOST_BYTES
    share = win_share_against("self-play", "greedy", config, 40, seed=3)
    assert share.low > 1 / players


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (GameConfig(2), "self-play plays with 3, 4, 5, 6 players, not with 2"),
        (GameConfig(4, 2), r"4_players\.onnx: it has another config: num_objectives is 0, not 2"),
    ],
)
def test_other_games_are_refused(config: GameConfig, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent("self-play", config)
