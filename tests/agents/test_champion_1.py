"""The trained policies of the package."""

from importlib.resources import files

import pytest

from mindup_agents import champion_1
from mindup_arena.match import win_share_against
from mindup_env import OFFICIAL_DECK, Deck, GameConfig, make_agent


@pytest.mark.parametrize("players", champion_1.PLAYERS)
def test_one_file_plays_with_any_number_of_objectives(players: int) -> None:
    for objectives in range(6):
        make_agent("champion-1", GameConfig(players, objectives))
    (path,) = (
        path for path in files(champion_1).iterdir() if path.name.startswith(f"{players}_players")
    )
    assert len(path.read_bytes()) < 1_000_000


@pytest.mark.parametrize("objectives", [0, 3])
def test_it_beats_planner(objectives: int) -> None:
    share = win_share_against("champion-1", "planner", GameConfig(3, objectives), deals=25)
    assert share.low > 0.5


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (GameConfig(2), "champion-1 plays with 3 to 6 players, not with 2"),
        (GameConfig(4, num_rounds=2), "trained for num_rounds=3, not for num_rounds=2"),
        (GameConfig(4, hand_size=6), "trained for hand_size=7, not for hand_size=6"),
        (
            GameConfig(4, deck=Deck(tuple(card for card in OFFICIAL_DECK if card.number < 60))),
            "trained with another deck",
        ),
    ],
)
def test_other_games_are_refused(config: GameConfig, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent("champion-1", config)
