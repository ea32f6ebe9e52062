"""What networks read: the observation, memory of the opponents, and positions of any seat."""

import copy
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mindup_agents.features import ENCODERS, SeatFeatures, make_encoder
from mindup_agents.features.base import Float32Array
from mindup_agents.features.memory import LEAST_PROBABILITY, MEMORY_MODELS, PRIOR_SHARE
from mindup_agents.features.position import position_shape, write_position
from mindup_agents.features.workspace import FeatureArrays, feature_workspace, make_feature_arrays
from mindup_agents.heuristics.card_values import update_column_values
from mindup_agents.heuristics.observed_games import (
    known_games,
    make_known_cards,
    update_known_cards,
)
from mindup_env import BatchEnv, GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import make_rules
from mindup_env.envs.random_bits import draw_random_bits
from mindup_env.observation import layout_of
from tests.agents.positions import ActArguments, all_seats, filled, joined, stages, whole_games
from tests.envs.playing import SHORT, random_legal

SMALL = GameConfig(2, num_rounds=2, hand_size=3, num_cards=20)
CONFIGS = [GameConfig(4), SHORT, SMALL, GameConfig(6, 2)]
ROWS = 53
in_all_games = pytest.mark.parametrize("config", CONFIGS, ids=str)
of_each = pytest.mark.parametrize("name", ENCODERS)


@of_each
@in_all_games
def test_rows_have_the_form_that_networks_need(name: str, config: GameConfig) -> None:
    features, asked = make_encoder(name, config), stages(config)
    rows = filled(features, asked)
    assert features.name == name and features.shape.slots == config.largest_hand
    assert np.abs(rows[:, : features.shape.hand_begins]).max() < 10
    for row, mask in zip(rows[:, features.shape.hand_begins :], asked.action_mask, strict=True):
        hand = np.flatnonzero(mask)
        assert row.tolist() == [*hand, *[-1] * (features.shape.slots - len(hand))]


def turns_of(config: GameConfig, num_rows: int) -> Iterator[ActArguments]:
    """Rows of two groups of games, mixed: the second begins while the first is being played."""
    num_games = num_rows // (2 * config.num_players) + 1
    groups = [whole_games(config, num_games, seed) for seed in (1, 2)]
    order = np.random.default_rng(num_rows).permutation(2 * len(groups[0][0].random_bits))
    for turn in range(2 * config.num_turns):
        both = (group[(turn + 2 * late) % config.num_turns] for late, group in enumerate(groups))
        yield joined(both).pick(order[:num_rows])


@of_each
def test_rows_do_not_depend_on_each_other_and_a_copy_goes_on_alone(name: str) -> None:
    encoder = make_encoder(name, SHORT)
    for turn, asked in enumerate(turns_of(SHORT, ROWS)):
        rows = filled(encoder, asked)
        order = np.arange(ROWS)[::-1]
        if turn == 0:
            reversed_ = make_encoder(name, SHORT)
        assert np.array_equal(filled(reversed_, asked.pick(order)), rows[order])
        if turn == 3:
            twin = copy.deepcopy(encoder)
        elif turn > 3:
            assert np.array_equal(filled(twin, asked), rows)


def test_arguments_are_checked() -> None:
    asked, encoder = next(turns_of(SHORT, ROWS)), make_encoder("raw-1", SHORT)
    with pytest.raises(ValueError, match=f"random_bits of {ROWS} rows must be uint64"):
        filled(encoder, asked._replace(random_bits=asked.random_bits.astype(np.int64)))
    with pytest.raises(ValueError, match=r"observation of 1 rows must be int8 of shape \(1, \d+\)"):
        filled(encoder, asked._replace(observation=asked.observation[0]))
    with pytest.raises(ValueError, match=rf"out must be float32 of shape \({ROWS}, "):
        encoder.fill(*asked, np.zeros((ROWS - 1, encoder.shape.size), np.float32))
    with pytest.raises(ValueError, match="unknown features 'raw'; available: raw-1, memory-1, pos"):
        make_encoder("raw", SHORT)
    masks = asked.action_mask.copy()
    masks[ROWS - 2] = 1
    with pytest.raises(ValueError, match=rf"^row {ROWS - 2} of action_mask .* `hand` .*, not \["):
        filled(encoder, asked._replace(action_mask=masks))


@in_all_games
def test_raw_features_are_the_observation_and_which_card_is_where(config: GameConfig) -> None:
    raw, asked, layout = (
        make_encoder("raw-1", config),
        joined(whole_games(config, 10)),
        layout_of(config),
    )
    table, slots, hand = raw.shape.split(filled(raw, asked))
    assert table.shape[1] == layout.size and np.abs(table).max() == 1
    largest = np.maximum(np.abs(layout.low.astype(float)), layout.high)
    np.testing.assert_allclose(table * largest, asked.observation, atol=1e-4)
    chosen = slots.reshape(-1, config.num_cards)
    held = np.flatnonzero(hand.ravel() >= 0)
    assert np.array_equal(chosen[held].argmax(axis=1), hand.ravel()[held])
    assert np.array_equal(chosen.sum(axis=1), hand.ravel() >= 0)


# Memory-1

OPPONENTS, GAMES = SHORT.num_players - 1, 2


def models_of(rows: Float32Array) -> Float32Array:
    """The probabilities (N, S, P - 1, models) at the end of the table of rows."""
    end, size = make_encoder("memory-1", SHORT).shape.table, OPPONENTS * MEMORY_MODELS
    return rows[..., end - size : end].reshape(*rows.shape[:2], OPPONENTS, -1).copy()


def test_models_follow_bayes_rule_with_the_cards_that_were_played() -> None:
    env, rng = BatchEnv(SHORT, GAMES), np.random.default_rng(0)
    env.reset(seed=3)
    features = SeatFeatures(env, "memory-1")
    raw = SeatFeatures(env, "raw-1")
    expected = np.full((GAMES, SHORT.num_players, OPPONENTS, MEMORY_MODELS), 1 / MEMORY_MODELS)
    for turn in range(2 * SHORT.num_turns):
        rows = features.read()
        np.testing.assert_allclose(models_of(rows), expected, rtol=1e-4)
        size = raw.shape.table
        np.testing.assert_array_equal(rows[..., :size], raw.read()[..., :size])
        if turn == SHORT.num_turns - 2:  # without predictions, the models stay as they are
            plays = np.ones((*expected.shape, SHORT.num_cards), np.float32)
        else:
            plays = rng.random((*expected.shape, SHORT.num_cards), np.float32)
        features.remember(plays.reshape(-1, *plays.shape[2:]))
        masks = env.seen["action_mask"]
        actions = np.where(masks > 0, rng.random(masks.shape), -1).argmax(axis=2)
        for game, seat, opponent in np.ndindex(expected.shape[:3]):
            card = actions[game, (seat + 1 + opponent) % SHORT.num_players]
            own = expected[game, seat, opponent]
            own *= plays[game, seat, opponent, :, card] + LEAST_PROBABILITY
            own[:] = (1 - PRIOR_SHARE) * own / own.sum() + PRIOR_SHARE / MEMORY_MODELS
        if (turn + 1) % SHORT.num_turns == 0:  # the next game has begun
            expected[:] = 1 / MEMORY_MODELS
        env.step(actions)


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
    write_positions((tuple(make_rules(config)), games, known), make_feature_arrays(config), out)
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


# Seats of a batch

SEATS = [2, 0]


def batch() -> BatchEnv:
    env = BatchEnv(SHORT, GAMES)
    env.reset(seed=4)
    return env


@of_each
def test_the_rows_of_seats_are_those_of_the_encoder(name: str) -> None:
    env, encoder, chance = batch(), make_encoder(name, SHORT), np.random.default_rng(1)
    features = SeatFeatures(env, name, SEATS)
    assert features.shape == encoder.shape and features.seats == SEATS
    rows = np.add.outer(3 * np.arange(GAMES), SEATS).ravel()
    bits = np.zeros(len(rows), np.uint64)
    for turn in range(2 * SHORT.num_turns):
        seen = [array[:, SEATS].reshape(len(rows), -1) for array in env.seen.values()]
        draw_random_bits(env.keys, rows, 3, turn % SHORT.num_turns, bits)
        starts = np.full(len(rows), turn % SHORT.num_turns == 0)
        expected = filled(encoder, ActArguments(seen[0], seen[1], starts, bits))
        for _ in range(2):  # a second call in a turn changes no memory
            assert np.array_equal(features.read(), expected.reshape(GAMES, len(SEATS), -1))
        env.step(random_legal(env.seen, chance))
    assert SeatFeatures(env, name, []).read().shape[:2] == (GAMES, 0)


def test_slots_are_turned_into_actions() -> None:
    env, chance = batch(), np.random.default_rng(1)
    features = SeatFeatures(env, "raw-1")
    features.read()
    empty = features.to_actions(np.full((GAMES, 3), 3))
    assert (empty == -1).all(), "first hands have 3 cards"
    for _ in range(SHORT.num_turns):
        _, _, hands = features.shape.split(features.read())
        slots = chance.integers(0, 2, (GAMES, 3))
        actions = features.to_actions(slots)
        for game, seat in np.ndindex(GAMES, 3):
            legal = np.flatnonzero(env.seen["action_mask"][game, seat])
            assert hands[game, seat, : len(legal)].tolist() == legal.tolist()
            assert actions[game, seat] == legal[slots[game, seat]]
        env.step(actions)


@pytest.mark.parametrize(
    ("slots", "said"),
    [
        (np.zeros((GAMES, 2)), f"slots must be integers of shape ({GAMES}, 2)"),
        ([[0]] * GAMES, f"slots must be integers of shape ({GAMES}, 2)"),
        (np.full((GAMES, 2), -1), "a slot must be 0 to 3, not -1"),
        (np.full((GAMES, 2), 4), "a slot must be 0 to 3, not 4"),
    ],
)
def test_other_slots_are_refused(slots: Any, said: str) -> None:
    features = SeatFeatures(batch(), "raw-1", SEATS)
    with pytest.raises(ValueError, match=re.escape(said)):
        features.to_actions(slots)
