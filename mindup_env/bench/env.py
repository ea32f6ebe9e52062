"""The environments, with observations and masks, in one thread or several, or on a device."""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import gymnasium

from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.devices import CPU, list_devices
from mindup_env.batch_env.game_threads import LEAST_GAMES
from mindup_env.bench import device
from mindup_env.bench.measurement import Measurement, calls_per_second
from mindup_env.bench.options import add_options, add_thread_option, report, thread_counts
from mindup_env.bench.others import OTHERS
from mindup_env.config import GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.random_play import choose_random_cards
from mindup_env.engine.state import Games, Rules
from mindup_env.mindup_v0 import parallel_env
from mindup_env.observation.wide_writes import copy_slice
from mindup_env.threads.pool import ThreadPool, split

_NUM_ENVS = [1, 64, 1024, 8192]


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, players=[4], num_envs=None)
    add_thread_option(parser)
    parser.add_argument(
        "--device",
        choices=list_devices(),
        default=CPU,
        help="where the games are played (default %(default)s)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.device != CPU:
        return run_on_device(arguments)
    arguments.num_envs = arguments.num_envs or _NUM_ENVS
    for other in OTHERS:
        if not other.installed:
            print(f"to compare with {other.install}")
    threads = thread_counts(arguments)
    measured = measure(arguments.players, arguments.num_envs, threads, arguments.seconds)
    return report(measured, arguments)


def run_on_device(arguments: argparse.Namespace) -> int:
    if arguments.threads != ["1"]:
        raise ValueError(f"--threads can only be combined with --device {CPU}")
    print(device.describe(arguments.device))
    arguments.num_envs = arguments.num_envs or device.NUM_ENVS
    measured = device.measure(
        arguments.device, arguments.players, arguments.num_envs, arguments.seconds
    )
    return report(measured, arguments)


class Benchmark(NamedTuple):
    """A function to call repeatedly, and the number of decisions in each call."""

    bench: str
    players: int
    num_envs: int
    threads: int
    call: Callable[[], object]
    decisions: int


def measure(
    players: list[int], sizes: list[int], threads: list[int], seconds: float
) -> Iterator[Measurement]:
    for benchmark in all_benchmarks(players, sizes, threads):
        yield Measurement(
            benchmark.bench,
            benchmark.players,
            benchmark.num_envs,
            observations=True,
            decisions_per_second=calls_per_second(benchmark.call, seconds) * benchmark.decisions,
            threads=benchmark.threads,
        )


def all_benchmarks(players: list[int], sizes: list[int], threads: list[int]) -> Iterator[Benchmark]:
    for seats, games, number in product(players, sizes, threads):
        size = seats, games, number
        yield Benchmark("BatchEnv", *size, batch_turn(*size), seats * games)
        yield Benchmark("copy", *size, copy_as_many_bytes(*size), seats * games)
        yield Benchmark("make_vec", *size, learner_turn(*size), games)
    for seats in players:
        decisions = seats * GameConfig(num_players=seats).num_turns
        yield Benchmark("parallel_env", seats, 1, 1, parallel_game(seats), decisions)
    for other in OTHERS:
        if other.installed:
            yield Benchmark(other.bench, other.players, 1, 1, *other.make())


def batch_turn(num_players: int, num_envs: int, num_threads: int) -> Callable[[], None]:
    """A turn of uniformly random legal play in every game."""
    env = BatchEnv(GameConfig(num_players=num_players), num_envs, num_threads=num_threads)
    env.reset(seed=0)

    def turn() -> None:
        env._threads.run(choose_at_random)
        env.step(env._actions)

    return turn


def copy_as_many_bytes(num_players: int, num_envs: int, num_threads: int) -> Callable[[], object]:
    """A lower bound: copies as many bytes as the observations and masks of an environment have."""
    env = BatchEnv(GameConfig(num_players=num_players), num_envs)
    seen, _ = env.reset(seed=0)
    flat = [array.reshape(-1) for array in seen.values()]
    pairs = tuple((array, array.copy()) for array in flat)
    parts = [
        partial(copy_all, 0, part.start, part.stop, (num_envs, pairs))
        for part in split(num_envs, num_threads, LEAST_GAMES)
    ]
    return partial(ThreadPool(num_threads).run, parts)


def learner_turn(num_players: int, num_envs: int, num_threads: int) -> Callable[[], None]:
    """A turn of a learner in every game, against random bots; it plays its lowest card."""
    env = gymnasium.make_vec(
        "MindUp-v0", num_envs=num_envs, num_players=num_players, num_threads=num_threads
    )
    last = [env.reset(seed=0)[0]]

    def turn() -> None:
        last[0] = env.step(last[0]["action_mask"].argmax(axis=1))[0]

    return turn


def parallel_game(num_players: int) -> Callable[[], None]:
    """A whole game through PettingZoo's parallel API; all play their lowest cards."""
    env = parallel_env(num_players=num_players)

    def game() -> None:
        seen, _ = env.reset()
        while env.agents:
            lowest = {agent: int(view["action_mask"].argmax()) for agent, view in seen.items()}
            seen, *_ = env.step(lowest)

    return game


@kernel
def choose_at_random(_command: int, first: int, last: int, arguments: tuple[Any, ...]) -> int:
    """Fills the actions with a random card of every hand in some games."""
    arrays, keys, actions, _weights, _results, _offsets, _seen, _final = arguments
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(first, last):
        choose_random_cards(rules, games, g, keys[g], actions[g])
    return 0


@kernel
def copy_all(_command: int, first: int, last: int, arguments: tuple[Any, ...]) -> int:
    """Copies those entries of arrays that belong to some games."""
    num_games, pairs = arguments
    for source, target in pairs:
        size = len(source) // num_games
        copy_slice(source[: last * size], first * size, last * size, target, first * size)
    return 0
