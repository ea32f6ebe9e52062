"""What policy networks read, compared with games asked one by one and with observations."""

from typing import Any

import numpy as np
import pytest

from mindup_agents.features import ENCODERS, FeatureShape, make_encoder
from mindup_agents.features.base import Float32Array
from mindup_agents.features.position import position_shape, write_position
from mindup_agents.features.workspace import FeatureArrays, feature_workspace, make_feature_arrays
from mindup_agents.heuristics.card_values import update_column_values
from mindup_agents.heuristics.observed_games import (
    known_games,
    make_known_cards,
    update_known_cards,
)
from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.cards import COLOURS, card_of
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import make_rules
from mindup_env.observation import layout_of
from tests.agents.positions import all_seats, filled, joined, stages, whole_games
from tests.envs.playing import SHORT, games_of, random_legal

SMALL = GameConfig(2, num_rounds=2, hand_size=3, num_cards=20)
CONFIGS = [GameConfig(4), SHORT, SMALL, GameConfig(6, 2)]
in_all_games = pytest.mark.parametrize("config", CONFIGS, ids=str)
Row = np.ndarray[tuple[int], np.dtype[np.float32]]


@in_all_games
def test_each_card_is_described_as_the_game_has_it(config: GameConfig) -> None:
    env, chance = BatchEnv(config, 8), np.random.default_rng(5)
    env.reset(seed=5)
    encoder = make_encoder("plain-1", config)
    for _ in range(config.num_turns):
        rows = filled(encoder, all_seats(env)).reshape(env.num_envs, config.num_players, -1)
        for game, seats in zip(games_of(env), rows, strict=True):
            for seat, row in enumerate(seats):
                check_row(game, seat, row, encoder.shape)
        env.step(random_legal(env.seen, chance))


def check_row(game: Game, seat: int, row: Row, shape: FeatureShape) -> None:
    hand = game.hand(seat)
    _, cards, slots = shape.split(row)
    expected = np.array([describe(game, seat, card) for card in hand], np.float32)
    np.testing.assert_allclose(cards[: len(hand)], expected, atol=1e-6)
    assert not cards[len(hand) :].any()
    empty = [-1] * (shape.slots - len(hand))
    assert slots.tolist() == [card - 1 for card in hand] + empty


def describe(game: Game, seat: int, number: int) -> list[float]:
    config, card = game.config, card_of(number)
    columns = [[card_of(each).colour for each in column] for column in game.tableau(seat)]
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


@in_all_games
def test_the_table_is_the_observation_on_a_scale_of_one(config: GameConfig) -> None:
    """Raw features are the same table, and which card is where."""
    plain, raw = (make_encoder(name, config) for name in ("plain-1", "raw-1"))
    asked, layout = joined(whole_games(config, 10)), layout_of(config)
    table, _, hand = plain.shape.split(filled(plain, asked))
    assert table.shape[1] == layout.size and np.abs(table).max() == 1
    largest = np.maximum(np.abs(layout.low.astype(float)), layout.high)
    np.testing.assert_allclose(table * largest, asked.observation, atol=1e-4)
    raw_table, slots, raw_hand = raw.shape.split(filled(raw, asked))
    assert np.array_equal(raw_table, table) and np.array_equal(raw_hand, hand)
    chosen = slots.reshape(-1, config.num_cards)
    held = np.flatnonzero(hand.ravel() >= 0)
    assert np.array_equal(chosen[held].argmax(axis=1), hand.ravel()[held])
    assert np.array_equal(chosen.sum(axis=1), hand.ravel() >= 0)


@pytest.mark.parametrize("name", ENCODERS)
@in_all_games
def test_all_inputs_have_the_form_that_networks_need(name: str, config: GameConfig) -> None:
    features, asked = make_encoder(name, config), stages(config)
    rows = filled(features, asked)
    assert features.name == name and features.shape.slots == config.largest_hand
    assert np.abs(rows[:, : features.shape.hand_begins]).max() < 10
    for row, mask in zip(rows[:, features.shape.hand_begins :], asked.action_mask, strict=True):
        hand = np.flatnonzero(mask)
        assert row.tolist() == [*hand, *[-1] * (features.shape.slots - len(hand))]


# Position-1, which compiled code writes for any seat of any game in memory


@kernel
def write_positions(
    arrays: tuple[tuple[Any, ...], ...], workspace_: FeatureArrays, out: Float32Array
) -> None:
    """Fills ``out`` (N, num_players, size) for games with complete hands."""
    known, workspace = known_games(*arrays), feature_workspace(workspace_)
    for g in range(len(out)):
        update_known_cards(known, g)
        update_column_values(known.rules, known.games, g, workspace.formulas)
        for seat in range(known.rules.num_players):
            write_position(known, g, seat, workspace, out[g, seat])


def positions(env: BatchEnv) -> Float32Array:
    """The features (N, num_players, size) of all seats, from the games themselves."""
    config = env.config
    games = tuple(array.copy() for array in env.get_state(range(env.num_envs)).games)
    known = tuple(make_known_cards(config, env.num_envs))
    out = np.zeros((env.num_envs, config.num_players, position_shape(config).size), np.float32)
    no_models = np.zeros((env.num_envs, config.num_players, 0))
    workspace = make_feature_arrays(config, no_models)
    write_positions((tuple(make_rules(config)), games, known), workspace, out)
    return out


@in_all_games
def test_a_game_and_an_observation_of_it_have_the_same_features(config: GameConfig) -> None:
    """So the features of a seat contain nothing that the seat does not know."""
    env, chance = BatchEnv(config, 6), np.random.default_rng(3)
    env.reset(seed=3)
    encoder = make_encoder("position-1", config)
    for _ in range(config.num_turns):
        seen = filled(encoder, all_seats(env))
        np.testing.assert_array_equal(positions(env).reshape(seen.shape), seen)
        env.step(random_legal(env.seen, chance))


def test_the_win_probabilities_follow_the_scores() -> None:
    config, chance = GameConfig(), np.random.default_rng(4)
    env = BatchEnv(config, 200, autoreset=False)
    env.reset(seed=4)
    for _ in range(config.num_turns - 1):
        env.step(random_legal(env.seen, chance))
    expected = filled(make_encoder("position-1", config), all_seats(env))[:, : config.num_players]
    np.testing.assert_allclose(expected.sum(axis=1), 1, rtol=1e-6)
    *_, info = env.step(random_legal(env.seen, chance))
    winners = info["ranks"].ravel() == 0
    assert expected[winners, 0].mean() > 0.5
    assert expected[~winners, 0].mean() < 1 / config.num_players
