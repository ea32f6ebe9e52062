"""Bots, each at one seat of many games, on one core."""

import argparse
from collections.abc import Callable, Iterator

import numpy as np

from mindup_env.agent import make_agent
from mindup_env.batch_env import BatchEnv
from mindup_env.bench.env import choose_at_random
from mindup_env.bench.measurement import Measurement, calls_per_second
from mindup_env.bench.options import add_options, report
from mindup_env.config import GameConfig
from mindup_env.envs.opponents import BatchedSeats


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bots", nargs="+", metavar="BOT", help="a bot, as for mindup arena")
    add_options(parser, players=[4], num_envs=[256])
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    return report(
        measure(arguments.bots, arguments.players, arguments.num_envs, arguments.seconds), arguments
    )


def measure(
    bots: list[str], players: list[int], sizes: list[int], seconds: float
) -> Iterator[Measurement]:
    for bot in bots:
        for num_players in players:
            for num_games in sizes:
                turn = bot_turn(bot, GameConfig(num_players=num_players), num_games)
                yield Measurement(
                    bench=bot,
                    players=num_players,
                    num_envs=num_games,
                    observations=True,
                    decisions_per_second=calls_per_second(turn, seconds) * num_games,
                )


def bot_turn(bot: str, config: GameConfig, num_games: int) -> Callable[[], None]:
    """A turn of the bot at the first seat of every game; the others play random cards."""
    env = BatchEnv(config, num_games)
    env.reset(seed=0)
    seats = BatchedSeats(make_agent(bot, config), config, num_games)
    seats.assign_rows(np.arange(num_games) * config.num_players)
    actions = env._actions
    turns = [0]

    def turn() -> None:
        env._threads.run(choose_at_random)
        seats.act(env.seen, env._keys, turns[0] % config.num_turns, actions)
        env.step(actions)
        turns[0] += 1

    return turn
