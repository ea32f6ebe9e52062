"""Measure player decisions per second, in random legal play on one core.

Beside the environments are the nearest games of PettingZoo and OpenSpiel, if these are installed.
Where the choice of a random card in Python would take most of the time, the lowest is played.
"""

import math
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

import gymnasium
import pettingzoo
import tyro

from mindup_env import cuda
from mindup_env.batch_env import BatchEnv
from mindup_env.checks import InputError, check_int
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, GameConfig
from mindup_env.mindup_v0 import parallel_env

Play = Iterator[int]
"""Plays on and on; yields the number of decisions since the last time."""
_PERIODS = 5
_MOST_GAMES = 2**20  # the observations of so many fill gigabytes
_ON_CPU = 1, 64, 1024, 8192
_ON_GPU = 4096, 65536, 262144
"""How many games are played at once; a GPU is only busy with many."""


@dataclass
class Options:
    """What is measured."""

    players: tuple[int, ...] = (4,)
    """players of a game"""
    num_envs: Annotated[tuple[int, ...], tyro.conf.arg(help_behavior_hint="")] = ()
    """games at once (default: 1 64 1024 8192, and more on a GPU)"""
    device: Literal["cpu", "cuda"] = "cpu"
    """where the games are played"""
    seconds: float = 1.0
    """time for each measurement"""


def main(words: Sequence[str]) -> int:
    """Runs ``mindup bench``."""
    options = tyro.cli(Options, prog="mindup bench", description=__doc__, args=words)
    for players in options.players:
        check_int("players", players, MIN_PLAYERS, MAX_PLAYERS)
    for games in options.num_envs:
        check_int("num_envs", games, 1, _MOST_GAMES)
    check_seconds(options.seconds)
    if options.device == "cuda":
        if problem := cuda.find_problem():
            raise InputError(f"a GPU cannot be used: {problem}")
        print(cuda.describe())
    print(f"{processor()}\n")
    options.num_envs = options.num_envs or (_ON_GPU if options.device == "cuda" else _ON_CPU)
    sizes = (f"{games} game{'s' * (games > 1)}" for games in options.num_envs)
    print_table(["", "players", *sizes], measure(options))
    return 0


def check_seconds(seconds: float) -> None:
    if not 0 < seconds < math.inf:
        raise InputError(f"seconds must be a number above 0, not {seconds}")


def processor() -> str:
    """Its name, as the system knows it."""
    cpuinfo = Path("/proc/cpuinfo")  # on Linux, where Python knows only its kind
    told = cpuinfo.read_text(encoding="utf-8") if cpuinfo.exists() else ""
    names = re.findall(r"^model name\s*: (.+)$", told, re.MULTILINE)
    return next(iter(names), platform.processor() or platform.machine())


def print_table(head: Sequence[str], lines: Iterator[Sequence[str]]) -> None:
    """Prints a table in Markdown, each line as soon as it is made."""
    for cells in (head, ["---"] * len(head)):
        print(f"| {' | '.join(cells)} |")
    for cells in lines:
        print(f"| {' | '.join(cells)} |", flush=True)


def measure(options: Options) -> Iterator[Sequence[str]]:
    """The lines of the table."""
    makers: dict[str, Callable[[GameConfig, int], Play]] = {
        "`BatchEnv`, all seats": play_batch,
        "`make_vec`, one learner among random bots": play_learner,
    }
    if options.device == "cuda":
        makers = {"`CudaBatchEnv`, all seats": play_on_gpu}
    for what, make in makers.items():
        for players in options.players:
            plays = (make(GameConfig(players), games) for games in options.num_envs)
            yield what, f"{players}", *(f"{speed_of(play, options.seconds):,.0f}" for play in plays)
    if options.device == "cpu" and 1 in options.num_envs:
        for what, players, play in plays_of_one_game(options.players):
            speed = f"{speed_of(play, options.seconds):,.0f}"
            yield what, f"{players}", *(speed * (games == 1) for games in options.num_envs)


def speed_of(play: Play, seconds: float) -> float:
    """The decisions per second: the best of several periods.

    Other load on the machine can only slow it down, so the best period is the most accurate.
    """
    next(play)  # it may compile first
    speeds = []
    for _ in range(_PERIODS):
        done = 0
        elapsed = 0.0
        start = time.perf_counter()
        while elapsed < seconds / _PERIODS:
            done += next(play)
            elapsed = time.perf_counter() - start
        speeds.append(done / elapsed)
    return max(speeds)


# Many games at once, a turn at a time


def play_batch(config: GameConfig, games: int) -> Play:
    env = BatchEnv(config, games)
    env.reset(seed=0)
    while True:
        env.step(env.random_actions())
        yield games * config.num_players


def play_learner(config: GameConfig, games: int) -> Play:
    env = gymnasium.make_vec("MindUp-v0", num_envs=games, num_players=config.num_players)
    seen, _ = env.reset(seed=0)
    while True:
        seen, *_ = env.step(seen["action_mask"].argmax(axis=1))
        yield games


def play_on_gpu(config: GameConfig, games: int) -> Play:
    """Whole games, because it takes time to wait for all that was launched."""
    try:
        env = cuda.CudaBatchEnv(config, games)
    except MemoryError as error:
        raise InputError(str(error)) from error
    env.reset(seed=0)
    while True:
        for _ in range(config.num_turns):
            env.step(env.random_actions())
        _ = env.keys  # waits
        yield games * config.num_players * config.num_turns


# One game at a time


def plays_of_one_game(sizes: Sequence[int]) -> Iterator[tuple[str, int, Play]]:
    """What plays, the players, and how."""
    for players in sizes:
        yield "`parallel_env`", players, play_agents(parallel_env(num_players=players))
    if find_spec("pygame"):
        yield "PettingZoo, connect four", 2, play_connect_four()
    else:
        print("not measured: PettingZoo's connect four, which needs pygame", file=sys.stderr)
    if find_spec("pyspiel"):
        yield "OpenSpiel, goofspiel", 4, play_goofspiel()
    else:
        print("not measured: OpenSpiel, which needs the extra [open-spiel]", file=sys.stderr)


def play_agents(env: Any) -> Play:
    while True:
        seen, _ = env.reset()
        while env.agents:
            lowest = {agent: int(view["action_mask"].argmax()) for agent, view in seen.items()}
            seen, *_ = env.step(lowest)
            yield len(lowest)


def play_connect_four() -> Play:
    env = pettingzoo.make("aec", "classic/connect_four-v3")
    while True:
        env.reset()
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else int(seen["action_mask"].argmax()))
            yield not over


def play_goofspiel() -> Play:
    import pyspiel  # noqa: PLC0415  # optional

    players = range(4)
    options = "players=4,num_cards=13,imp_info=true,points_order=descending"
    game = pyspiel.load_game(f"goofspiel({options})")
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            for player in players:
                state.information_state_tensor(player)
            state.apply_actions([state.legal_actions(player)[0] for player in players])
            yield len(players)
