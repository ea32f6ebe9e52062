"""Copies and records of games: the same after every way to bring one elsewhere; errors."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from tests.envs.strategies import tables
from tests.game_origins import (
    ORIGINS,
    PATHS,
    RECORD_PATHS,
    play_randomly,
    record_bytes,
    through_json,
)
from tests.scripted_game import PLAYS, scripted


@settings(max_examples=8)
@pytest.mark.parametrize("origin", ORIGINS)
@given(config=tables(), seed=st.integers(0, 2**32 - 1))
def test_a_game_is_the_same_after_every_way_and_goes_its_own(
    origin: str, config: GameConfig, seed: int
) -> None:
    game = ORIGINS[origin](config, np.random.default_rng(seed))
    before = game.copy()
    for name, path in (PATHS | (RECORD_PATHS if origin == "played" else {})).items():
        again = path(game)
        assert again == game and str(again) == str(game), name
        play_randomly(again, config.num_turns, np.random.default_rng(seed))
        assert again.over and game == before, name
        if origin == "played":
            record = through_json(again.record())
            assert Game.replay(record, turns=len(game.plays)) == game, name


def test_what_a_record_says() -> None:
    game = scripted(5)
    assert through_json(game.record()) == {
        "format": "mindup-record-1",
        "config": game.config.to_dict(),
        "deal": through_json(game.deal.to_dict()),
        "plays": [list(cards) for cards in PLAYS],
        "result": {"scores": [24, 24], "winners": [0]},
    }
    other = {"names": ["of", "a page"]}
    assert record_bytes(Game.replay({**game.record(), **other})) == record_bytes(game)


def recorded(**changes: Any) -> dict[str, Any]:
    """A finished game's record, with some entries changed and those set to None left out."""
    record = {**through_json(scripted(5).record()), **changes}
    return {name: value for name, value in record.items() if value is not None}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (None, "not a record.*mindup-record-1"),
        ([], "not a record.*mindup-record-1"),
        ({"format": None}, "not a record.*mindup-record-1"),
        ({"plays": None, "result": None}, "record .*missing: plays, result$"),
        ({"plays": 5}, "plays must be a list, not 5"),
        ({"plays": [5]}, "turn 1 of 1: .*cards .*must be a list, not 5"),
        ({"plays": [*PLAYS, [1, 2], [3, 4]]}, "turn 6 of 7: .*over"),
        ({"plays": [*PLAYS[:4], [50, 9]]}, r"turn 5 of 5: player 1 .*card 9\b.* 10, 40$"),
        ({"config": ["official"]}, r"config must be a dict.*, not \['official'\]"),
        ({"deal": {"deck": [1]}}, "deal .*missing: score_orders"),
    ],
)
def test_what_is_wrong_in_a_record_is_named(changes: Any, message: str) -> None:
    record = recorded(**changes) if isinstance(changes, dict) else changes
    with pytest.raises(ValueError, match=message):
        Game.replay(record)


@pytest.mark.parametrize("entry", ["scores", "winners", "ranks"])
def test_a_result_that_the_plays_do_not_give_is_refused(entry: str) -> None:
    result = recorded()["result"]
    wrong = {**result, entry: [99, 98]}
    message = re.escape(f"has the result {wrong}, but its plays lead to {result}")
    with pytest.raises(ValueError, match=message):
        Game.replay(recorded(result=wrong))
    with pytest.raises(ValueError, match=r"has the result .*, but its plays lead to"):
        Game.replay(recorded(plays=PLAYS[:4]))


@pytest.mark.parametrize("turns", [-1, 6, 2.0, "2", True])
def test_turns_that_were_not_played_cannot_be_replayed(turns: Any) -> None:
    with pytest.raises(ValueError, match=rf"turns must be .*(0 to 5|whole number).*{turns}"):
        Game.replay(recorded(), turns=turns)
