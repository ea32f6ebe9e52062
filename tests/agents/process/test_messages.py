"""The fields of a seat are what the game says, and every message fits its schema."""

import json
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_agents.process import messages
from mindup_agents.process.messages import (
    OPTIONAL_VIEWS,
    ProgramError,
    message_schemas,
    seat_views,
)
from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.cards import COLOURS
from mindup_env.objectives import OBJECTIVES
from mindup_env.observation import layout_of, observation_text
from tests.agents.positions import CONFIGS, stages
from tests.envs.playing import SHORT, random_legal

FOURTEEN_CARDS = GameConfig(2, 2, 2, 2, 14)
"""As many cards as there are objectives."""


def expected_fields(game: Game, seat: int) -> dict[str, Any]:
    """What ``seat`` sees of a game, read from the game."""
    players = [(seat + after) % game.config.num_players for after in range(game.config.num_players)]
    colour_of = {card.number: card.colour for card in game.config.deck}
    tableaux = [game.tableau(player) for player in players]
    played_by = {card: player for player, card in enumerate(game.plays[-1])} if game.plays else {}
    columns = [
        {colour_of[cards[0]]: column for column, cards in enumerate(tableau, 1) if cards}
        for tableau in tableaux
    ]
    rounds = [[score.total for score in round_] for round_ in game.round_scores]
    left = game.config.num_rounds - len(rounds)
    return {
        "hand": list(game.hand(seat)),
        "row": list(game.row),
        "row_players": [
            players.index(played_by[prize]) + 1 if played_by else 0 for prize in game.row
        ],
        "score_cards": list(game.score_cards),
        "round": game.round,
        "turn": game.turn,
        "objectives": in_order(game.objectives),
        "objectives_used": in_order(set(chain.from_iterable(game.round_objectives))),
        "tableaux": [sorted(chain.from_iterable(tableau)) for tableau in tableaux],
        "columns": [[each.get(colour, 0) for colour in COLOURS] for each in columns],
        "counts": [[len(column) for column in tableau] for tableau in tableaux],
        "known": [list(game.known(player)) for player in players],
        "unknown": [len(game.hand(player)) - len(game.known(player)) for player in players],
        "round_scores": [[scores[p] for scores in rounds] + [0] * left for p in players],
        "running_scores": [game.running_scores[player] for player in players],
        "objectives_met": [in_order(game.objectives_met(player)) for player in players],
    }


def in_order(ids: Iterable[str]) -> list[str]:
    return [objective.id for objective in OBJECTIVES if objective.id in {*ids}]


@pytest.mark.parametrize("config", [GameConfig(4, 2), GameConfig(3, 5), SHORT, FOURTEEN_CARDS])
def test_the_fields_are_those_of_the_game(config: GameConfig) -> None:
    games, chance = 4, np.random.default_rng(1)
    env = BatchEnv(config, games, autoreset=False)
    env.reset(seed=3)
    for _ in range(config.num_turns):
        observation = env.seen["observation"].reshape(games * config.num_players, -1)
        seats = seat_views(config, observation, np.zeros(len(observation), np.uint64))
        for index, seat in enumerate(seats):
            game = env.game(index // config.num_players)
            assert seat.pop("random_bits") == 0
            assert seat == expected_fields(game, index % config.num_players)
        env.step(random_legal(env.seen, chance))


def test_the_optional_views_are_those_of_the_observation() -> None:
    arguments, config = stages(SHORT), SHORT
    seats = seat_views(config, arguments.observation, arguments.random_bits, OPTIONAL_VIEWS)
    for seat, seen, bits in zip(seats, arguments.observation, arguments.random_bits, strict=True):
        assert seat["text"] == observation_text(seen, config)
        assert seat["observation"] == seen.tolist()
        assert seat["random_bits"] == int(bits) // 2**11 < 2**53


def validator(config: GameConfig) -> jsonschema.Draft202012Validator:
    schemas = message_schemas(config)
    jsonschema.Draft202012Validator.check_schema(schemas)
    return jsonschema.Draft202012Validator(schemas)


def sent(config: GameConfig) -> list[dict[str, Any]]:
    """A message of each type as it is sent, read again."""
    arguments = stages(config).pick(slice(1, None, 8))  # the check of a long list takes its time
    seats = seat_views(config, arguments.observation, arguments.random_bits, OPTIONAL_VIEWS)
    all_messages = [
        messages.hello(config, 2.5),
        {"type": "choose", "id": 1, "seats": seats},
        {"type": "ready", "protocol": 1, "name": "mine", "views": ["text", "observation"]},
        {"type": "cards", "id": 1, "cards": [seat["hand"][0] for seat in seats]},
    ]
    return [json.loads(messages.encode(message)) for message in all_messages]


@pytest.mark.parametrize("config", [CONFIGS[0], CONFIGS[-1], SHORT, FOURTEEN_CARDS], ids=repr)
def test_every_message_fits_its_schema(config: GameConfig) -> None:
    schema = validator(config)
    for message in sent(config):
        schema.validate(message)
        assert b"\n" not in messages.encode(message)[:-1]


def test_the_schema_refuses_what_is_wrong() -> None:
    schema = validator(SHORT)
    hello, choose, ready, cards = sent(SHORT)
    seat = choose["seats"][0]
    for wrong in (
        {**hello, "num_players": 4},
        {**hello, "protocol": 2},
        {**ready, "views": ["picture"]},
        {**cards, "cards": [0]},
        {**cards, "cards": [61]},
        {**choose, "id": "1"},
        *({**choose, "seats": [{**seat, name: [["x"]]}]} for name in seat),
        *(
            {**choose, "seats": [{other: seat[other] for other in seat if other != name}]}
            for name in seat
            if name not in OPTIONAL_VIEWS
        ),
    ):
        assert not schema.is_valid(wrong), wrong


def test_hello_tells_where_the_parts_of_the_vector_are() -> None:
    about, layout = messages.hello(SHORT, 1)["observation"], layout_of(SHORT)
    arguments = stages(SHORT)
    vector = arguments.observation[2].tolist()
    views = layout.views(arguments.observation[2])
    start = 0
    for name, size in about["table_parts"]:
        assert vector[start : start + size] == views[name].ravel().tolist()
        start += size
    assert start == about["players"]
    for player in range(SHORT.num_players):
        for name, size in about["player_parts"]:
            assert vector[start : start + size] == views[name][player].ravel().tolist()
            start += size
        assert start == about["players"] + (player + 1) * about["block"]
    assert start == about["size"]


# Answers


def read_cards(line: bytes) -> messages.Answer:
    return messages.read_cards(line, 1, [[4, 9]])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        *(
            (line, "expected a JSON object on one")
            for line in (b"\xff{}", b"[" * 10**5, b"9" * 9999)
        ),
        (b"[1, 2]", "the answer is '[1, 2]'; expected a JSON object on one line"),
        (b'{"type": "card"}', "the answer has the type 'card'; expected \"cards\""),
        (b'{"type": "cards", "id": 2, "cards": [4]}', "has the id 2; expected 1"),
        (b'{"type": "cards", "id": true, "cards": [4]}', "has the id True; expected 1"),
        (b'{"type": "cards", "cards": [4]}', "the answer has the id None; expected 1"),
        (b'{"type": "cards", "id": 1, "cards": []}', "has 0 cards; expected a list of"),
        (b'{"type": "cards", "id": 1, "cards": 4}', "has the cards 4; expected a list"),
    ],
)
def test_a_wrong_answer_is_refused_with_what_was_expected(line: bytes, said: str) -> None:
    with pytest.raises(ProgramError) as refused:
        read_cards(line)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ('"type": "go"', "type 'go'; expected \"ready\""),
        ('"protocol": null', "protocol None; expected 1"),
        ('"protocol": 2', "protocol 2; expected 1"),
        ('"name": 5', "name 5; expected a text"),
        ('"views": "text"', "views 'text'; expected a list of some of text, observation"),
        ('"views": ["all"]', "views ['all']; expected a list of some of text, observation"),
        ('"views": [[]]', "views [[]]; expected a list of some of text, observation"),
    ],
)
def test_a_wrong_first_line_is_refused_with_what_was_expected(field: str, said: str) -> None:
    line = b'{"type": "ready", "protocol": 1, %s}' % field.encode()  # the last of two counts
    with pytest.raises(ProgramError) as refused:
        messages.read_ready(line)
    assert str(refused.value) == f"the answer to hello has the {said}"


@pytest.mark.parametrize("card", ["61", "0", "-1", "2.0", '"3"', "null", "true", "[4]"])
def test_an_illegal_card_is_a_problem_of_its_seat(card: str) -> None:
    line = f'{{"type": "cards", "id": 1, "cards": [4, {card}]}}'.encode()
    answer = messages.read_cards(line, 1, [[4, 9], [1, 2]])
    assert answer.cards == [4, 0] and [*answer.problems] == [1]
    assert answer.problems[1].endswith("for seat 1; expected an integer, a card of its hand: 1, 2")


lines = st.one_of(
    st.binary(max_size=200),
    st.from_regex(rb'\{"type":"(ready|cards)","(id|protocol)":1,"cards":\[[0-9,-]*\]?\}?\n?'),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner),
    ).map(lambda value: messages.encode({"type": "cards", "id": 1, "cards": value})),
)


@settings(max_examples=40)
@given(lines)
def test_any_line_is_an_answer_or_refused(line: bytes) -> None:
    for read in (messages.read_ready, read_cards):
        with suppress(ProgramError):
            read(line)
