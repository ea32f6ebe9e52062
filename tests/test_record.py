"""Records of games, sampled ones too: the same bytes for every way to a game; errors."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.belief import sample
from tests.envs.strategies import tables
from tests.game_origins import (
    ORIGINS,
    PATHS,
    play_randomly,
    record_bytes,
    sampled_from,
    through_json,
)
from tests.rules.strategies import plays, rules_settings

few_examples = settings(rules_settings, max_examples=min(8, rules_settings.max_examples))
origins = st.sampled_from(list(ORIGINS))
seeds = st.integers(0, 2**32 - 1)

ROUNDS_OF_ONE_TURN = GameConfig(2, num_rounds=1, hand_size=2), GameConfig(3, hand_size=2)
one_turn, one_turn_first = ROUNDS_OF_ONE_TURN


@few_examples
@given(origins, tables(), seeds)
@example("sampled", one_turn, 0)
@example("sampled and played", one_turn_first, 2)
def test_the_record_is_the_same_after_every_way(origin: str, config: GameConfig, seed: int) -> None:
    game = ORIGINS[origin](config, np.random.default_rng(seed))
    turns = len(game.record()["plays"])
    for name, path in PATHS.items():
        again = path(game)
        assert again == game and str(again) == str(game), name
        assert record_bytes(again) == record_bytes(game), name
        play_randomly(again, config.num_turns, np.random.default_rng(seed))
        assert Game.replay(through_json(again.record()), turns=turns) == game, name


@few_examples
@given(origins, tables(), seeds)
def test_a_record_replays_every_turn(origin: str, config: GameConfig, seed: int) -> None:
    random = np.random.default_rng(seed)
    games = [ORIGINS[origin](config, random)]
    while not games[-1].over:
        games.append(play_randomly(games[-1].copy(), 1, random))
    record = through_json(games[-1].record())
    before = len(record["plays"]) - len(games) + 1
    for turns, game in enumerate(games, start=before):
        assert Game.replay(record, turns=turns) == game


@pytest.mark.parametrize("config", ROUNDS_OF_ONE_TURN, ids=str)
def test_the_turn_that_ends_a_round_is_no_known_past(config: GameConfig) -> None:
    """The cards left over are among the prizes taken, so the record begins after that turn."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        game = play_randomly(Game(config, seed), 1, random)
        record = sampled_from(game, seed % config.num_players, random).record()
        assert record["start"]["turns_played"] == 1 and record["plays"] == []
        assert Game.replay(through_json(record)).record() == record
        assert "start" not in game.record()


def test_what_a_record_says() -> None:
    config = GameConfig(2, num_rounds=2, hand_size=3)
    game = Game(config, seed=11)
    for _ in plays(game, 11):
        pass
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


# What is refused


def recorded(**changes: Any) -> dict[str, Any]:
    """A finished game's record, with some entries changed and those set to None left out."""
    game = Game(GameConfig(2, num_rounds=2, hand_size=3), seed=11)
    for _ in plays(game, 11):
        pass
    record = {**through_json(game.record()), **changes}
    return {name: value for name, value in record.items() if value is not None}


@pytest.mark.parametrize("wrong", [None, "{}", [], {}, {"config": {}, "deal": {}, "plays": []}])
def test_what_is_no_record_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"not a record.*mindup-record"):
        Game.replay(wrong)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": None}, "not a record.*mindup-record"),
        ({"version": 2}, "version 2; .* reads 1"),
        ({"version": True}, "version True; .* reads 1"),
        ({"plays": None, "result": None}, "record .*missing: plays, result$"),
        ({"comment": "mine"}, "config, deal, plays, result.*unknown: 'comment'"),
        ({"plays": 5}, "plays must be a list, not 5"),
        ({"plays": [5]}, "turn 1 of 1: .*cards .*must be a list, not 5"),
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


# Records of games that were sampled from a belief, and so begin midway


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


def recorded_sample() -> dict[str, Any]:
    return through_json(sampled(GameConfig(2, hand_size=4), 5).record())


def changed_start(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    record = recorded_sample()
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
        Game.replay(changed_start(path, value))


def test_a_card_drawn_for_the_round_is_in_no_other_hand() -> None:
    record = recorded_sample()
    deck, first = record["deal"]["deck"], 2 * 4 + 2
    other = record["start"]["hands"][1][0]
    other_place = deck.index(other)
    deck[first], deck[other_place] = other, deck[first]
    message = rf"gives card {other} to player 0 in round 2, but player 1 has it"
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
    record = recorded_sample()
    undrawn = record["deal"]["deck"][-1]
    record["start"]["hands"][0][0] = undrawn
    with pytest.raises(ValueError, match=re.escape(f"two places: [{undrawn}]")):
        Game.replay(record)
