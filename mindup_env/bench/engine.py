"""Uniformly random legal play in the bare engine, on one core.

Example: mindup bench engine --players 4
"""

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from mindup_env.bench.measuring import BenchSettings, Measurement, add_benchmark, measured
from mindup_env.config import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.settings.declaration import settings


@settings
class EngineBench(BenchSettings):
    """The settings of ``mindup bench engine``."""

    players: tuple[int, ...] = (3, 4, 5, 6)


def configure(parser: argparse.ArgumentParser) -> None:
    add_benchmark(parser, EngineBench, measure)


def measure(chosen: EngineBench) -> Iterator[Measurement]:
    for players, games in product(chosen.players, chosen.num_envs):
        yield measure_one(players, games, chosen.seconds)


def measure_one(players: int, games: int, seconds: float) -> Measurement:
    batch = Batch(GameConfig(num_players=players), games)
    keys, cards = make_keys(0, games), np.zeros((games, players), np.int8)
    kernels.deal_all(batch.arrays, keys)
    turn = partial(kernels.play_at_random, batch.arrays, keys, cards)
    size = "engine", players, games
    return measured(turn, games * players, seconds, *size, observations=False)
