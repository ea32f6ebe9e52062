"""Games saved, pickled, recorded and replayed."""

import copy
import json
import pickle
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from mindup_env import Card, Deck, Game, GameConfig
from tests.rules.strategies import plays

CUSTOM = Deck(tuple(Card(n, ("pink", "green", "purple")[n % 3], n % 5 - 2) for n in range(1, 19)))
CONFIGS = {
    "published": GameConfig(),
    "fresh objectives": GameConfig(3, 2),
    "objectives that stay": GameConfig(2, 4, hand_size=4),
    "custom deck": GameConfig(2, 1, 4, 3, CUSTOM),
}
of_all_kinds = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)


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
        copy.copy,
        copy.deepcopy,
    ],
    ids=["to_dict", "record", "pickle", "copy", "deepcopy"],
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
    config = GameConfig(2, num_rounds=2, hand_size=3)
    game = played(config)[-1]
    record = game.record()
    assert (record["format"], record["version"]) == ("mindup-record", 1)
    assert record["config"] == config.to_dict() and record["deal"] == game.deal.to_dict()
    assert record["plays"] == [list(cards) for cards in game.plays]
    assert {name: record[name] for name in ("config", "deal", "plays")} == game.to_dict()
    result = record["result"]
    assert result["over"] and result["scores"] == list(game.scores)
    assert result["winners"] == list(game.winners)
    totals = [[score["total"] for score in round_] for round_ in result["round_scores"]]
    assert totals == [[score.total for score in round_] for round_ in game.round_scores]
