"""Compare two bots: both play the same deals in the same seats against a panel of bots."""

import argparse
from pathlib import Path

from mindup_arena.command import add_run_options, playing
from mindup_arena.comparison.differences import POWER
from mindup_arena.comparison.report import (
    INTERVALS,
    PANEL,
    TESTS,
    ComparisonSettings,
    print_comparison,
    run_comparison,
    with_panel,
    write_comparison,
)
from mindup_env.runs.options import TableOptions
from mindup_env.settings.command_line import add_options
from mindup_env.settings.extras import require

OPTIONS = "deals", "seed", "agent_seed", "time_limit", "record"
"""The settings that are options of the command."""

NOTES = f"""One of each bot plays every deal in all seat rotations against copies of each bot of the
panel. The difference of two win shares is positive where the first bot wins more. Intervals:
{INTERVALS}. p-values: {TESTS}. The number of deals that would decide it is that which shows the
difference with a probability of {POWER:.0%}, if it is as large as it seems. To let two bots play
against each other, use mindup arena."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = NOTES
    add = parser.add_argument
    add("bots", nargs="*", metavar="BOT", help="the two bots to compare")
    add(
        "--against",
        nargs="+",
        default=[],
        metavar="BOT",
        help=f"the panel (default: those of {', '.join(PANEL)} that are not compared)",
    )
    add_options(parser, TableOptions)
    add_options(parser, ComparisonSettings, names=OPTIONS)
    add_run_options(parser)
    add("--json", type=Path, metavar="FILE", help="write the comparison as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("mindup compare", "arena", "rich", "scipy")
    if arguments.bots or arguments.against:
        arguments.bots = with_panel(arguments.bots, arguments.against)
    with playing(arguments, ComparisonSettings, arguments.json) as (settings, how):
        comparison = run_comparison(settings, **how)
        print_comparison(comparison)
        if arguments.json is not None:
            write_comparison(arguments.json, comparison)
    return comparison.report.exit_status
