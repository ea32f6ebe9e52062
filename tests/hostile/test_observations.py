"""``belief.sample`` refuses any bytes in words, or gives games that a seat sees as these bytes."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.belief import sample
from mindup_env.engine.batch import Batch
from mindup_env.observation import layout_of
from tests.envs.strategies import games, randoms
from tests.game_origins import play_randomly
from tests.hostile.strategies import attack, result_or_refusal

pytestmark = pytest.mark.slow

INPUTS = 10
"""Of each example, which takes time to make a game."""


@attack(300, game=games, random=randoms)
def test_what_is_sampled_has_the_observation(game: Game, random: Generator) -> None:
    """Damage to it may look like another game, which is then sampled."""
    intact = observation(game, random)
    for seen in (intact, *(damaged(intact, game.config, random) for _ in range(INPUTS))):
        state = result_or_refusal(partial(sample, seen, game.config, 2, random))
        assert state is not None or seen is not intact
        if state is not None:
            check_sampled(state, game.config, seen, random)


def observation(game: Game, random: Generator) -> Any:
    seat = int(random.integers(game.config.num_players))
    env = BatchEnv(game.config)
    env.reset(seed=0)
    return env.set_game(0, game)["observation"][0, seat].copy()


def damaged(seen: Any, config: GameConfig, random: Generator) -> Any:
    """Entries changed, moved, swapped with others, or replaced by any number."""
    damaged = seen.copy()
    if random.random() < 0.3:
        # Two cards trade places wherever they are: their colours and scores may still fit.
        pair = random.integers(0, config.num_cards, size=2)
        for part in layout_of(config).views(damaged).values():
            if part.ndim and part.shape[-1] == config.num_cards:
                part[..., pair] = part[..., pair[::-1]]
        return damaged
    for _ in range(random.integers(1, 4)):
        places = random.integers(0, len(seen), size=2)
        marked = random.choice(np.append(np.flatnonzero(damaged), places), size=2)
        kind = random.integers(0, 4)
        if kind == 0:
            damaged[places[0]] = random.integers(-128, 128)
        elif kind == 1:
            damaged[places] = damaged[places[::-1]]
        elif kind == 2:
            damaged[marked[0]] += random.choice([-1, 1])
        else:
            damaged[marked] = 0
            damaged[(marked + random.choice([-1, 1])) % len(seen)] = 1
    return damaged


def check_sampled(state: Batch, config: GameConfig, seen: Any, random: Generator) -> None:
    env = BatchEnv(config, len(state), autoreset=False)
    env.reset(seed=0)
    shown = env.set_state(range(env.num_envs), state)["observation"]
    for index in range(env.num_envs):
        assert shown[index, 0].tobytes() == seen.tobytes()
        played = play_randomly(env.game(index), config.num_turns, random)
        assert played.over and str(played)
