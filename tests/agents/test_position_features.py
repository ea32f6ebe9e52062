"""The features position-1, which compiled code writes for any seat of any game in memory."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.features import make_encoder
from mindup_agents.features.base import Float32Array
from mindup_agents.features.position import position_shape, write_position
from mindup_agents.features.workspace import FeatureArrays, feature_workspace, make_feature_arrays
from mindup_agents.heuristics.card_values import update_column_values
from mindup_agents.heuristics.observed_games import (
    KnownCards,
    make_known_cards,
    update_known_cards,
)
from mindup_env import BatchEnv, GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Rules, make_rules
from tests.envs.playing import SHORT, random_legal

CONFIGS = [GameConfig(4), GameConfig(3, 2), SHORT]
NUM_GAMES = 6


@kernel
def write_positions(
    arrays: tuple[tuple[Any, ...], ...], workspace_: FeatureArrays, out: Float32Array
) -> None:
    """Fills ``out`` (N, num_players, size) for games with complete hands."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    workspace = feature_workspace(workspace_)
    for g in range(len(out)):
        update_known_cards(rules, games, known, g)
        update_column_values(rules, games, g, workspace.formulas)
        for seat in range(rules.num_players):
            write_position(rules, games, known, g, seat, workspace, out[g, seat])


def features_of_games(env: BatchEnv) -> Float32Array:
    """The features (N, num_players, size) of all seats, from the games themselves."""
    config = env.config
    games = tuple(array.copy() for array in env.get_state(range(env.num_envs)).games)
    known = tuple(make_known_cards(config, env.num_envs))
    no_models = np.zeros((env.num_envs, config.num_players, 0))
    out = np.zeros((env.num_envs, config.num_players, position_shape(config).size), np.float32)
    workspace = make_feature_arrays(config, no_models)
    write_positions((tuple(make_rules(config)), games, known), workspace, out)
    return out


def features_of_observations(env: BatchEnv) -> Float32Array:
    """The same (N, num_players, size), from what the seats see."""
    encoder = make_encoder("position-1", env.config)
    seats = env.num_envs * env.config.num_players
    rows = np.zeros((seats, encoder.shape.size), np.float32)
    encoder.fill(
        env.seen["observation"].reshape(seats, -1),
        env.seen["action_mask"].reshape(seats, -1),
        np.zeros(seats, np.bool_),
        np.zeros(seats, np.uint64),
        rows,
    )
    return rows.reshape(env.num_envs, env.config.num_players, -1)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_game_and_an_observation_of_it_have_the_same_features(config: GameConfig) -> None:
    """So the features of a seat contain nothing that the seat does not know."""
    env, chance = BatchEnv(config, NUM_GAMES), np.random.default_rng(3)
    env.reset(seed=3)
    for _ in range(config.num_turns):
        np.testing.assert_array_equal(features_of_games(env), features_of_observations(env))
        env.step(random_legal(env.seen, chance))


def win_probabilities(env: BatchEnv) -> npt.NDArray[np.float32]:
    """What each seat expects (N, num_players, num_players), itself first."""
    return features_of_observations(env)[..., : env.config.num_players]


def test_the_win_probabilities_follow_the_scores() -> None:
    config, chance = CONFIGS[0], np.random.default_rng(4)
    env = BatchEnv(config, 200, autoreset=False)
    env.reset(seed=4)
    for _ in range(config.num_turns - 1):
        env.step(random_legal(env.seen, chance))
    expected = win_probabilities(env)
    np.testing.assert_allclose(expected.sum(axis=2), 1, rtol=1e-6)
    *_, info = env.step(random_legal(env.seen, chance))
    winners = np.asarray(info["ranks"]).reshape(200, config.num_players) == 0
    own = expected[..., 0]
    assert own[winners].mean() > 0.5
    assert own[~winners].mean() < 1 / config.num_players
