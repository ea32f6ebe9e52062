"""Records of games, sampled ones too: the same bytes for every way to a game; errors."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from tests.envs.strategies import tables
from tests.game_origins import (
    ORIGINS,
    PATHS,
    play_randomly,
    record_bytes,
    sampled_from,
    through_json,
)
from tests.rules.strategies import rules_settings
from tests.scripted_game import PLAYS, scripted

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
        ({"version": True}, "version True; .* reads 1"),
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


# Records of games that were sampled from a belief, and so begin midway


def sampled(config: GameConfig, turns: int) -> Game:
    """A game sampled by a player of another one, after so many turns."""
    random = np.random.default_rng(turns)
    played = play_randomly(Game(config, seed=5), turns, random)
    return sampled_from(played, turns % config.num_players, random)


def test_what_the_start_of_a_record_says() -> None:
    game = sampled(GameConfig(3), 9)
    hands = [list(game.hand(player)) for player in range(3)]
    columns = [[card for column in game.tableau(player) for card in column] for player in range(3)]
    row, scores = game.row, game.scores
    play_randomly(game, 8, np.random.default_rng(1))
    record = game.record()
    start = record["start"]
    assert start["turns_played"] == 9 and sorted(start["last_turn"]) == list(row)
    assert start["hands"] == hands and start["tableaux"] == columns
    assert [sum(parts) for parts in start["finished_rounds"][0]] == list(scores)
    assert record["plays"] == [list(turn) for turn in game.plays[9:]]


def recorded_sample(turns: int = 5) -> dict[str, Any]:
    return through_json(sampled(GameConfig(2, hand_size=4), turns).record())


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("turns_played",), 0, "turns_played must be 1 to 12, not 0"),
        (("turns_played",), 6, r"hands must be whole numbers of shape \(2, 2\) at this turn, not"),
        (("hands",), [[1, 2, 3]], r"hands must be .* of shape \(2, 3\) .*, not \[\[1, 2, 3"),
        (("hands", 1), "cards", r"hands must be .*, not \[\[.*\], 'cards'\]"),
        (("tableaux", 0), [7, 7], r"two places: \[.*7"),
        (("finished_rounds", 0, 0, 0), 900, "a number of finished_rounds must be .*, not 900"),
        (
            ("finished_rounds", 0, 0),
            [0.5, 0, 0],
            r"finished_rounds must be .*, not \[\[\[0.5, 0, 0",
        ),
        (("finished_rounds", 0, 0), [30, 30, 30], "a round's score in finished_rounds must be"),
        (("more",), 1, "start of a game .*unknown: 'more'"),
    ],
)
def test_what_is_wrong_in_a_start_is_named(path: tuple[Any, ...], value: Any, message: str) -> None:
    record = recorded_sample()
    inner = record["start"]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(ValueError, match=message):
        Game.replay(record)


def swap(deck: list[int], place: int, card: int) -> None:
    """Puts a card of the deck into another place of it."""
    other = deck.index(card)
    deck[other], deck[place] = deck[place], card


def test_the_start_of_a_record_fits_the_deal() -> None:
    """The cards that were drawn for the round, those still to be drawn, and the first prizes."""
    records = [recorded_sample(turns) for turns in (5, 3, 4, 5)]
    starts, decks = [each["start"] for each in records], [each["deal"]["deck"] for each in records]
    drawn, other, prize = 2 * 4 + 2, starts[0]["hands"][1][0], starts[1]["last_turn"][0]
    swap(decks[0], drawn, other)
    swap(decks[1], drawn, prize)
    starts[2]["last_turn"].reverse()
    starts[3]["hands"][0][0] = undrawn = decks[3][-1]
    messages = [
        f"gives card {other} to player 0 in round 2, but player 1 has it",
        f"gives card {prize} to player 0 in round 2, but it is not in the hand",
        "the lowest card took the lowest prize, and so on, but",
        f"two places: [{undrawn}]",
    ]
    for record, message in zip(records, messages, strict=True):
        with pytest.raises(ValueError, match=re.escape(message)):
            Game.replay(record)
