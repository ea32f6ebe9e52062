"""``mindup bench``: the decisions per second of the environments and of bots, on one core.

Random legal play, or the lowest card where the choice of one in Python would take most of the time.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import gymnasium
import numpy as np
import pettingzoo
import tyro

from mindup_env import cuda
from mindup_env.agent import Agent
from mindup_env.batch_env import BatchEnv
from mindup_env.checks import check_int
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.envs.seated_bots import SeatedBots
from mindup_env.files import write_plain
from mindup_env.mindup_v0 import parallel_env

Play = Callable[[], int]
"""Plays a turn or a game, and returns the number of decisions."""
_PERIODS = 5
_MOST_GAMES = 2**20  # the observations of so many fill gigabytes
_ON_CPU, _ON_GPU = (1, 64, 1024, 8192), (4096, 65536, 262144)
"""How many games are played at once; a GPU is only busy with many."""


@dataclass
class Options:
    """What is measured."""

    players: tuple[int, ...] = (4,)
    """players of a game"""
    num_envs: tuple[int, ...] = ()
    """games at once (default: 1 64 1024 8192, and more on a GPU)"""
    bots: Annotated[tuple[str, ...], tyro.conf.arg(metavar="BOT...")] = ()
    """measure these bots instead, each at one seat of every game"""
    device: Literal["cpu", "cuda"] = "cpu"
    """where the games are played"""
    seconds: float = 1.0
    """time for each measurement"""
    json: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """also write the results"""

    def check(self) -> None:
        for players in self.players:
            check_int("players", players, MIN_PLAYERS, MAX_PLAYERS)
        for games in self.num_envs:
            check_int("num_envs", games, 1, _MOST_GAMES)
        if not 0 < self.seconds <= 3600:
            raise ValueError(f"seconds must be above 0 and at most 3600, not {self.seconds}")


class Measurement(NamedTuple):
    """A speed; the fields are those of an entry of the JSON file."""

    what: str
    players: int
    games: int
    decisions_per_second: float


def main(words: Sequence[str]) -> int:
    """Runs ``mindup bench``."""
    options = tyro.cli(Options, prog="mindup bench", description=__doc__, args=words)
    options.check()
    report(measure(options), options.json)
    return 0


def report(measured: Iterator[Measurement], file: Path | None) -> None:
    """Prints each measurement as soon as it is made, and writes all of them to the file."""
    form, rows = "{:<26}{:>8}{:>8}{:>22}", []
    print(form.format("", "players", "games", "decisions per second"))
    for row in measured:
        speed = f"{row.decisions_per_second:,.0f}"
        print(form.format(row.what, row.players, row.games, speed), flush=True)
        rows.append(row._asdict())
    if file is not None:
        write_plain(file, rows)


def measure(options: Options) -> Iterator[Measurement]:
    """Measures what the options ask for."""
    if options.device == "cuda":
        if problem := cuda.find_problem():
            raise ValueError(f"a GPU cannot be used: {problem}")
        print(cuda.describe())
    for players in options.players:
        for what, games, play in plays(options, players):
            yield Measurement(what, players, games, speed_of(play, options.seconds))
    if options.device == "cpu" and not options.bots:
        for what, players, module, play in PEERS:
            if find_spec(module) is not None:
                yield Measurement(what, players, 1, speed_of(play, options.seconds))


def plays(options: Options, players: int) -> Iterator[tuple[str, int, Play]]:
    """What to measure, with how many games, and how it is played."""
    config = GameConfig(players)
    if options.device == "cuda":
        for games, observed in product(options.num_envs or _ON_GPU, (False, True)):
            what = "BatchEnv on a GPU" if observed else "engine on a GPU"
            yield what, games, game_on_gpu(config, games, observed=observed)
    elif options.bots:
        for bot, games in product(options.bots, options.num_envs or (256,)):
            yield bot, games, turn_of_bot(bot, config, games)
    else:
        for games in options.num_envs or _ON_CPU:
            yield "engine, no observations", games, turn_of_engine(config, games)
            yield "BatchEnv", games, turn_of_batch(config, games)
            yield "make_vec", games, turn_of_learner(players, games)
        yield "parallel_env", 1, partial(game_of_lowest, parallel_env(num_players=players))


def speed_of(play: Play, seconds: float) -> float:
    """The decisions per second: the best of several periods.

    Other load on the machine can only slow it down, so the best period is the most accurate.
    """
    play()
    return max(_speed_in(play, seconds / _PERIODS) for _ in range(_PERIODS))


def _speed_in(play: Play, seconds: float) -> float:
    done, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        done += play()
    return done / elapsed


# The environments, and bots in them


def turn_of_engine(config: GameConfig, games: int) -> Play:
    """A turn of random play in every game, without observations."""
    batch, keys = Batch(config, games), make_keys(0, games)
    kernels.deal_all(batch.arrays, keys)
    cards = np.zeros((games, config.num_players), np.int8)

    def turn() -> int:
        kernels.play_at_random(batch.arrays, keys, cards)
        return cards.size

    return turn


def turn_of_batch(config: GameConfig, games: int) -> Play:
    """A turn of random play in every game."""
    env = BatchEnv(config, games)
    env.reset(seed=0)

    def turn() -> int:
        env.step(env.random_actions())
        return games * config.num_players

    return turn


def turn_of_learner(players: int, games: int) -> Play:
    """A turn of a learner in every game, against random bots."""
    env = gymnasium.make_vec("MindUp-v0", num_envs=games, num_players=players)
    last = [env.reset(seed=0)[0]]

    def turn() -> int:
        last[0] = env.step(last[0]["action_mask"].argmax(axis=1))[0]
        return games

    return turn


def game_of_lowest(env: Any) -> int:
    """A whole game through PettingZoo's parallel API."""
    seen, _ = env.reset()
    decisions = 0
    while env.agents:
        lowest = {agent: int(view["action_mask"].argmax()) for agent, view in seen.items()}
        decisions += len(lowest)
        seen, *_ = env.step(lowest)
    return decisions


def turn_of_bot(bot: str | Agent, config: GameConfig, games: int) -> Play:
    """A turn of the bot at the first seat of every game; the others play random cards."""
    env = BatchEnv(config, games)
    env.reset(seed=0)
    seated = SeatedBots(env, {0: bot})

    def turn() -> int:
        actions = env.random_actions()
        seated.act(actions)
        env.step(actions)
        return games

    return turn


def game_on_gpu(config: GameConfig, games: int, *, observed: bool) -> Play:
    """A whole game of random play in every environment."""
    try:
        env = cuda.CudaBatchEnv(config, games)
    except MemoryError as error:
        raise ValueError(str(error)) from error
    env.reset(seed=0)

    def game() -> int:
        for _ in range(config.num_turns):
            if observed:
                env.step(env.random_actions())
            else:
                env.play_without_observations()
        _ = env.keys  # waits for all that was launched
        return games * config.num_players * config.num_turns

    return game


# Games of others, with observations, one at a time


def game_of_connect_four() -> int:
    """A whole game, in which the first free column is played."""
    env = pettingzoo.make("aec", "classic/connect_four-v3")
    env.reset()
    decisions = 0
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else int(seen["action_mask"].argmax()))
        decisions += not over
    return decisions


def game_of_goofspiel() -> int:
    """A whole game of four players, in which the lowest card is played."""
    import pyspiel  # noqa: PLC0415  # optional

    options = "players=4,num_cards=13,imp_info=true,points_order=descending"
    state = pyspiel.load_game(f"goofspiel({options})").new_initial_state()
    decisions = 0
    while not state.is_terminal():
        for player in range(4):
            state.information_state_tensor(player)
        state.apply_actions([state.legal_actions(player)[0] for player in range(4)])
        decisions += 4
    return decisions


PEERS: tuple[tuple[str, int, str, Play], ...] = (
    ("PettingZoo, connect four", 2, "pygame", game_of_connect_four),
    ("OpenSpiel, goofspiel", 4, "pyspiel", game_of_goofspiel),
)
