"""Games on disk, and what a person is told of them."""

import os
from pathlib import Path

import pytest

from mindup_play.results import interval, results
from mindup_play.saved import SavedGames
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.tables import SETTINGS, play_to

ID = "0123456789abcdef"


@pytest.fixture
def games(tmp_path: Path) -> SavedGames:
    return SavedGames(tmp_path / "new" / "folder")


def test_the_game_that_was_saved_last_comes_first(games: SavedGames) -> None:
    assert games.newest_first() == []
    first, second = games.new_id(), games.new_id()
    for saved_at, (game_id, turns) in enumerate(((first, 2), (second, 1))):
        games.save(game_id, play_to(Session(SETTINGS), turns))
        os.utime(games.path(game_id), (saved_at, saved_at))
    assert games.newest_first() == [(second, 1), (first, 0)]
    games.save(first, ended := play_to(Session(SETTINGS)))
    assert [game_id for game_id, _ in games.newest_first()] == [first, second]
    assert games.read(first).record() == ended.record() and games.read(first).cost is None
    for game_id, saved_at in ((first, 1), (second, 2)):
        os.utime(games.path(game_id), (saved_at, saved_at))
    ended.cost = 0.125
    games.save(first, ended)
    assert games.read(first).cost == 0.125
    assert games.newest_first()[0][0] == second, "a review changes no order"


def test_only_ids_of_games_are_read_and_deleted(games: SavedGames) -> None:
    games.save(ID, Session(SETTINGS))
    games.delete(ID)
    for gone in (ID, "", ".", "../games", f"{ID}/"):
        for use in (games.read, games.delete):
            with pytest.raises(ValueError, match="not among the saved games"):
                use(gone)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"seat": 0', '"seat": "0"', "seat must be a whole number"),
        ('"seed": 7', '"seed": 8', "its deal is not that of its seed"),
        ('["greedy", "lowest"]', '"greedy"', "opponents must be a list"),
        ('"plays": [[', '"plays": [[1, 2, 3, 4], [', "player 0 cannot play card 1"),
        ('"cost": null', '"cost": NaN', "cost must be a finite number"),
        ("}", "", "not JSON"),
    ],
)
def test_a_damaged_game_is_refused(old: str, new: str, message: str, games: SavedGames) -> None:
    games.save(ID, play_to(Session(SETTINGS), 2))
    path = games.path(ID)
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ValueError, match=f"{path}.*{message}"):
        games.read(ID)


def test_finished_games_are_counted_by_kind_of_table() -> None:
    fours = [
        play_to(Session(PlaySettings(seed, opponents=("lowest", "greedy")))) for seed in range(30)
    ]
    three = play_to(Session(PlaySettings(3, 3, 2, 1, ("lowest",))))
    assert {1, 2} <= {game.place for game in fours}
    fours[0].cost = 0.25
    most, other = results([three, *fours])
    wins = [(0 in game.game.winners) / len(game.game.winners) for game in fours]
    places = [game.game.ranks[0] + 1 for game in fours]
    assert [*most.values()][:5] == [4, 0, ["greedy", "lowest"], 30, sum(wins) / 30]
    assert [*most.values()][6:] == [sum(places) / 30, 0.25]
    assert [*other.values()][:4] == [3, 2, ["lowest"], 1] and other["cost"] is None


def test_the_interval_is_that_of_wilson() -> None:
    """The values are those of statsmodels' ``proportion_confint``."""
    assert interval(3 / 10, 10) == pytest.approx([0.1078, 0.6032], abs=1e-3)
    assert interval(0, 1) == pytest.approx([0, 0.7935], abs=1e-3)
