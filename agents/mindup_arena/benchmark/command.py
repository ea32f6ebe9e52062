"""Play the fixed benchmark, and give a bot one score that others can compare with."""

import argparse
from pathlib import Path

from mindup_arena.benchmark.protocol import LATEST, PROTOCOLS, BenchmarkSettings
from mindup_arena.benchmark.result import print_result
from mindup_arena.benchmark.result_file import write_result
from mindup_arena.benchmark.running import KIND, run_benchmark
from mindup_arena.report import FORFEITED
from mindup_env.runs.files import check_writable
from mindup_env.runs.options import add_folder_options, check_same, run_path
from mindup_env.runs.processes import MAX_WORKERS
from mindup_env.runs.run_folder import RunFolder, kept_or_temporary
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.extras import require

_PANEL = ", ".join(PROTOCOLS[LATEST].panel)
NOTES = f"""The protocol {LATEST} never changes: one BOT plays against copies of {_PANEL}, with
3 to 6 players, with and without objectives, on fixed deals in all seat rotations. In BOT,
{{players}} and {{objectives}} stand for the numbers of the game, so that a bot can be a policy for
each number of players: 'policy:runs/quick-{{players}}p-seed0/policy.safetensors'."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = NOTES
    add = parser.add_argument
    add("bot", nargs="?", metavar="BOT", help="a name, name:option=value,... or module:Class")
    add_options(parser, BenchmarkSettings)
    add("--workers", type=int, default=1, metavar="N", help="processes that play (default 1)")
    add("--json", type=Path, metavar="FILE", help="write the result, which a leaderboard reads")
    add_folder_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("mindup benchmark", "arena", "rich", "scipy")
    settings = find_settings(arguments)
    check_int("--workers", arguments.workers, 1, MAX_WORKERS)
    if arguments.json is not None:
        check_writable(arguments.json)
    with kept_or_temporary(run_path(arguments), KIND) as folder:
        result = run_benchmark(settings, workers=arguments.workers, folder=folder)
        print_result(result)
        if arguments.json is not None:
            write_result(arguments.json, result)
    return FORFEITED if result.games_forfeited else 0


def find_settings(arguments: argparse.Namespace) -> BenchmarkSettings:
    """The settings of the benchmark to resume, or those that the arguments give."""
    given = given_options(arguments, BenchmarkSettings)
    if arguments.bot is not None:
        given["bot"] = arguments.bot
    if arguments.resume is not None:
        begun = RunFolder.read(arguments.resume, KIND, BenchmarkSettings).settings
        wanted = BenchmarkSettings(**{"bot": begun.bot, **given})
        check_same(arguments.resume, vars(begun), {name: getattr(wanted, name) for name in given})
        return begun
    if arguments.bot is None:
        raise ValueError("no benchmark without a bot: name one, such as greedy")
    return BenchmarkSettings(**given)
