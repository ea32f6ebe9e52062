"""The environments, with observations and masks, on the CPU or a GPU.

Example: mindup bench env
"""

import argparse
from collections.abc import Callable, Iterator
from itertools import product

import gymnasium

from mindup_env import cuda
from mindup_env.batch_env import BatchEnv
from mindup_env.bench.measuring import BenchSettings, Measurement, add_benchmark, measured
from mindup_env.config import GameConfig
from mindup_env.mindup_v0 import parallel_env
from mindup_env.settings.declaration import option, settings

_GAMES_ON_GPU = 4096, 65536, 262144
"""How many games are played at once by default: a GPU is only busy with many."""


@settings
class EnvBench(BenchSettings):
    """The settings of ``mindup bench env``; a GPU has its own default of ``num_envs``."""

    num_envs: tuple[int, ...] = ()
    device: str = option("where the games are played", default="cpu", choices=("cpu", "cuda"))


def configure(parser: argparse.ArgumentParser) -> None:
    add_benchmark(parser, EnvBench, measure)


def measure(chosen: EnvBench) -> Iterator[Measurement]:
    return measure_cpu(chosen) if chosen.device == "cpu" else measure_gpu(chosen)


# On the CPU


def measure_cpu(chosen: EnvBench) -> Iterator[Measurement]:
    sizes = chosen.num_envs or BenchSettings().num_envs
    for players, games in product(chosen.players, sizes):
        for bench, make, decisions in (
            ("BatchEnv", batch_turn, players * games),
            ("make_vec", learner_turn, games),
        ):
            yield measured(make(players, games), decisions, chosen.seconds, bench, players, games)
    for players in chosen.players:
        decisions = players * GameConfig(num_players=players).num_turns
        game = parallel_game(players)
        yield measured(game, decisions, chosen.seconds, "parallel_env", players, 1)


def batch_turn(num_players: int, num_envs: int) -> Callable[[], None]:
    """A turn of uniformly random legal play in every game."""
    env = BatchEnv(GameConfig(num_players=num_players), num_envs)
    env.reset(seed=0)

    def turn() -> None:
        env.step(env.random_actions())

    return turn


def learner_turn(num_players: int, num_envs: int) -> Callable[[], None]:
    """A turn of a learner in every game, against random bots; it plays its lowest card."""
    env = gymnasium.make_vec("MindUp-v0", num_envs=num_envs, num_players=num_players)
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


# On a GPU


def measure_gpu(chosen: EnvBench) -> Iterator[Measurement]:
    """Uniformly random legal play, bare and observed, whole games in each measured call."""
    if problem := cuda.find_problem():
        raise ValueError(f"a GPU cannot be used: {problem}")
    print(cuda.describe())
    for players, games in product(chosen.players, chosen.num_envs or _GAMES_ON_GPU):
        config = GameConfig(num_players=players)
        for bench, observed in (("cuda engine", False), ("cuda BatchEnv", True)):
            game = game_on_gpu(config, games, observed=observed)
            decisions, size = games * players * config.num_turns, (bench, players, games)
            yield measured(game, decisions, chosen.seconds, *size, observations=observed)


def game_on_gpu(config: GameConfig, num_envs: int, *, observed: bool) -> Callable[[], None]:
    """A whole game in every environment."""
    try:
        env = cuda.CudaBatchEnv(config, num_envs)
    except MemoryError as error:
        raise ValueError(str(error)) from error
    env.reset(seed=0)

    def game() -> None:
        for _ in range(config.num_turns):
            if observed:
                env.step(env.random_actions())
            else:
                env.play_without_observations()
        _ = env.keys  # waits for all that was launched

    return game
