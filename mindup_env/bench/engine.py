"""Uniformly random legal play in the bare engine, on one core."""

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from mindup_env.bench import benchmark
from mindup_env.bench.benchmark import BenchSettings, Measurement
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
    for players, games in product(chosen.players, chosen.num_envs):
        speed = decisions_per_second(players, games, chosen.seconds)
        yield Measurement("engine", players, games, observations=False, decisions_per_second=speed)


def decisions_per_second(num_players: int, num_games: int, seconds: float) -> float:
    batch = Batch(GameConfig(num_players=num_players), num_games)
    keys, cards = make_keys(0, num_games), np.zeros((num_games, num_players), np.int8)
    kernels.deal_all(batch.arrays, keys)
    turn = partial(kernels.play_at_random, batch.arrays, keys, cards)
    return benchmark.calls_per_second(turn, seconds) * num_games * num_players
