"""Bots, each at one seat of many games, on one core.

Example: mindup bench bots greedy planner
"""

import argparse
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from mindup_env.agent import make_agent
from mindup_env.batch_env import BatchEnv
from mindup_env.bench.measuring import BenchSettings, Measurement, add_benchmark, measured
from mindup_env.config import GameConfig
from mindup_env.envs.opponents import BatchedSeats
from mindup_env.settings.declaration import option, settings


@settings
class BotsBench(BenchSettings):
    """The settings of ``mindup bench bots``."""

    num_envs: tuple[int, ...] = (256,)
    bots: tuple[str, ...] = option("bots, as for mindup arena", default=())


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bots", nargs="+", metavar="BOT", help="a bot, as for mindup arena")
    names = "players", "num_envs", "seconds", "json"
    add_benchmark(parser, BotsBench, measure, names)


def measure(chosen: BotsBench) -> Iterator[Measurement]:
    for bot, players, games in product(chosen.bots, chosen.players, chosen.num_envs):
        turn = bot_turn(bot, GameConfig(num_players=players), games)
        yield measured(turn, games, chosen.seconds, bot, players, games)


def bot_turn(bot: str, config: GameConfig, num_games: int) -> Callable[[], None]:
    """A turn of the bot at the first seat of every game; the others play random cards."""
    env = BatchEnv(config, num_games)
    env.reset(seed=0)
    seats = BatchedSeats(make_agent(bot, config), config, num_games)
    seats.assign_rows(np.arange(num_games) * config.num_players)
    turns = [0]

    def turn() -> None:
        actions = env.random_actions()
        seats.act(env.seen, env.keys, turns[0] % config.num_turns, actions)
        env.step(actions)
        turns[0] += 1

    return turn
