"""Feature encoders: padded to a number of players, and of seats of a batch."""

import copy
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from mindup_agents.features import (
    ENCODERS,
    FeatureEncoder,
    SeatFeatures,
    feature_names,
    make_encoder,
)
from mindup_env import BatchEnv, GameConfig
from mindup_env.envs.random_bits import draw_random_bits
from mindup_env.observation import layout_of
from tests.agents.positions import ActArguments, filled, joined, stages, whole_games
from tests.envs.playing import SHORT, random_legal

ROWS = 53
MOST = 6
Rows = npt.NDArray[np.float32]
of_each = pytest.mark.parametrize("name", [*ENCODERS, "plain-1+forecast-1"])


def assert_same_rows(encoders: Sequence[FeatureEncoder], asked: ActArguments) -> None:
    first, *others = (filled(encoder, asked).tobytes() for encoder in encoders)
    assert all(other == first for other in others)


# Of a batch


def turns_of(config: GameConfig, num_rows: int) -> Iterator[ActArguments]:
    """Rows of two groups of games, mixed: the second begins while the first is being played."""
    num_games = num_rows // (2 * config.num_players) + 1
    groups = [whole_games(config, num_games, seed) for seed in (1, 2)]
    order = np.random.default_rng(num_rows).permutation(2 * len(groups[0][0].random_bits))
    for turn in range(2 * config.num_turns):
        both = (group[(turn + 2 * late) % config.num_turns] for late, group in enumerate(groups))
        yield joined(both).pick(order[:num_rows])


@of_each
def test_an_error_names_the_row_of_the_batch_and_leaves_the_memory(name: str) -> None:
    encoder, unbroken = make_encoder(name, SHORT), make_encoder(name, SHORT)
    for turn, asked in enumerate(turns_of(SHORT, ROWS)):
        row = (0, ROWS // 2, ROWS - 1)[turn % 3]
        observation = asked.observation.copy()
        layout_of(SHORT).views(observation[row])["turn"][...] = 100
        with pytest.raises(ValueError, match=f"^row {row} of observation: .*`turn`"):
            filled(encoder, asked._replace(observation=observation))
        assert_same_rows([encoder, unbroken], asked)


@pytest.mark.parametrize("name", ["plain-1", "raw-1"])
def test_a_mask_with_other_cards_is_refused_by_its_row(name: str) -> None:
    asked, encoder = next(turns_of(SHORT, ROWS)), make_encoder(name, SHORT)
    masks = asked.action_mask.copy()
    masks[ROWS - 2] = 1
    with pytest.raises(ValueError, match=rf"^row {ROWS - 2} of action_mask .* `hand` .*, not \["):
        filled(encoder, asked._replace(action_mask=masks))


def test_arguments_are_checked_for_the_whole_batch() -> None:
    asked, encoder = next(turns_of(SHORT, ROWS)), make_encoder("plain-1", SHORT)
    with pytest.raises(ValueError, match=f"random_bits of {ROWS} rows must be uint64"):
        filled(encoder, asked._replace(random_bits=asked.random_bits.astype(np.int64)))
    with pytest.raises(ValueError, match=r"observation of 1 rows must be int8 of shape \(1, \d+\)"):
        filled(encoder, asked._replace(observation=asked.observation[0]))
    with pytest.raises(ValueError, match=rf"out must be float32 of shape \({ROWS}, "):
        encoder.fill(*asked, np.zeros((ROWS - 1, encoder.shape.size), np.float32))
    with pytest.raises(ValueError, match="pad_to_players must be 4 to 6, not 3"):
        make_encoder("plain-1", GameConfig(4), pad_to_players=3)
    for name in ("plain", "plain-1+", "plain-1+plain-1"):
        with pytest.raises(ValueError, match=f"unknown features {re.escape(repr(name))}; avail"):
            make_encoder(name, SHORT)


@pytest.mark.parametrize("padding", [None, 4])
def test_combined_features_are_those_of_the_parts_side_by_side(padding: int | None) -> None:
    parts = [make_encoder(name, SHORT, padding) for name in ("raw-1", "forecast-1")]
    both = make_encoder("raw-1+forecast-1", SHORT, padding)
    seats = 0 if padding is None else padding  # the last features of the table, once
    for asked in turns_of(SHORT, 40):
        tables, slots, hands = zip(
            *(each.shape.split(filled(each, asked)) for each in parts), strict=True
        )
        table, of_slots, hand = both.shape.split(filled(both, asked))
        unpadded = [each[:, : each.shape[1] - seats] for each in tables]
        ends = [each[:, each.shape[1] - seats :] for each in tables]
        np.testing.assert_array_equal(table, np.concatenate([*unpadded, ends[0]], axis=1))
        np.testing.assert_array_equal(of_slots, np.concatenate(slots, axis=2))
        np.testing.assert_array_equal(hand, hands[0])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
@of_each
def test_a_copy_has_the_memory_and_goes_on_alone(
    name: str, copied: Callable[[FeatureEncoder], FeatureEncoder]
) -> None:
    encoder = make_encoder(name, SHORT)
    twins: list[FeatureEncoder] = []
    for turn, asked in enumerate(turns_of(SHORT, ROWS)):
        if turn == 3:
            filled(copied(encoder), asked)
            twins = [copied(encoder)]
        assert_same_rows([encoder, *twins], asked)


# Padded


def by_name(names: tuple[str, ...], features: Rows) -> dict[str, Rows]:
    """The features (..., features) of each name."""
    return {name: features[..., [each == name for each in names]] for name in names}


@of_each
@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_features_of_each_name_are_those_without_padding(name: str, players: int) -> None:
    config = GameConfig(players, 2)
    asked = stages(config)
    encoder, padded = make_encoder(name, config), make_encoder(name, config, pad_to_players=MOST)
    assert padded.name == name and padded.shape.slots == encoder.shape.slots
    names, padded_names = feature_names(encoder), feature_names(padded)
    *parts, hand = encoder.shape.split(filled(encoder, asked))
    *padded_parts, padded_hand = padded.shape.split(filled(padded, asked))
    assert np.array_equal(hand, padded_hand)
    found = by_name(padded_names.table, padded_parts[0])
    seats = found.pop("table: seats")
    assert (seats == [1] * players + [0] * (MOST - players)).all()
    by_names = [(by_name(names.table, parts[0]), found)]
    by_names += [(by_name(names.card, parts[1]), by_name(padded_names.card, padded_parts[1]))]
    for expected, others in by_names:
        assert expected.keys() == others.keys()
        for each, features in expected.items():
            if each == "prizes: points for each opponent":
                shape = *features.shape[:-1], players, players - 1
                square = others[each].reshape(*features.shape[:-1], MOST, MOST - 1)
                assert np.array_equal(square[..., :players, : players - 1], features.reshape(shape))
                square[..., :players, : players - 1] = 0
                assert not square.any()
            else:
                assert np.array_equal(others[each][..., : features.shape[-1]], features), each
                assert not others[each][..., features.shape[-1] :].any()


@of_each
def test_all_tables_have_rows_of_one_shape(name: str) -> None:
    made = [make_encoder(name, GameConfig(players), pad_to_players=MOST) for players in range(2, 7)]
    assert len({(encoder.shape, feature_names(encoder)) for encoder in made}) == 1


@pytest.mark.parametrize("name", ["plain-1", "forecast-1"])
def test_the_features_of_a_padded_environment_are_padded(name: str) -> None:
    config = GameConfig(3, num_rounds=1)
    env, present = BatchEnv(config, 4, pad_to_players=MOST), BatchEnv(config, 4)
    for each in (env, present):
        each.reset(seed=1)
    features, encoder = SeatFeatures(env, name), make_encoder(name, config, pad_to_players=MOST)
    assert features.shape == encoder.shape
    inputs = SeatFeatures(present, name)._inputs
    chance = np.random.default_rng(1)
    for _ in range(config.num_turns):
        expected = filled(encoder, ActArguments(*inputs.read()))
        assert np.array_equal(features.read().reshape(12, -1), expected)
        actions = random_legal(env.seen, chance)
        env.step(actions)
        present.step(actions)


@of_each
def test_rows_do_not_depend_on_each_other(name: str) -> None:
    together, apart = (make_encoder(name, GameConfig(3, 2)) for _ in range(2))
    for asked in whole_games(GameConfig(3, 2), 2):
        order = np.arange(len(asked.random_bits))[::-1]
        assert np.array_equal(filled(together, asked)[order], filled(apart, asked.pick(order)))


# Seats of a batch

GAMES, SEATS = 3, [2, 0]


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
        assert np.array_equal(features.read(), expected.reshape(GAMES, len(SEATS), -1))
        env.step(random_legal(env.seen, chance))
    assert SeatFeatures(env, name, []).read().shape[:2] == (GAMES, 0)


def test_a_second_call_in_a_turn_changes_no_memory() -> None:
    env, chance = batch(), np.random.default_rng(1)
    once, twice = SeatFeatures(env, "forecast-1"), SeatFeatures(env, "forecast-1")
    for _ in range(2 * SHORT.num_turns):
        twice.read()
        assert np.array_equal(once.read(), twice.read())
        other = env.get_state(range(GAMES))
        env.step(random_legal(env.seen, chance))
    env.set_state(range(GAMES), other)
    before = once.read().copy()
    env.step(random_legal(env.seen, chance))
    env.set_state([0], env.get_state([1]))
    assert not np.array_equal(once.read(), before), "of other positions"


def test_slots_are_turned_into_actions() -> None:
    env, chance = batch(), np.random.default_rng(1)
    features = SeatFeatures(env, "plain-1")
    features.read()
    empty = features.to_actions(np.full((GAMES, 3), 3))
    assert (empty == -1).all(), "first hands have 3 cards"
    for _ in range(SHORT.num_turns):
        rows, slots = features.read(), chance.integers(0, 2, (GAMES, 3))
        parts = features.shape.split(rows)
        tensors = features.shape.split(torch.from_numpy(rows))
        for part, tensor in zip(parts, tensors, strict=True):
            assert np.array_equal(part, tensor.numpy())
        joined = [part.reshape(GAMES, 3, -1) for part in parts]
        assert np.array_equal(np.concatenate(joined, axis=2), rows)
        actions = features.to_actions(slots)
        for game in range(GAMES):
            for seat in range(3):
                legal = np.flatnonzero(env.seen["action_mask"][game, seat])
                assert parts[2][game, seat, : len(legal)].tolist() == legal.tolist()
                assert actions[game, seat] == legal[slots[game, seat]]
        env.step(actions)


@pytest.mark.parametrize(
    ("slots", "said"),
    [
        (np.zeros((GAMES, 2)), "slots must be integers of shape (3, 2)"),
        ([[0]] * GAMES, "slots must be integers of shape (3, 2)"),
        (np.full((GAMES, 2), -1), "a slot must be 0 to 3, not -1"),
        (np.full((GAMES, 2), 4), "a slot must be 0 to 3, not 4"),
    ],
)
def test_other_slots_are_refused(slots: Any, said: str) -> None:
    features = SeatFeatures(batch(), "plain-1", SEATS)
    with pytest.raises(ValueError, match=re.escape(said)):
        features.to_actions(slots)
