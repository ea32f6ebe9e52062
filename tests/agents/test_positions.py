"""The features of the champion's networks: compiled code writes them for any seat of any game."""

import numpy as np
import pytest

from mindup_agents.champion.feature_shape import Float32Array
from mindup_agents.champion.position import position_shape, read_positions, write_position
from mindup_agents.heuristics.card_values import Workspace, make_workspace, value_columns
from mindup_agents.heuristics.observed_games import KnownGames, make_known_games, update_known_cards
from mindup_env import BatchEnv, GameConfig
from mindup_env.engine.compiler import kernel
from tests.agents.positions import all_seats, stages
from tests.envs.playing import SHORT, random_legal

SMALL = GameConfig(2, num_rounds=2, hand_size=3, num_cards=20)
in_all_games = pytest.mark.parametrize(
    "config", [GameConfig(4), SHORT, SMALL, GameConfig(6, 2)], ids=str
)


@in_all_games
def test_rows_have_the_form_that_networks_need(config: GameConfig) -> None:
    shape, asked = position_shape(config), stages(config)
    rows = read_positions(config, asked.observation)
    assert shape.slots == config.largest_hand
    assert np.abs(rows[:, : shape.hand_begins]).max() < 10
    for row, mask in zip(rows[:, shape.hand_begins :], asked.action_mask, strict=True):
        hand = np.flatnonzero(mask)
        assert row.tolist() == [*hand, *[-1] * (shape.slots - len(hand))]


@kernel
def write_positions(known: KnownGames, workspace: Workspace, out: Float32Array) -> None:
    """Fills ``out`` (N, num_players, size) for games with complete hands."""
    for g in range(len(out)):
        update_known_cards(known, g)
        columns = value_columns(known.rules, known.games, g, workspace.columns)
        for seat in range(known.rules.num_players):
            write_position(known, g, seat, columns, workspace, out[g, seat])


def positions(env: BatchEnv) -> Float32Array:
    """The features (N, num_players, size) of all seats, from the games themselves."""
    config = env.config
    games = env.get_state(range(env.num_envs)).games
    known = make_known_games(config, env.num_envs)._replace(games=games)
    out = np.zeros((env.num_envs, config.num_players, position_shape(config).size), np.float32)
    write_positions(known, make_workspace(config), out)
    return out


@in_all_games
def test_a_game_and_an_observation_of_it_have_the_same_features(config: GameConfig) -> None:
    """So the features of a seat contain nothing that the seat does not know."""
    env, chance = BatchEnv(config, 6), np.random.default_rng(3)
    env.reset(seed=3)
    for _ in range(config.num_turns):
        seen = read_positions(config, all_seats(env).observation)
        np.testing.assert_array_equal(positions(env).reshape(seen.shape), seen)
        env.step(random_legal(env.seen, chance))


def test_the_win_probabilities_follow_the_scores() -> None:
    config, chance = GameConfig(), np.random.default_rng(4)
    env = BatchEnv(config, 200, autoreset=False)
    env.reset(seed=4)
    for _ in range(config.num_turns - 1):
        env.step(random_legal(env.seen, chance))
    expected = read_positions(config, all_seats(env).observation)[:, : config.num_players]
    np.testing.assert_allclose(expected.sum(axis=1), 1, rtol=1e-6)
    *_, info = env.step(random_legal(env.seen, chance))
    winners = info["rank"].ravel() == 0
    assert expected[winners, 0].mean() > 0.5
    assert expected[~winners, 0].mean() < 1 / config.num_players
