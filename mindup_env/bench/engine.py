"""Uniformly random legal play in the bare engine, on one core."""

import argparse
from collections.abc import Iterator
from functools import partial

import numpy as np

from mindup_env.bench.measurement import Measurement, calls_per_second
from mindup_env.bench.options import add_options, report
from mindup_env.config import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, players=[3, 4, 5, 6], num_envs=[1, 64, 1024, 8192])
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    return report(measure(arguments.players, arguments.num_envs, arguments.seconds), arguments)


def measure(players: list[int], sizes: list[int], seconds: float) -> Iterator[Measurement]:
    for num_players in players:
        for num_games in sizes:
            batch = Batch(GameConfig(num_players=num_players), num_games)
            keys = make_keys(0, num_games)
            cards = np.zeros((num_games, num_players), np.int8)
            kernels.deal_all(batch.arrays, keys)
            turn = partial(kernels.play_at_random, batch.arrays, keys, cards)
            turns_per_second = calls_per_second(turn, seconds)
            yield Measurement(
                bench="engine",
                players=num_players,
                num_envs=num_games,
                observations=False,
                decisions_per_second=turns_per_second * num_games * num_players,
            )
