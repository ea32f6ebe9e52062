"""Environments on a device such as a GPU: bare, and with observations and masks."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.devices import find_device
from mindup_env.bench.benchmark import Benchmark
from mindup_env.config import GameConfig

NUM_ENVS = 4096, 65536, 262144
"""How many games are played at once by default: a device is only busy with many."""


def describe(device: str) -> str:
    """The device, in a line.

    Raises:
        ValueError: if it cannot be used here.
    """
    found = find_device(device)
    if problem := found.find_problem():
        raise ValueError(f"the device {device!r} cannot be used: {problem}")
    return found.describe()


def benchmarks(
    device: str, players: tuple[int, ...], sizes: tuple[int, ...]
) -> Iterator[Benchmark]:
    """Uniformly random legal play, whole games in each measured call."""
    for num_players, num_games in product(players, sizes):
        config = GameConfig(num_players=num_players)
        env = make_env(device, config, num_games)

        def bare_game(env: Any = env, turns: int = config.num_turns) -> None:
            for _ in range(turns):
                env.play_without_observations()
            env.synchronize()

        def observed_game(env: Any = env, turns: int = config.num_turns) -> None:
            for _ in range(turns):
                env.step(env.random_actions())
            env.synchronize()

        size, decisions = (num_players, num_games), num_games * num_players * config.num_turns
        yield Benchmark(f"{device} engine", *size, bare_game, decisions, observations=False)
        yield Benchmark(f"{device} BatchEnv", *size, observed_game, decisions)
        print(f"{env.bytes_per_game:,.0f} bytes of device memory for each game")
        del env, bare_game, observed_game  # the memory is free before the next one is made


def make_env(device: str, config: GameConfig, num_games: int) -> Any:
    try:
        env = BatchEnv(config, num_games, device=device)
    except MemoryError as error:
        raise ValueError(str(error)) from error
    env.reset(seed=0)
    return env
