"""Features of different tables in the same places, with zeros for players that are not there."""

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.features import ENCODERS, SeatFeatures, feature_names, make_encoder
from mindup_agents.features.base import FeatureEncoder
from mindup_env import BatchEnv, GameConfig
from tests.agents.positions import ActArguments, stages
from tests.envs.playing import random_legal

Rows = npt.NDArray[np.float32]
MOST = 6
encoders = pytest.mark.parametrize("name", ENCODERS)


def encoded(encoder: FeatureEncoder, asked: ActArguments) -> Rows:
    rows = np.full((len(asked.random_bits), encoder.shape.size), np.nan, np.float32)
    encoder.fill(*asked, rows)
    return rows


def by_name(names: tuple[str, ...], features: Rows) -> dict[str, Rows]:
    """The features (..., features) of each name."""
    return {name: features[..., [each == name for each in names]] for name in names}


@encoders
@pytest.mark.parametrize("players", range(2, 7))
def test_the_features_of_each_name_are_those_without_padding(name: str, players: int) -> None:
    config = GameConfig(players, 2)
    asked = stages(config)
    encoder, padded = make_encoder(name, config), make_encoder(name, config, pad_to_players=MOST)
    assert padded.name == name and padded.shape.slots == encoder.shape.slots
    names, padded_names = feature_names(encoder), feature_names(padded)
    rows, padded_rows = encoded(encoder, asked), encoded(padded, asked)
    *parts, hand = encoder.shape.split(rows)
    *padded_parts, padded_hand = padded.shape.split(padded_rows)
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


@encoders
def test_all_tables_have_rows_of_one_shape(name: str) -> None:
    made = [make_encoder(name, GameConfig(players), pad_to_players=MOST) for players in range(2, 7)]
    assert len({encoder.shape for encoder in made}) == 1
    assert len({feature_names(encoder) for encoder in made}) == 1


@encoders
def test_threads_pad_too(name: str) -> None:
    config = GameConfig(3, 1)
    asked = stages(config).repeat(100)
    one, two = (make_encoder(name, config, threads, pad_to_players=5) for threads in (1, 2))
    assert np.array_equal(encoded(one, asked), encoded(two, asked))


def test_fewer_players_than_play_are_refused() -> None:
    with pytest.raises(ValueError, match="pad_to_players must be 4 to 6, not 3"):
        make_encoder("plain-1", GameConfig(4), pad_to_players=3)


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
        expected = encoded(encoder, ActArguments(*inputs.read()))
        assert np.array_equal(features.read().reshape(12, -1), expected)
        actions = random_legal(env.seen, chance)
        env.step(actions)
        present.step(actions)
