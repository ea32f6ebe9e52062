"""Observations for ``belief.sample``: sampled games show them byte for byte, or a refusal."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.batch_env import BatchState
from mindup_env.belief import sample
from tests.game_origins import play_randomly, through_json
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import ODD_VALUES
from tests.hostile.observations import damaged_observation, observation
from tests.hostile.random_games import random_config
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile


def test_damaged_observations_are_refused_or_are_those_of_a_game(attempts: Attempts) -> None:
    for random in attempts:
        config = random_config(random)
        seen = observation(config, random)
        for _ in range(50):
            attempts.inputs += 1
            damaged = damaged_observation(seen, config, random)
            weights = any_weights(config, random) if random.random() < 0.2 else None
            call = partial(sample, damaged, config, 2, random, weights)
            state = result_or_refusal(call)
            if state is not None:
                check_sampled(state, config, damaged, random)


def test_odd_arguments_of_sample_are_refused(attempts: Attempts) -> None:
    for random in attempts:
        config = random_config(random)
        arguments: dict[str, Any] = {
            "observation": observation(config, random),
            "config": config,
            "n": 2,
            "rng": random,
            "weights": any_weights(config, random),
        }
        for _ in range(50):
            attempts.inputs += 1
            name = str(random.choice(list(arguments)))
            given = {**arguments, name: ODD_VALUES[random.integers(0, len(ODD_VALUES))]}
            if name == "n" and isinstance(given["n"], int) and given["n"] > 10**6:
                continue  # so many games do not fit into memory
            state = result_or_refusal(partial(sample, **given))
            if state is not None:
                check_sampled(state, config, arguments["observation"], random)


def any_weights(config: GameConfig, random: Generator) -> Any:
    weights = random.random((config.num_players - 1, config.num_cards))
    weights *= random.choice([1e-300, 1.0, 1e300], size=weights.shape)
    weights[random.random(weights.shape) < random.choice([0, 0.5, 0.9])] = 0
    if random.random() < 0.1:
        weights.flat[random.integers(weights.size)] = random.choice([np.nan, np.inf, -1])
    return weights


def check_sampled(state: BatchState, config: GameConfig, seen: Any, random: Generator) -> None:
    number = len(state.keys)
    env = BatchEnv(config, number, autoreset=False)
    shown = env.set_state(range(number), state)["observation"]
    for index in range(min(number, 3)):
        assert shown[index, 0].tobytes() == seen.tobytes()
        game = env.game(index)
        assert Game.replay(through_json(game.record())) == game
        played = play_randomly(game.copy(), config.num_turns, random)
        assert played.over and Game.replay(through_json(played.record())) == played
