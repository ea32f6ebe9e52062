"""The command-line options and the report that the benchmarks share."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from mindup_env.bench.measurement import HEADER, Measurement, line, write_json
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_env.settings.checks import check_int
from mindup_env.threads.pool import check_num_threads

_MAX_ENVS = 2**20  # observations of that many games fill gigabytes


def add_options(
    parser: argparse.ArgumentParser, players: list[int], num_envs: list[int] | None
) -> None:
    parser.add_argument(
        "--players",
        type=int,
        nargs="+",
        default=players,
        metavar="P",
        help="players per game",
    )
    parser.add_argument(
        "--num-envs",
        type=int,
        nargs="+",
        default=num_envs,
        metavar="N",
        help="games at once",
    )
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="time for each measurement (default %(default)s)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to FILE")


def add_thread_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threads",
        nargs="+",
        default=["1"],
        metavar="T",
        help="numbers of threads to measure with; 'all' is one per core (default 1)",
    )


def thread_counts(arguments: argparse.Namespace) -> list[int]:
    """The numbers of threads, each once."""
    counts = [
        check_num_threads(int(text) if text.isdecimal() else text, "--threads")
        for text in arguments.threads
    ]
    return list(dict.fromkeys(counts))


def _check_options(arguments: argparse.Namespace) -> None:
    for players in arguments.players:
        check_int("--players", players, MIN_PLAYERS, MAX_PLAYERS)
    for num_envs in arguments.num_envs:
        check_int("--num-envs", num_envs, 1, _MAX_ENVS)


def report(measured: Iterable[Measurement], arguments: argparse.Namespace) -> int:
    """Prints each measurement as soon as it is made; returns the exit status."""
    _check_options(arguments)
    print(HEADER)
    rows = []
    for row in measured:
        print(line(row), flush=True)
        rows.append(row)
    if arguments.json:
        write_json(arguments.json, rows)
    return 0
