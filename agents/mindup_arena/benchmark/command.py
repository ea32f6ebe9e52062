"""Play the fixed benchmark, which gives a bot one score that others can compare with.

Example: mindup benchmark run mybot:Bot --size small --json mybot.json
"""

import argparse
import os
import platform
import re
import sys
from pathlib import Path

import numpy as np

from mindup_arena.benchmark import protocol
from mindup_arena.benchmark.protocol import PANEL, BenchmarkSettings
from mindup_arena.benchmark.result import BenchmarkResult, print_result
from mindup_arena.benchmark.result_file import write_result
from mindup_arena.bot import DecisionTime
from mindup_arena.estimate import Floats
from mindup_arena.fingerprints import changed, versions_of
from mindup_arena.report import FORFEITED, Report
from mindup_arena.run import run_arena
from mindup_env.runs.files import check_writable
from mindup_env.runs.options import add_folder_options, add_workers, run_path, workers_of
from mindup_env.runs.run_folder import RunFolder, kept_or_temporary
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.extras import require

RESULT = "result.json"
KIND = "benchmark"
_CPU_INFO = Path("/proc/cpuinfo")
_RIVALS = ", ".join(name for name in PANEL if name != "mixed")
NOTES = f"""One BOT plays against copies of {_RIVALS}, and at mixed tables of them,
with 3 to 6 players, with and without objectives, on fixed deals in all seat rotations. In BOT,
{{players}} and {{objectives}} stand for the numbers of the game, so that a bot can be a policy for
each number of players: 'policy:runs/quick-{{players}}p-seed0/policy.onnx'."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = NOTES
    add = parser.add_argument
    add("bot", nargs="?", metavar="BOT", help="a name, name:option=value,... or module:Class")
    add_options(parser, BenchmarkSettings)
    add_workers(parser)
    add("--json", type=Path, metavar="FILE", help="write the result, for mindup benchmark board")
    add_folder_options(parser, beside_resume=["workers", "json"])
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("mindup benchmark run", "arena", "rich", "scipy")
    path, settings = run_path(arguments), find_settings(arguments)
    workers = workers_of(arguments)
    if arguments.json is not None:
        check_writable(arguments.json)
    with kept_or_temporary(path, KIND) as folder:
        result = run_benchmark(settings, workers=workers, folder=folder)
        print_result(result)
        if arguments.json is not None:
            write_result(arguments.json, result)
    return FORFEITED if result.games_forfeited else 0


def find_settings(arguments: argparse.Namespace) -> BenchmarkSettings:
    """The settings of the benchmark to resume, or those that the arguments give."""
    if arguments.resume is not None:
        return RunFolder.read(arguments.resume, KIND, BenchmarkSettings).settings
    if arguments.bot is None:
        raise ValueError("no benchmark without a bot: name one, such as greedy")
    return BenchmarkSettings(bot=arguments.bot, **given_options(arguments, BenchmarkSettings))


def run_benchmark(
    settings: BenchmarkSettings, *, workers: int = 1, folder: Path | None = None
) -> BenchmarkResult:
    """Plays all games of the benchmark that the folder lacks; writes ``result.json`` to it.

    The same bot gives the same result with any number of workers, but for its speed.

    Raises:
        ValueError: The bot cannot be made, the folder cannot be written, or it has a benchmark
            with other settings.
    """
    require("the benchmark", "arena", "rich", "scipy")
    settings.check_bot()
    games, reports, fingerprints = settings.games, [], dict[str, str]()
    with kept_or_temporary(folder, KIND) as kept:
        check_writable(kept, kept)
        with RunFolder.create_or_resume(kept, KIND, settings):
            for number, game in enumerate(games, start=1):
                if sys.stderr.isatty():
                    print(f"game {number} of {len(games)}: {game.name}", file=sys.stderr)
                own = kept / f"{game.players}-players-{game.objectives}-objectives"
                report = run_arena(settings.arena_settings(game), workers=workers, folder=own)
                if names := changed(fingerprints, report.fingerprints):
                    raise ValueError(
                        f"{', '.join(names)} changed since the benchmark in {kept} began: start "
                        "another with --out"
                    )
                fingerprints |= report.fingerprints
                reports.append(report)
            bot = 0  # the first of each arena
            times = [report.times[bot] for report in reports]
            machine = {
                "processor": processor(),
                "cores": str(os.cpu_count() or "unknown"),
                "system": f"{platform.system()} on {platform.machine()}",
                "python": platform.python_version(),
                **versions_of(),
            }
            result = BenchmarkResult(
                settings,
                np.array([_win_shares(settings, report) for report in reports]),
                sum(report.games_forfeited(bot) for report in reports),
                DecisionTime(*map(sum, zip(*times, strict=True))).speed,
                machine,
                {bot: fingerprints[bot] for report in reports for bot in report.settings.bots},
            )
            write_result(kept / RESULT, result)
    return result


def _win_shares(settings: BenchmarkSettings, report: Report) -> Floats:
    """The win shares (rivals, deals) of a game; equal play against copies of the bot itself."""
    # Each match has one bot, at the first place of the table: (deals, rotations, places).
    found = [each.win_shares[..., 0].mean(axis=1) for each in report.results]
    shares = dict(zip(settings.rivals, found, strict=True))
    equal = np.full(len(found[0]), 1 / report.settings.config.num_players)
    return np.array([shares.get(rival, equal) for rival in protocol.PANEL])


def processor() -> str:
    """The model of the processor; on a system that does not tell, its kind."""
    if _CPU_INFO.exists():
        text = _CPU_INFO.read_text(encoding="utf-8", errors="replace")
        if found := re.search(r"^model name\s*:(.*)", text, re.MULTILINE):
            return found[1].strip()
    return platform.processor() or platform.machine() or "unknown"
