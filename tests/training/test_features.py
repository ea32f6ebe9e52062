"""What policy networks read, compared with games asked one by one."""

import numpy as np
import pytest

from mindup_agents.features import ENCODERS, make_encoder
from mindup_agents.features.base import FeatureShape
from mindup_env import BatchEnv, Deck, Game, GameConfig
from mindup_env.cards import COLOURS, Card
from mindup_env.observation import layout_of
from tests.agents.positions import joined, stages, whole_games
from tests.envs.playing import SHORT, games_of, random_legal
from tests.rules.compiler_state import games as scaled_down

SMALL = GameConfig(
    2,
    num_rounds=2,
    hand_size=3,
    deck=Deck(tuple(Card(number, COLOURS[number % 5], number % 4 - 1) for number in range(1, 21))),
)
CONFIGS = [GameConfig(4), SHORT, SMALL, GameConfig(6, 2)]
Row = np.ndarray[tuple[int], np.dtype[np.float32]]


def plain(
    seen: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.int8]]], config: GameConfig
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    features = make_encoder("plain-1", config)
    observation, mask = (array.reshape(-1, array.shape[-1]) for array in seen.values())
    rows = np.full((len(mask), features.shape.size), np.nan, np.float32)
    features.fill(
        observation, mask, np.zeros(len(mask), np.bool_), np.zeros(len(mask), np.uint64), rows
    )
    return rows


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_each_card_is_described_as_the_game_has_it(config: GameConfig) -> None:
    env, chance = BatchEnv(config, scaled_down(20)), np.random.default_rng(5)
    env.reset(seed=5)
    shape = make_encoder("plain-1", config).shape
    for _ in range(config.num_turns):
        rows = plain(env.seen, config).reshape(env.num_envs, config.num_players, -1)
        for game, seats in zip(games_of(env), rows, strict=True):
            for seat, row in enumerate(seats):
                check_row(game, seat, row, shape)
        env.step(random_legal(env.seen, chance))


def check_row(game: Game, seat: int, row: Row, shape: FeatureShape) -> None:
    hand = game.hand(seat)
    cards = row[shape.cards_begin : shape.hand_begins].reshape(shape.slots, shape.card)
    expected = np.array([describe(game, seat, card) for card in hand], np.float32)
    np.testing.assert_allclose(cards[: len(hand)], expected, atol=1e-6)
    assert not cards[len(hand) :].any()
    empty = [-1] * (shape.slots - len(hand))
    assert row[shape.hand_begins :].tolist() == [card - 1 for card in hand] + empty


def describe(game: Game, seat: int, number: int) -> list[float]:
    config, card = game.config, game.config.deck[number]
    columns = [[config.deck[each].colour for each in column] for column in game.tableau(seat)]
    column = next(i for i, held in enumerate(columns) if not held or card.colour in held)
    mine = [i for i, held in enumerate(columns) if card.colour in held]
    worth = game.score_cards[mine[0] if mine else column] + card.points
    seen = {*game.hand(seat), *game.row}
    for player in range(config.num_players):
        seen |= {each for held in game.tableau(player) for each in held} | {*game.known(player)}
    unseen = [each for each in range(1, config.num_cards + 1) if each not in seen]
    lower = sum(each < number for each in unseen) / len(unseen) if unseen else 0
    colours = [float(card.colour == colour) for colour in COLOURS]
    known = float(number in game.known(seat))
    return [number / config.num_cards, *colours, card.points / 2, worth / 7, known, lower]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_table_is_the_observation_on_a_scale_of_one(config: GameConfig) -> None:
    asked = joined(whole_games(config, 10))
    rows = plain({"observation": asked.observation, "action_mask": asked.action_mask}, config)
    table = rows[:, : layout_of(config).size]
    largest = np.maximum(np.abs(layout_of(config).low.astype(float)), layout_of(config).high)
    np.testing.assert_allclose(table * largest, asked.observation, atol=1e-4)
    assert (
        np.abs(table).max() == 1 and make_encoder("plain-1", config).shape.table == table.shape[1]
    )


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_raw_features_are_the_table_of_plain_ones_and_which_card_is_where(
    config: GameConfig,
) -> None:
    encoder, asked = make_encoder("raw-1", config), stages(config)
    rows = np.full((len(asked.random_bits), encoder.shape.size), np.nan, np.float32)
    encoder.fill(*asked, rows)
    table, slots, hand = encoder.shape.split(rows)
    known = plain({"observation": asked.observation, "action_mask": asked.action_mask}, config)
    assert np.array_equal(table, known[:, : encoder.shape.table])
    held = np.flatnonzero(hand.ravel() >= 0)
    chosen = slots.reshape(-1, config.num_cards)
    assert np.array_equal(chosen[held].argmax(axis=1), hand.ravel()[held])
    assert np.array_equal(chosen.sum(axis=1), hand.ravel() >= 0)


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_all_inputs_have_the_form_that_networks_need(name: str, config: GameConfig) -> None:
    features, asked = make_encoder(name, config), stages(config)
    rows = np.full((len(asked.random_bits), features.shape.size), np.nan, np.float32)
    features.fill(*asked, rows)
    assert features.name == name and features.shape.slots == config.largest_hand
    assert np.abs(rows[:, : features.shape.hand_begins]).max() < 10
    for row, mask in zip(rows[:, features.shape.hand_begins :], asked.action_mask, strict=True):
        hand = np.flatnonzero(mask)
        assert row.tolist() == [*hand, *[-1] * (features.shape.slots - len(hand))]


def test_unknown_inputs_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown features 'plain'; available: plain-1"):
        make_encoder("plain", SHORT)
