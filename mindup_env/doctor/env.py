"""The environments, with observations and masks, in one thread or several, or on a device.

Example: mindup doctor speed env --threads 1 2
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import Any

import gymnasium
import pettingzoo

from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.devices import CPU, find_device, list_devices
from mindup_env.batch_env.game_threads import LEAST_GAMES
from mindup_env.config import GameConfig
from mindup_env.doctor import speed
from mindup_env.doctor.speed import BenchSettings, Measurement
from mindup_env.engine.compiler import kernel
from mindup_env.engine.dealing import choose_random_cards
from mindup_env.engine.state import Games, Rules
from mindup_env.mindup_v0 import parallel_env
from mindup_env.observation.wide_writes import copy_slice
from mindup_env.settings.declaration import option, settings
from mindup_env.threads.pool import ThreadPool, split

_GAMES_ON_DEVICE = 4096, 65536, 262144
"""How many games are played at once by default: a device is only busy with many."""


@settings
class EnvBench(BenchSettings):
    """The settings of ``mindup doctor speed env``; the device has its default of ``num_envs``."""

    num_envs: tuple[int, ...] = ()
    device: str = option("where the games are played", default=CPU, choices=tuple(list_devices()))


def configure(parser: argparse.ArgumentParser) -> None:
    speed.add_benchmark(parser, EnvBench, measure)


def measure(chosen: EnvBench) -> Iterator[Measurement]:
    if chosen.device == CPU:
        return measure_cpu(chosen)
    if chosen.thread_counts != [1]:
        raise ValueError(f"--threads can only be combined with --device {CPU}")
    return measure_device(chosen)


# On the CPU


def measure_cpu(chosen: EnvBench) -> Iterator[Measurement]:
    others = {name: other for name, other in OTHERS.items() if find_spec(other[0])}
    for name in OTHERS.keys() - others.keys():
        print(f"to compare with {OTHERS[name][1]}")
    measured, sizes = speed.measured, chosen.num_envs or BenchSettings().num_envs
    for players, games, threads in product(chosen.players, sizes, chosen.thread_counts):
        for bench, make, decisions in (
            ("BatchEnv", batch_turn, players * games),
            ("copy", copy_as_many_bytes, players * games),
            ("make_vec", learner_turn, games),
        ):
            size, call = (bench, players, games), make(players, games, threads)
            yield measured(call, decisions, chosen.seconds, *size, threads=threads)
    for players in chosen.players:
        decisions = players * GameConfig(num_players=players).num_turns
        game = parallel_game(players)
        yield measured(game, decisions, chosen.seconds, "parallel_env", players, 1)
    for name, (_, _, make_other) in others.items():
        players, call, decisions = make_other()
        yield measured(call, decisions, chosen.seconds, name, players, 1)


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


# Environments of other projects. Each plays its first legal actions.

Others = tuple[int, Callable[[], object], int]
"""Players, a function to call repeatedly, and the decisions in each call."""


def leduc_holdem() -> Others:
    """A card game of PettingZoo, decision by decision."""
    env = pettingzoo.make("aec", "classic/leduc_holdem-v4")

    def decisions() -> Iterator[None]:
        while True:
            env.reset()
            for _ in env.agent_iter():
                seen, _, over, cut_short, _ = env.last()
                env.step(None if over or cut_short else int(seen["action_mask"].argmax()))
                if not (over or cut_short):
                    yield

    return 2, partial(next, decisions()), 1


def goofspiel() -> Others:
    """Whole games of OpenSpiel's simultaneous bidding for four players, written in C++."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(
        "goofspiel(players=4,num_cards=13,imp_info=true,points_order=descending)"
    )
    players = range(game.num_players())

    def play() -> int:
        state, turns = game.new_initial_state(), 0
        while not state.is_terminal():
            for player in players:
                state.observation_tensor(player)
            state.apply_actions([state.legal_actions(player)[0] for player in players])
            turns += 1
        return turns

    return len(players), play, play() * len(players)


OTHERS = {
    "leduc_holdem": ("rlcard", "PettingZoo's leduc_holdem: pip install rlcard", leduc_holdem),
    "goofspiel": ("pyspiel", "OpenSpiel's goofspiel: pip install open_spiel", goofspiel),
}
"""The module that each needs, its name and how to install it, and what makes it."""


# On a device


def measure_device(chosen: EnvBench) -> Iterator[Measurement]:
    """Uniformly random legal play, bare and observed, whole games in each measured call."""
    device, found = chosen.device, find_device(chosen.device)
    if problem := found.find_problem():
        raise ValueError(f"the device {device!r} cannot be used: {problem}")
    print(found.describe())
    for players, games in product(chosen.players, chosen.num_envs or _GAMES_ON_DEVICE):
        config = GameConfig(num_players=players)
        try:
            env: Any = BatchEnv(config, games, device=device)
        except MemoryError as error:
            raise ValueError(str(error)) from error
        env.reset(seed=0)

        def game(turn: Callable[[], object], env: Any = env, turns: int = config.num_turns) -> None:
            for _ in range(turns):
                turn()
            env.synchronize()

        def observed_turn(env: Any = env) -> None:
            env.step(env.random_actions())

        for bench, turn, observed in (
            (f"{device} engine", env.play_without_observations, False),
            (f"{device} BatchEnv", observed_turn, True),
        ):
            decisions, size = games * players * config.num_turns, (bench, players, games)
            call = partial(game, turn)
            yield speed.measured(call, decisions, chosen.seconds, *size, observations=observed)
        print(f"{env.bytes_per_game:,.0f} bytes of device memory for each game")
        del env, game, observed_turn, turn, call  # the memory is free before the next one is made
