"""The environments, with observations and masks, in one thread or several, or on a device."""

import argparse
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any

import gymnasium

from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.devices import CPU, list_devices
from mindup_env.batch_env.game_threads import LEAST_GAMES
from mindup_env.bench import benchmark, device
from mindup_env.bench.benchmark import Benchmark, BenchSettings, Measurement, measure_all
from mindup_env.bench.others import OTHERS
from mindup_env.config import GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.random_play import choose_random_cards
from mindup_env.engine.state import Games, Rules
from mindup_env.mindup_v0 import parallel_env
from mindup_env.observation.wide_writes import copy_slice
from mindup_env.settings.declaration import option, settings
from mindup_env.threads.pool import ThreadPool, split


@settings
class EnvBench(BenchSettings):
    """The settings of ``mindup bench env``; the default of ``num_envs`` is that of the device."""

    num_envs: tuple[int, ...] = ()
    device: str = option("where the games are played", default=CPU, choices=tuple(list_devices()))


def configure(parser: argparse.ArgumentParser) -> None:
    benchmark.configure(parser, EnvBench, measure)


def measure(chosen: EnvBench) -> Iterator[Measurement]:
    if chosen.device != CPU:
        if chosen.thread_counts != [1]:
            raise ValueError(f"--threads can only be combined with --device {CPU}")
        print(device.describe(chosen.device))
        sizes = chosen.num_envs or device.NUM_ENVS
        found = device.benchmarks(chosen.device, chosen.players, sizes)
    else:
        for other in OTHERS:
            if not other.installed:
                print(f"to compare with {other.install}")
        sizes = chosen.num_envs or BenchSettings().num_envs
        found = all_benchmarks(chosen.players, sizes, chosen.thread_counts)
    yield from measure_all(found, chosen.seconds)


def all_benchmarks(
    players: Iterable[int], sizes: Iterable[int], threads: Iterable[int]
) -> Iterator[Benchmark]:
    for seats, games, number in product(players, sizes, threads):
        for bench, make, decisions in (
            ("BatchEnv", batch_turn, seats * games),
            ("copy", copy_as_many_bytes, seats * games),
            ("make_vec", learner_turn, games),
        ):
            yield Benchmark(bench, seats, games, make(seats, games, number), decisions, number)
    for seats in players:
        decisions = seats * GameConfig(num_players=seats).num_turns
        yield Benchmark("parallel_env", seats, 1, parallel_game(seats), decisions)
    for other in OTHERS:
        if other.installed:
            yield Benchmark(other.bench, other.players, 1, *other.make())


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
