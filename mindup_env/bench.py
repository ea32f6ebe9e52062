"""Measure player decisions per second, in random legal play on one core.

Beside the environments are the nearest games of other libraries, if these are installed.
Where the choice of a random card in Python would take most of the time, the lowest is played.
"""

import math
import platform
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

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
_ON_GPU = 4096, 65536, 262144  # a GPU is only busy with many games at once


@dataclass
class Options:
    """What is measured."""

    players: int = 4  # players of a game
    num_envs: Annotated[tuple[int, ...], tyro.conf.arg(help_behavior_hint="")] = ()
    """games at once (default: 1 64 1024 8192, and more on a GPU)"""
    device: Literal["cpu", "cuda"] = "cpu"  # where the games are played
    seconds: float = 1.0  # time for each measurement


class Row(NamedTuple):
    """A row of the table."""

    name: str
    players: int
    play: Callable[[int], Play]  # so many games at once
    games: Literal["one", "many", "any"]  # how many it plays at once
    library: str = "mindup_env"  # that it needs


def main(words: Sequence[str]) -> int:
    """Runs ``mindup bench``."""
    options = tyro.cli(Options, prog="mindup bench", description=__doc__, args=words)
    check_int("players", options.players, MIN_PLAYERS, MAX_PLAYERS)
    for games in options.num_envs:
        check_int("num_envs", games, 1, _MOST_GAMES)
    if not 0 < options.seconds < math.inf:
        raise InputError(f"seconds must be a number above 0, not {options.seconds}")
    on_gpu = options.device == "cuda"
    if on_gpu:
        if problem := cuda.find_problem():
            raise InputError(f"a GPU cannot be used: {problem}")
        print(cuda.describe())
    print(f"{processor()}\n")
    sizes = options.num_envs or (_ON_GPU if on_gpu else _ON_CPU)
    heads = (f"{games} game{'s' * (games > 1)}" for games in sizes)
    print(f"|  | players | {' | '.join(heads)} |")
    print("| --- | --- |" + " --- |" * len(sizes))
    for row in rows_of(GameConfig(options.players), on_gpu=on_gpu):
        measured = [n for n in sizes if row.games in ("any", "many" if n > 1 else "one")]
        if find_spec(row.library) is None:
            print(f"not measured: {row.name}, which needs {row.library}", file=sys.stderr)
        elif measured:
            speeds = {games: speed_of(row.play(games), options.seconds) for games in measured}
            cells = (f"{speeds[games]:,.0f}" if games in speeds else "" for games in sizes)
            print(f"| {row.name} | {row.players} | {' | '.join(cells)} |", flush=True)
    return 0


def processor() -> str:
    """Its name, as the system knows it."""
    cpuinfo = Path("/proc/cpuinfo")  # on Linux, where Python knows only its kind
    told = cpuinfo.read_text(encoding="utf-8") if cpuinfo.exists() else ""
    names = re.findall(r"^model name\s*: (.+)$", told, re.MULTILINE)
    return next(iter(names), platform.processor() or platform.machine())


def rows_of(config: GameConfig, *, on_gpu: bool) -> list[Row]:
    """The environments, and the nearest games that others have of the same kind."""
    players = config.num_players
    if on_gpu:
        play = partial(play_on_gpu, config)
        return [Row("`CudaBatchEnv`, all seats", players, play, "any", "torch")]
    learner = "`make_vec`, one among random bots"
    connect_four = partial(play_pettingzoo, "connect_four-v3")
    leduc = partial(play_pettingzoo, "leduc_holdem-v4")
    return [
        Row("`BatchEnv`, all seats", players, partial(play_batch, config), "any"),
        Row(learner, players, partial(play_learner, config), "any"),
        Row("`parallel_env`", players, partial(play_agents, config), "one"),
        Row("PettingZoo, connect four", 2, connect_four, "one", "pygame"),
        Row("PettingZoo, leduc hold'em", 2, leduc, "one", "rlcard"),
        Row("OpenSpiel, goofspiel", 4, play_goofspiel, "one", "pyspiel"),
        Row("OpenSpiel's vector environment, leduc", 2, play_open_spiel, "many", "pyspiel"),
        Row("Pgx, leduc hold'em", 2, play_pgx, "many", "pgx"),
    ]


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


def play_agents(config: GameConfig, _games: int) -> Play:
    env = parallel_env(num_players=config.num_players)
    while True:
        seen, _ = env.reset()
        while env.agents:
            lowest = {agent: int(view["action_mask"].argmax()) for agent, view in seen.items()}
            seen, *_ = env.step(lowest)
            yield len(lowest)


def play_pettingzoo(name: str, _games: int) -> Play:
    env = pettingzoo.make("aec", f"classic/{name}")
    while True:
        env.reset()
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else int(seen["action_mask"].argmax()))
            yield not over


def play_goofspiel(_games: int) -> Play:
    import pyspiel  # noqa: PLC0415

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


def play_open_spiel(games: int) -> Play:
    from open_spiel.python import rl_agent, rl_environment, vector_env  # noqa: PLC0415

    envs = [rl_environment.Environment("leduc_poker") for _ in range(games)]
    env = vector_env.SyncVectorEnv(envs)
    steps = env.reset()
    while True:
        seen = (step.observations for step in steps)
        lowest = [each["legal_actions"][each["current_player"]][0] for each in seen]
        outputs = [rl_agent.StepOutput(action=each, probs=None) for each in lowest]
        steps, *_ = env.step(outputs, reset_if_done=True)
        yield games


def play_pgx(games: int) -> Play:
    import jax  # noqa: PLC0415
    import pgx  # noqa: PLC0415
    from pgx.experimental import auto_reset  # noqa: PLC0415

    env = pgx.make("leduc_holdem")
    step = jax.vmap(auto_reset(env.step, env.init))
    turn = jax.jit(lambda state, keys: step(state, state.legal_action_mask.argmax(1), keys))
    keys = jax.random.split(jax.random.key(0), games)
    state = jax.jit(jax.vmap(env.init))(keys)
    while True:
        state = jax.block_until_ready(turn(state, keys))
        yield games
