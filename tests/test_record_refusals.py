"""What is wrong in a saved or recorded game, and how it is refused."""

import json
import re
from typing import Any

import pytest

from mindup_env import Game, GameConfig
from tests.rules.strategies import plays


def recorded(**changes: Any) -> dict[str, Any]:
    """A finished game's record, with some entries changed and those set to None left out."""
    game = Game(GameConfig(2, num_rounds=2, hand_size=3), seed=11)
    for _ in plays(game, 11):
        pass
    record = {**json.loads(json.dumps(game.record())), **changes}
    return {name: value for name, value in record.items() if value is not None}


@pytest.mark.parametrize("wrong", [None, "{}", [], {}, {"config": {}, "deal": {}, "plays": []}])
def test_what_is_no_record_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"not a record.*mindup-record"):
        Game.replay(wrong)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": None}, "not a record.*mindup-record"),
        ({"format": "chess"}, "not a record.*mindup-record"),
        ({"version": 2}, "version 2; .* reads 1"),
        ({"version": "1"}, "version '1'; .* reads 1"),
        ({"version": None}, "version None; .* reads 1"),
        ({"version": True}, "version True; .* reads 1"),
        ({"config": None}, "record .*missing: config$"),
        ({"deal": None}, "record .*missing: deal$"),
        ({"plays": None, "result": None}, "record .*missing: plays, result$"),
        ({"comment": "mine"}, "config, deal, plays, result.*unknown: 'comment'"),
        ({"plays": 5}, "plays must be a list, not 5"),
        ({"plays": "12"}, "plays must be a list, not '12'"),
        ({"plays": [5]}, "turn 1 of 1: .*cards .*must be a list, not 5"),
        ({"plays": [None]}, "turn 1 of 1: .*cards .*must be a list, not None"),
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


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (None, "saved game must be a dict.*, not None"),
        ("{}", "saved game must be a dict.*, not '{}'"),
        ([], r"saved game must be a dict.*, not \[\]"),
        ({}, "saved game .*missing: config, deal, plays"),
        ({"config": {}, "plays": []}, "saved game .*missing: deal"),
        (
            {"config": {}, "deal": {}, "plays": [], "result": {}},
            "config, deal, plays.*unknown: 'result'",
        ),
    ],
)
def test_what_is_no_saved_game_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game.from_dict(wrong)


@pytest.mark.parametrize("turn", range(1, 6))
def test_an_illegal_play_is_refused_by_its_turn(turn: int) -> None:
    hand = Game.replay(recorded(), turns=turn - 1).hand(1)
    card = next(number for number in range(60, 0, -1) if number not in hand)
    record = recorded()
    record["plays"][turn - 1][1] = card
    message = rf"turn {turn} of 5: player 1 .*card {card}\b.*{re.escape(str(hand))}"
    with pytest.raises(ValueError, match=message):
        Game.replay(record)


def test_plays_after_the_end_are_refused() -> None:
    with pytest.raises(ValueError, match=r"turn 6 of 7: .*over"):
        Game.replay(recorded(plays=[*recorded()["plays"], [1, 2], [3, 4]]))


@pytest.mark.parametrize(
    ("entry", "claim"),
    [("scores", [99, 98]), ("winners", []), ("over", False), ("round_scores", [])],
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
