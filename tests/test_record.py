"""Games saved, pickled, recorded and replayed; and files that are never half written."""

import copy
import json
import pickle
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mindup_env import Card, Deck, Game, GameConfig
from mindup_env.files import write_text
from tests.rules.strategies import plays

CUSTOM = Deck(tuple(Card(n, ("pink", "green", "purple")[n % 3], n % 5 - 2) for n in range(1, 19)))
CONFIGS = {
    "published": GameConfig(),
    "fresh objectives": GameConfig(3, 2),
    "objectives that stay": GameConfig(2, 4, hand_size=4),
    "custom deck": GameConfig(2, 1, 4, 3, CUSTOM),
}
of_all_kinds = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
RECORDED = GameConfig(2, num_rounds=2, hand_size=3)


def through_json(plain: dict[str, Any]) -> dict[str, Any]:
    back: dict[str, Any] = json.loads(json.dumps(plain))
    return back


def played(config: GameConfig) -> list[Game]:
    """A game as it was before its first turn, after that turn, and so on to its end."""
    game = Game(config, seed=11)
    return [game.copy(), *(game.copy() for _ in plays(game, 11))]


@pytest.mark.parametrize(
    "restored",
    [
        lambda game: Game.from_dict(through_json(game.to_dict())),
        lambda game: Game.replay(through_json(game.record())),
        lambda game: pickle.loads(pickle.dumps(game)),
        copy.deepcopy,
    ],
    ids=["to_dict", "record", "pickle", "deepcopy"],
)
@of_all_kinds
def test_a_restored_game_is_exact_and_goes_on(
    config: GameConfig, restored: Callable[[Game], Game]
) -> None:
    games = played(config)
    assert len(games) == config.num_turns + 1 and games[-1].over
    for before, after in pairwise(games):
        game = restored(before)
        assert game == before and game.config == config
        game.play(after.plays[-1])
        assert game == after != before, "play reaches the restored game, and it alone"
        assert game.round_scores == after.round_scores and game.deal == before.deal
    assert restored(games[-1]) == games[-1]


@of_all_kinds
def test_a_record_replays_to_every_turn(config: GameConfig) -> None:
    games = played(config)
    record = through_json(games[-1].record())
    kept = copy.deepcopy(record)
    assert Game.replay(record) == games[-1]
    for turns, game in enumerate(games):
        assert Game.replay(record, turns=turns) == game
    assert record == kept


def test_what_a_record_says() -> None:
    game = played(RECORDED)[-1]
    record = game.record()
    assert (record["format"], record["version"]) == ("mindup-record", 1)
    assert record["config"] == RECORDED.to_dict() and record["deal"] == game.deal.to_dict()
    assert record["plays"] == [list(cards) for cards in game.plays]
    assert {name: record[name] for name in ("config", "deal", "plays")} == game.to_dict()
    result = record["result"]
    assert result["over"] and result["scores"] == list(game.scores)
    assert result["winners"] == list(game.winners)
    totals = [[score["total"] for score in round_] for round_ in result["round_scores"]]
    assert totals == [[score.total for score in round_] for round_ in game.round_scores]


def recorded(**changes: Any) -> dict[str, Any]:
    """A finished game's record, with some entries changed and those set to None left out."""
    record = {**through_json(played(RECORDED)[-1].record()), **changes}
    return {name: value for name, value in record.items() if value is not None}


@pytest.mark.parametrize("wrong", [None, "{}", [], {}, {"config": {}, "deal": {}, "plays": []}])
def test_what_is_no_record_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"no record.*mindup-record"):
        Game.replay(wrong)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": None}, "no record.*mindup-record"),
        ({"format": "chess"}, "no record.*mindup-record"),
        ({"version": 2}, "version 2, .* reads 1"),
        ({"version": "1"}, "version '1', .* reads 1"),
        ({"version": None}, "version None, .* reads 1"),
        ({"config": None}, "config, deal, plays"),
        ({"deal": None}, "config, deal, plays"),
        ({"plays": None}, "config, deal, plays"),
        ({"comment": "mine"}, "config, deal, plays"),
        ({"plays": 5}, "'plays'.* 5"),
        ({"plays": "12"}, "'plays'.* '12'"),
        ({"config": ["official"]}, r"'config'.* \['official'\]"),
        ({"config": {"num_players": "2"}}, "num_players must be a whole number, not '2'"),
        ({"deal": [1, 2]}, r"'deal'.* \[1, 2\]"),
        ({"deal": {"deck": [1]}}, r"deck, score_orders and objectives.* not \['deck'\]"),
        ({"result": None}, "result.* None"),
    ],
)
def test_what_is_wrong_in_a_record_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game.replay(recorded(**changes))


@pytest.mark.parametrize("wrong", [None, "{}", [], {}, {"config": {}, "plays": []}])
def test_what_is_no_saved_game_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"config, deal, plays"):
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
    with pytest.raises(ValueError) as refusal:  # noqa: PT011  # the whole result is looked for
        Game.replay(recorded(result={**result, entry: claim}))
    assert f"'{entry}': {claim}" in str(refusal.value)
    assert f"'{entry}': {result[entry]}" in str(refusal.value)
    with pytest.raises(ValueError, match="result"):
        Game.replay(recorded(plays=recorded()["plays"][:-1]))


@pytest.mark.parametrize("turns", [-1, 6, 2.0, "2", True])
def test_turns_that_were_not_played_cannot_be_replayed(turns: Any) -> None:
    with pytest.raises(ValueError, match=rf"turns must be .*(0 to 5|whole number).*{turns}"):
        Game.replay(recorded(), turns=turns)


def test_text_is_written_over_the_old(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for text in ("old", "naïve ♣\n"):
        write_text(path, text)
        assert path.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
@pytest.mark.parametrize("failure", [OSError("disk full"), KeyboardInterrupt("stopped")], ids=repr)
def test_a_failed_write_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, failure: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise failure

    path = tmp_path / "game.json"
    write_text(path, "old")
    monkeypatch.setattr(step, fail)
    for target in (path, tmp_path / "new.json"):
        with pytest.raises(type(failure), match=str(failure)):
            write_text(target, "half of the new")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "this is no text: \ud800")
    assert list(tmp_path.iterdir()) == [path] and path.read_text(encoding="utf-8") == "old"
