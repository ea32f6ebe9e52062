"""Check that a program follows the protocol of process bots: plays games, says what is wrong.

Group: inspect
Example: mindup protocol "python3 mybot.py"
"""

import argparse
import json
from collections.abc import Generator, Iterator
from itertools import product

import numpy as np

from mindup_agents.process.bot import Seats
from mindup_agents.process.messages import VERSION, ProgramError, message_schemas, seat_views
from mindup_agents.process.program import GRACE, Program
from mindup_env.batch_env import BatchEnv
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, GameConfig
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.settings.checks import shown
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.declaration import option, settings

FAILED = 3
"""The exit status after a check that failed."""
_UNKNOWN = {"a_later_version": [{"accent": "é", "quote": '"\\'}, None, True, -1.5e3]}

Finding = tuple[bool, str]
"""The result of one check: whether the program passed, and what was found."""


@settings
class CheckSettings:
    """The games of a check."""

    players: tuple[int, ...] = option(
        "numbers of players", default=(3, 4, 5, 6), low=MIN_PLAYERS, high=MAX_PLAYERS
    )
    objectives: tuple[int, ...] = option(
        "numbers of objectives shown together",
        default=(0, 2),
        low=0,
        high=MAX_OBJECTIVES,
    )
    games: int = option("games at once", default=8, low=1, high=10_000)
    seed: int = option("random seed of the deals", default=0, low=0, high=2**64 - 1)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command", nargs="?", metavar="COMMAND", help='the command, such as "python3 mybot.py"'
    )
    add_options(parser, CheckSettings)
    parser.add_argument(
        "--schema",
        action="store_true",
        help="print the JSON Schemas of the messages for the first of these games, and end",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    check = CheckSettings(**given_options(arguments, CheckSettings))
    configs = [GameConfig(*numbers) for numbers in product(check.players, check.objectives)]
    if arguments.schema:
        print(json.dumps(message_schemas(configs[0]), indent=2))
        return 0
    if arguments.command is None:
        raise ValueError('a command is needed, such as mindup protocol "python3 mybot.py"')
    failed = 0
    for config in configs:
        print(f"{config.num_players} players, {config.num_objectives} objectives")
        for passed, text in check_program(arguments.command, config, check.games, check.seed):
            print(f"  {'ok    ' if passed else 'FAILED'}  {text}", flush=True)
            failed += not passed
    if failed:
        print(f"{failed} check{'s' * (failed > 1)} failed")
        return FAILED
    print(f"the program follows protocol {VERSION}")
    return 0


def check_program(command: str, config: GameConfig, num_games: int, seed: int) -> Iterator[Finding]:
    """Plays ``num_games`` games at once, in all seats, and then asks for some cards again.

    The card of a seat depends on nothing but its own fields, and unknown fields are ignored. What
    makes the process unusable, such as a crash, ends the checks of this game.
    """
    program = Program(command, config)
    try:
        program.start()
        ready = program.ready
        views = f", with {', '.join(ready.views)}" if ready.views else ""
        yield True, f"started {shown(ready.name or 'a program without a name')}{views}"
        seats, cards = yield from _play(program, config, num_games, seed)
        yield _compare(program, "in reverse order", seats[::-1], cards[::-1])
        yield _compare(program, "one seat alone", seats[:1], cards[:1])
        with_unknown = [{**_UNKNOWN, **seat} for seat in seats]
        yield _compare(program, "with a field that it cannot know", with_unknown, cards)
        status = program.end()
        if status == 0:
            yield True, "ended at the end of its input"
        else:
            found = "it did not end" if status is None else f"exit status {status}"
            within = f"expected its end within {GRACE:g} s, with status 0"
            yield False, f"end of its input: {found}; {within}"
        yield _compare(program, "in a new process", seats, cards)
    except ProgramError as error:
        yield False, str(error)
    finally:
        program.end()


def _play(
    program: Program, config: GameConfig, num_games: int, seed: int
) -> Generator[Finding, None, tuple[Seats, list[int]]]:
    """Plays the games; where a card is illegal, the lowest one is played instead.

    Returns the seats of one request, and the cards that the program chose.
    """
    env, chance = BatchEnv(config, num_games, autoreset=False), np.random.default_rng(seed)
    env.reset(seed=seed)
    problems: list[str] = []
    for turn in range(config.num_turns):
        observation, mask = (
            env.seen[name].reshape(num_games * config.num_players, -1)
            for name in ("observation", "action_mask")
        )
        bits = chance.integers(0, 2**64, len(observation), np.uint64)
        seats = seat_views(config, observation, bits, program.ready.views)
        answer = program.choose(seats)
        problems += answer.problems.values()
        if turn == config.num_turns // 2:
            kept = seats, answer.cards
        cards = np.array(answer.cards)
        env.step(np.where(cards == 0, mask.argmax(axis=1), cards - 1).reshape(num_games, -1))
    if problems:
        yield False, problems[0] + f" (and {len(problems) - 1} more)" * (len(problems) > 1)
    else:
        yield True, f"{config.num_turns} requests for {len(cards)} seats, all cards legal"
    return kept


def _compare(program: Program, how: str, seats: Seats, before: list[int]) -> Finding:
    answer = program.choose(seats)
    for seat, (card, expected) in enumerate(zip(answer.cards, before, strict=True)):
        if card != expected:
            return False, (
                f"asked again, {how}: card {card} for seat {seat}; expected {expected} as before, "
                "because a card must depend on the fields of its seat alone"
            )
    return True, f"asked again, {how}: the same cards"
