"""Random legal play in the bare engine, on one core."""

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from mindup_env.bench.rows import HEADER, Row, calls_per_second, line, write_json
from mindup_env.config import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, nargs="+", default=[3, 4, 5, 6], metavar="P")
    parser.add_argument("--num-envs", type=int, nargs="+", default=[1, 64, 1024, 8192], metavar="N")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each row")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rows there too")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    print(HEADER)
    rows = []
    for row in measure(arguments.players, arguments.num_envs, arguments.seconds):
        print(line(row), flush=True)
        rows.append(row)
    if arguments.json:
        write_json(arguments.json, rows)
    return 0


def measure(players: list[int], sizes: list[int], seconds: float) -> Iterator[Row]:
    for num_players in players:
        for num_games in sizes:
            batch = Batch(GameConfig(num_players=num_players), num_games)
            keys = make_keys(0, num_games)
            cards = np.zeros((num_games, num_players), np.int8)
            kernels.deal_all(batch.table, keys)
            turn = partial(kernels.play_at_random, batch.table, keys, cards)
            turns_per_second = calls_per_second(turn, seconds)
            yield Row(
                bench="engine",
                players=num_players,
                num_envs=num_games,
                observations=False,
                decisions_per_second=turns_per_second * num_games * num_players,
                threads=1,
            )
