"""What a person is told of the own games, and what bots say about a game."""

import pytest

from mindup_play.results import interval, results
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.tables import play_to


def test_finished_games_are_counted_by_kind_of_table() -> None:
    fours = [
        play_to(Session(PlaySettings(seed, opponents=("lowest", "greedy")))) for seed in range(30)
    ]
    three = play_to(Session(PlaySettings(3, 3, 2, 1, ("lowest",))))
    assert {1, 2} <= {game.place for game in fours}
    fours[0].cost = 0.25
    found = results([three, *fours])
    assert [
        (kind["players"], kind["objectives"], kind["bots"], kind["games"]) for kind in found
    ] == [
        (4, 0, ["greedy", "lowest"], 30),
        (3, 2, ["lowest"], 1),
    ]
    wins = [(0 in game.game.winners) / len(game.game.winners) for game in fours]
    assert found[0]["win_share"] == sum(wins) / 30
    assert found[0]["place"] == sum(game.game.ranks[0] + 1 for game in fours) / 30
    assert (found[0]["cost"], found[1]["cost"]) == (0.25, None)


def test_the_interval_is_that_of_wilson() -> None:
    """The values are those of statsmodels' ``proportion_confint``."""
    assert interval(3 / 10, 10) == pytest.approx([0.1078, 0.6032], abs=1e-3)
    assert interval(0, 1) == pytest.approx([0, 0.7935], abs=1e-3)
