"""Records of games: the same bytes for every way to a game; errors."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from tests.envs.strategies import tables
from tests.game_origins import (
    PATHS,
    RECORD_PATHS,
    play_randomly,
    played,
    record_bytes,
    sampled,
    through_json,
)
from tests.scripted_game import PLAYS, scripted

few_examples = settings(max_examples=8)
seeds = st.integers(0, 2**32 - 1)


@few_examples
@given(tables(), seeds)
def test_the_record_is_the_same_after_every_way(config: GameConfig, seed: int) -> None:
    game = played(config, np.random.default_rng(seed))
    for name, path in (PATHS | RECORD_PATHS).items():
        again = path(game)
        assert again == game and str(again) == str(game), name
        assert record_bytes(again) == record_bytes(game), name
        play_randomly(again, config.num_turns, np.random.default_rng(seed))
        assert Game.replay(through_json(again.record()), turns=len(game.plays)) == game, name


@few_examples
@given(tables(), seeds)
def test_a_sampled_game_is_the_same_after_every_way(config: GameConfig, seed: int) -> None:
    game = sampled(config, np.random.default_rng(seed))
    for name, path in PATHS.items():
        again = path(game)
        assert again == game and str(again) == str(game), name


def test_a_game_with_an_unknown_past_has_no_record() -> None:
    for seed in range(5):
        random = np.random.default_rng(seed)
        game = sampled(GameConfig(3), random)
        if all(all(turn) for turn in game.plays):
            assert Game.replay(through_json(game.record())) == game
        else:
            with pytest.raises(ValueError, match=r"the past of a game from belief\.sample is unkn"):
                game.record()


@few_examples
@given(tables(), seeds)
def test_a_record_replays_every_turn(config: GameConfig, seed: int) -> None:
    random = np.random.default_rng(seed)
    games = [Game(config, seed)]
    while not games[-1].over:
        games.append(play_randomly(games[-1].copy(), 1, random))
    record = through_json(games[-1].record())
    for turns, game in enumerate(games):
        assert Game.replay(record, turns=turns) == game


def test_what_a_record_says() -> None:
    game = scripted(5)
    record = game.record()
    assert (record["format"], record["version"]) == ("mindup-record", 1)
    assert record["config"] == game.config.to_dict() and record["deal"] == game.deal.to_dict()
    assert record["plays"] == [list(cards) for cards in game.plays]
    assert {name: record[name] for name in ("config", "deal", "plays")} == game.to_dict()
    result = record["result"]
    assert result["over"] and result["scores"] == list(game.scores)
    assert result["winners"] == list(game.winners)
    totals = [[score["total"] for score in round_] for round_ in result["round_scores"]]
    assert totals == [[score.total for score in round_] for round_ in game.round_scores]


# What is refused


def recorded(**changes: Any) -> dict[str, Any]:
    """A finished game's record, with some entries changed and those set to None left out."""
    record = {**through_json(scripted(5).record()), **changes}
    return {name: value for name, value in record.items() if value is not None}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": None}, "not a record.*mindup-record"),
        ({"version": 2}, "version 2; .* reads 1"),
        ({"plays": None, "result": None}, "record .*missing: plays, result$"),
        ({"comment": "mine"}, "config, deal, plays, result.*unknown: 'comment'"),
        ({"plays": 5}, "plays must be a list, not 5"),
        ({"plays": [5]}, "turn 1 of 1: .*cards .*must be a list, not 5"),
        ({"plays": [*PLAYS, [1, 2], [3, 4]]}, "turn 6 of 7: .*over"),
        ({"config": ["official"]}, r"config must be a dict.*, not \['official'\]"),
        ({"config": {"num_players": "2"}}, "num_players must be a whole number, not '2'"),
        ({"deal": [1, 2]}, r"deal must be a dict.*, not \[1, 2\]"),
        ({"deal": {"deck": [1]}}, "deal .*missing: score_orders"),
        ({"result": 5}, "result of a record must be a dict.*, not 5"),
        ({"result": {"over": True}}, "result .*.*missing: round_scores, scores, winners$"),
    ],
)
def test_what_is_wrong_in_a_record_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game.replay(recorded(**changes))


def test_what_is_no_record_or_saved_game_is_refused() -> None:
    no_records: list[Any] = [None, [], {"config": {}, "deal": {}, "plays": []}]
    for wrong in no_records:
        with pytest.raises(ValueError, match=r"not a record.*mindup-record"):
            Game.replay(wrong)
    no_saved_games: list[Any] = [None, {"plays": []}]
    for wrong, message in zip(no_saved_games, ("not None", "missing: .*deal"), strict=True):
        with pytest.raises(ValueError, match=f"saved game must be a dict.*{message}"):
            Game.from_dict(wrong)


@pytest.mark.parametrize("turn", [1, 5])
def test_an_illegal_play_is_refused_by_its_turn(turn: int) -> None:
    hand = Game.replay(recorded(), turns=turn - 1).hand(1)
    card = next(number for number in range(60, 0, -1) if number not in hand)
    record = recorded()
    record["plays"][turn - 1][1] = card
    message = rf"turn {turn} of 5: player 1 .*card {card}\b.*{re.escape(str(hand))}"
    with pytest.raises(ValueError, match=message):
        Game.replay(record)


@pytest.mark.parametrize(
    ("entry", "claim"),
    [("scores", [99, 98]), ("winners", []), ("over", False)],
)
def test_a_result_that_the_plays_do_not_give_is_refused(entry: str, claim: Any) -> None:
    result = recorded()["result"]
    message = re.escape(f"{entry} {claim}") + ".*plays.*" + re.escape(str(result[entry]))
    with pytest.raises(ValueError, match=message):
        Game.replay(recorded(result={**result, entry: claim}))
    del result[entry]
    with pytest.raises(ValueError, match=f"result .*.*missing: {entry}$"):
        Game.replay(recorded(result=result))


def test_a_result_of_other_plays_or_of_other_entries_is_refused() -> None:
    record = recorded()
    with pytest.raises(ValueError, match=r"over True.* plays .*False"):
        Game.replay({**record, "plays": record["plays"][:-1]})
    with pytest.raises(ValueError, match=r"over, .*winners.*unknown: 'ranks'"):
        Game.replay({**record, "result": {**record["result"], "ranks": [0, 1]}})


@pytest.mark.parametrize("turns", [-1, 6, 2.0, "2", True])
def test_turns_that_were_not_played_cannot_be_replayed(turns: Any) -> None:
    with pytest.raises(ValueError, match=rf"turns must be .*(0 to 5|whole number).*{turns}"):
        Game.replay(recorded(), turns=turns)
