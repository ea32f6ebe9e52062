"""Observations for ``belief.sample``: sampled games show them byte for byte, or a refusal."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.batch_env import BatchState
from mindup_env.belief import sample
from mindup_env.observation import layout_of
from tests.game_origins import ORIGINS, play_randomly, through_json
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import ODD_VALUES
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


def observation(config: GameConfig, random: Generator) -> Any:
    game = ORIGINS[str(random.choice(list(ORIGINS)))](config, random)
    seat = int(random.integers(config.num_players))
    return BatchEnv(config).set_game(0, game)["observation"][0, seat].copy()


def damaged_observation(seen: Any, config: GameConfig, random: Generator) -> Any:
    """Entries changed, moved, swapped with others, or replaced by any number."""
    damaged = seen.copy()
    if random.random() < 0.3:
        return with_cards_swapped(damaged, config, random)
    for _ in range(random.integers(1, 4)):
        places = random.integers(0, len(seen), size=2)
        kind = random.integers(0, 4)
        if kind == 0:
            damaged[places[0]] = random.integers(-128, 128)
        elif kind == 1:
            damaged[places] = damaged[places[::-1]]
        elif kind == 2:
            marked = np.flatnonzero(damaged)
            if len(marked):
                damaged[random.choice(marked)] += random.choice([-1, 1])
        else:
            marked = random.choice(np.flatnonzero(damaged), size=2)
            damaged[marked] = 0
            damaged[(marked + random.choice([-1, 1])) % len(seen)] = 1
    return damaged


def with_cards_swapped(seen: Any, config: GameConfig, random: Generator) -> Any:
    """Two cards trade places wherever they are: their colours and scores may still fit."""
    pair = random.integers(0, config.num_cards, size=2)
    for part in layout_of(config).views(seen).values():
        if part.ndim and part.shape[-1] == config.num_cards:
            part[..., pair] = part[..., pair[::-1]]
    return seen


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
