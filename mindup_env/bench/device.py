"""Environments on a device such as a GPU: bare, and with observations and masks."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol, cast

from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.devices import find_device
from mindup_env.bench.measurement import Measurement, calls_per_second
from mindup_env.config import GameConfig

NUM_ENVS = [4096, 65536, 262144]
"""How many games are played at once by default: a device is only busy with many."""


class DeviceEnv(Protocol):
    """What an environment on a device has besides the methods of ``BatchEnv``."""

    bytes_per_game: float

    def step(self, actions: Any) -> Any: ...

    def random_actions(self) -> Any:
        """A uniformly random legal action of every seat, on the device."""
        ...

    def play_without_observations(self) -> None:
        """A uniformly random turn of every game."""
        ...

    def synchronize(self) -> None:
        """Waits until the device has done all that was launched for it."""
        ...


def describe(device: str) -> str:
    """The device, in a line.

    Raises:
        ValueError: if it cannot be used here.
    """
    found = find_device(device)
    if problem := found.find_problem():
        raise ValueError(f"the device {device!r} cannot be used: {problem}")
    return found.describe()


def measure(
    device: str, players: list[int], sizes: list[int], seconds: float
) -> Iterator[Measurement]:
    """Uniformly random legal play, whole games in each measured call."""
    for num_players in players:
        config = GameConfig(num_players=num_players)
        for num_games in sizes:
            env = make_env(device, config, num_games)
            decisions = num_games * num_players * config.num_turns
            for bench, game, observations in (
                (f"{device} engine", bare_game(env, config), False),
                (f"{device} BatchEnv", observed_game(env, config), True),
            ):
                games_per_second = calls_per_second(game, seconds)
                yield Measurement(
                    bench, num_players, num_games, observations, games_per_second * decisions
                )
            print(f"{env.bytes_per_game:,.0f} bytes of device memory for each game")
            del env  # its memory is free before the next one is made


def make_env(device: str, config: GameConfig, num_games: int) -> DeviceEnv:
    try:
        env = BatchEnv(config, num_games, device=device)
    except MemoryError as error:
        raise ValueError(str(error)) from error
    env.reset(seed=0)
    return cast("DeviceEnv", env)


def bare_game(env: DeviceEnv, config: GameConfig) -> Callable[[], None]:
    def play() -> None:
        for _ in range(config.num_turns):
            env.play_without_observations()
        env.synchronize()

    return play


def observed_game(env: DeviceEnv, config: GameConfig) -> Callable[[], None]:
    def play() -> None:
        for _ in range(config.num_turns):
            env.step(env.random_actions())
        env.synchronize()

    return play
