"""Check that a program follows the protocol of process bots: plays games, says what is wrong."""

import argparse
import json

from mindup_agents.process.conformance import check_program
from mindup_agents.process.messages import VERSION
from mindup_agents.process.schema import message_schemas
from mindup_env.config import GameConfig
from mindup_env.settings.checks import check_int

FAILED = 3
"""The exit status after a check that failed."""
_MOST_GAMES = 10_000


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("command", nargs="?", metavar="COMMAND", help='the command, such as "python3 mybot.py"')
    add(
        "--players",
        type=int,
        nargs="+",
        default=[3, 4, 5, 6],
        metavar="P",
        help="numbers of players (default 3 4 5 6)",
    )
    add(
        "--objectives",
        type=int,
        nargs="+",
        default=[0, 2],
        metavar="N",
        help="numbers of objectives shown together (default 0 2)",
    )
    add("--games", type=int, default=8, help="games at once (default %(default)s)")
    add("--seed", type=int, default=0, help="random seed of the deals (default %(default)s)")
    add(
        "--schema",
        action="store_true",
        help="print the JSON Schemas of the messages for the first of these games, and end",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    configs = [
        GameConfig(players, objectives)
        for players in arguments.players
        for objectives in arguments.objectives
    ]
    if arguments.schema:
        print(json.dumps(message_schemas(configs[0]), indent=2))
        return 0
    if arguments.command is None:
        raise ValueError('a command is needed, such as mindup protocol-check "python3 mybot.py"')
    check_int("--games", arguments.games, 1, _MOST_GAMES)
    check_int("--seed", arguments.seed, 0, 2**64 - 1)
    failed = 0
    for config in configs:
        print(f"{config.num_players} players, {config.num_objectives} objectives")
        for finding in check_program(arguments.command, config, arguments.games, arguments.seed):
            print(f"  {'ok    ' if finding.is_ok else 'FAILED'}  {finding.text}", flush=True)
            failed += not finding.is_ok
    if failed:
        print(f"{failed} check{'s' * (failed > 1)} failed")
        return FAILED
    print(f"the program follows protocol {VERSION}")
    return 0
