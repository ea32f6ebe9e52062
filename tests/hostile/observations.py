"""Observations of games at any point, and damage to them."""

from typing import Any

import numpy as np
from numpy.random import Generator

from mindup_env import BatchEnv, GameConfig
from mindup_env.observation import layout_of
from tests.game_origins import ORIGINS


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
