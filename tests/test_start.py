"""Records of games that were sampled from a belief, and so begin midway."""

import json
import re
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.belief import sample

CONFIGS = {
    "no objectives": GameConfig(num_rounds=2),
    "fresh objectives": GameConfig(3, 2),
    "objectives that stay": GameConfig(2, 4, hand_size=3),
}
of_all_kinds = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)


def sampled(config: GameConfig, turns: int) -> Game:
    """A game sampled by a player of another one, after so many turns."""
    rng = np.random.default_rng(turns)
    played = Game(config, seed=5)
    for _ in range(turns):
        played.play(chosen(played, rng))
    env = BatchEnv(config, autoreset=False)
    view = env.set_game(0, played)["observation"][0, turns % config.num_players]
    env.set_state([0], sample(view, config, 1, rng))
    return env.game(0)


def chosen(game: Game, rng: np.random.Generator) -> list[int]:
    return [int(rng.choice(game.hand(player))) for player in range(game.config.num_players)]


def through_json(plain: dict[str, Any]) -> dict[str, Any]:
    back: dict[str, Any] = json.loads(json.dumps(plain))
    return back


@of_all_kinds
def test_a_sampled_game_is_saved_at_every_turn_and_played_on(config: GameConfig) -> None:
    for turns in range(config.num_turns + 1):
        game, rng = sampled(config, turns), np.random.default_rng(7)
        begun = game.copy()
        assert Game.from_dict(through_json(game.to_dict())) == game
        while not game.over:
            game.play(chosen(game, rng))
            record = through_json(game.record())
            assert Game.replay(record) == game
            if (
                turns != 1
            ):  # with one turn all of the past is known, and the record begins before it
                assert Game.replay(record, turns=0) == begun


@of_all_kinds
def test_one_turn_is_all_past_there_is(config: GameConfig) -> None:
    game = sampled(config, 1)
    assert "start" not in game.to_dict()
    assert len(game.to_dict()["plays"]) == 1


def test_what_the_start_of_a_record_says() -> None:
    game = sampled(GameConfig(3), 9)
    rng = np.random.default_rng(1)
    hands = [list(game.hand(player)) for player in range(3)]
    columns = [[card for column in game.tableau(player) for card in column] for player in range(3)]
    row, scores = game.row, game.scores
    for _ in range(8):
        game.play(chosen(game, rng))
    record = game.record()
    start = record["start"]
    assert start["turns_played"] == 9 and sorted(start["last_turn"]) == list(row)
    assert start["hands"] == hands and start["tableaux"] == columns
    assert [sum(parts) for parts in start["finished_rounds"][0]] == list(scores)
    assert record["plays"] == [list(turn) for turn in game.plays[9:]]


def recorded() -> dict[str, Any]:
    return through_json(sampled(GameConfig(2, hand_size=4), 5).record())


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    record = recorded()
    inner = record["start"]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("turns_played",), 0, "turns_played must be 1 to 12, not 0"),
        (("turns_played",), 6, r"hands must be whole numbers of shape \(2, 2\) at this turn, not"),
        (
            ("last_turn",),
            [1],
            r"last_turn must be .* of shape \(2,\) .*, not int64 of shape \(1,\)",
        ),
        (("last_turn", 0), 61, "a number of last_turn must be 1 to 60, not 61"),
        (("hands",), [[1, 2, 3]], r"hands must be .* of shape \(2, 3\) .* of shape \(1, 3\)"),
        (("hands", 1), "cards", r"hands must be .*, not \[\[.*\], 'cards'\]"),
        (("tableaux", 0), [1, 2, 3], r"tableaux must be .* of shape \(2, 2\) .*, not \[\["),
        (("tableaux", 0), [7, 7], r"two places: \[.*7"),
        (("finished_rounds",), [], r"finished_rounds must be .* of shape \(1, 2, 3\)"),
        (("finished_rounds", 0, 0, 0), 900, "a number of finished_rounds must be .*, not 900"),
        (("finished_rounds", 0, 0), [0.5, 0, 0], "finished_rounds must be .*, not float64 of"),
        (("finished_rounds", 0, 0), [30, 30, 30], "a round's score in finished_rounds must be"),
        (("more",), 1, "start of a game .*unknown: 'more'"),
    ],
)
def test_what_is_wrong_in_a_start_is_named(path: tuple[Any, ...], value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game.replay(changed(path, value))


def test_a_card_drawn_for_the_round_is_in_no_other_hand() -> None:
    record = recorded()
    deck, first = record["deal"]["deck"], 2 * 4 + 2
    other = record["start"]["hands"][1][0]
    other_place = deck.index(other)
    deck[first], deck[other_place] = other, deck[first]
    message = rf"gives card {other} to player 0 in round 2, but at the start .*player 1 has it"
    with pytest.raises(ValueError, match=message):
        Game.replay(record)


def test_a_card_drawn_for_the_round_is_in_the_hand_before_its_first_turn() -> None:
    record = through_json(sampled(GameConfig(2, hand_size=4), 3).record())
    deck, first, prize = record["deal"]["deck"], 2 * 4 + 2, record["start"]["last_turn"][0]
    prize_place = deck.index(prize)
    deck[first], deck[prize_place] = prize, deck[first]
    message = rf"gives card {prize} to player 0 in round 2, but it is not in the hand"
    with pytest.raises(ValueError, match=message):
        Game.replay(record)


def test_the_first_prizes_of_a_round_fit_the_cards_played() -> None:
    record = through_json(sampled(GameConfig(2, hand_size=4), 4).record())
    record["start"]["last_turn"].reverse()
    with pytest.raises(ValueError, match="the lowest card took the lowest prize, and so on, but"):
        Game.replay(record)


def test_a_card_still_to_be_drawn_is_in_no_hand() -> None:
    record = recorded()
    undrawn = record["deal"]["deck"][-1]
    record["start"]["hands"][0][0] = undrawn
    with pytest.raises(ValueError, match=re.escape(f"two places: [{undrawn}]")):
        Game.replay(record)
