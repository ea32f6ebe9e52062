"""Play the fixed benchmark, and give a bot one score that others can compare with."""

import argparse
import shlex
import shutil
import tempfile
from pathlib import Path

from mindup_arena.benchmark.protocol import LATEST, PROTOCOLS
from mindup_arena.benchmark.result import print_result
from mindup_arena.benchmark.result_file import write_result
from mindup_arena.benchmark.running import read_settings, run_benchmark
from mindup_arena.benchmark.settings import BenchmarkSettings
from mindup_arena.report import FORFEITED
from mindup_arena.run import MAX_WORKERS, check_writable
from mindup_env.cli import advising
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import add_options, flag, given_options
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
    folder = parser.add_mutually_exclusive_group()
    folder.add_argument("--out", type=Path, metavar="FOLDER", help="keep all results in a folder")
    folder.add_argument(
        "--resume", type=Path, metavar="FOLDER", help="resume the benchmark in a folder"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("the benchmark", "arena", "rich", "scipy")
    settings = find_settings(arguments)
    check_int("--workers", arguments.workers, 1, MAX_WORKERS)
    if arguments.json is not None:
        check_writable(arguments.json, arguments.json.parent)
    kept = arguments.resume or arguments.out
    folder = kept or Path(tempfile.mkdtemp(prefix="mindup-benchmark-"))
    resume = shlex.join(["mindup", "benchmark", "--resume", str(folder)])
    with advising(lambda: f"to resume: {resume}"):
        try:
            result = run_benchmark(settings, workers=arguments.workers, folder=folder)
        except ValueError:
            if kept is None:
                shutil.rmtree(folder)
            raise
        print_result(result)
        if arguments.json is not None:
            write_result(arguments.json, result)
    if kept is None:
        shutil.rmtree(folder)
    return FORFEITED if result.games_forfeited else 0


def find_settings(arguments: argparse.Namespace) -> BenchmarkSettings:
    """The settings of the benchmark to resume, or those that the arguments give."""
    given = given_options(arguments, BenchmarkSettings)
    if arguments.bot is not None:
        given["bot"] = arguments.bot
    begun = None if arguments.resume is None else read_settings(arguments.resume)
    if begun is None:
        if arguments.bot is None:
            where = "" if arguments.resume is None else f" to resume in {arguments.resume}"
            raise ValueError(f"no benchmark{where}: name a bot, such as greedy")
        if arguments.out is not None and read_settings(arguments.out) is not None:
            raise ValueError(f"{arguments.out} has a benchmark already: resume it with --resume")
        return BenchmarkSettings(**given)
    wanted = BenchmarkSettings(**{"bot": begun.bot, **given})
    for name in given:
        if getattr(wanted, name) != getattr(begun, name):
            what = "the bot" if name == "bot" else flag(name)
            raise ValueError(
                f"the benchmark in {arguments.resume} has {what} {getattr(begun, name)}, not "
                f"{getattr(wanted, name)}: leave it out to resume, or use --out for another one"
            )
    return begun
