"""Uniformly random legal play in the bare engine, on one core."""

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from mindup_env.bench import benchmark
from mindup_env.bench.benchmark import Benchmark, BenchSettings, Measurement, measure_all
from mindup_env.config import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.settings.declaration import settings


@settings
class EngineBench(BenchSettings):
    """The settings of ``mindup bench engine``."""

    players: tuple[int, ...] = (3, 4, 5, 6)


def configure(parser: argparse.ArgumentParser) -> None:
    names = "players", "num_envs", "seconds", "json"
    benchmark.configure(parser, EngineBench, measure, names)


def measure(chosen: EngineBench) -> Iterator[Measurement]:
    sizes = product(chosen.players, chosen.num_envs)
    return measure_all((random_play(*size) for size in sizes), chosen.seconds)


def random_play(num_players: int, num_games: int) -> Benchmark:
    batch = Batch(GameConfig(num_players=num_players), num_games)
    keys = make_keys(0, num_games)
    cards = np.zeros((num_games, num_players), np.int8)
    kernels.deal_all(batch.arrays, keys)
    turn = partial(kernels.play_at_random, batch.arrays, keys, cards)
    decisions = num_games * num_players
    return Benchmark("engine", num_players, num_games, turn, decisions, observations=False)
