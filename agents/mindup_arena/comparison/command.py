"""Compare two bots: both play the same deals in the same seats against a panel of bots.

Example: mindup arena compare planner greedy
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from mindup_agents.labels import labels
from mindup_arena.command import add_run_options, playing
from mindup_arena.comparison.differences import POWER, SIGN_FLIPS, Difference, compare_deals
from mindup_arena.estimate import COVERAGE
from mindup_arena.report import Report
from mindup_arena.report_files import played_to_dict, print_forfeits
from mindup_arena.run import HowToPlay, played_report
from mindup_arena.settings import RankedSettings
from mindup_env.agent import full_spec
from mindup_env.report import Column, Table
from mindup_env.report.terminal import open_console, plain_text, print_table
from mindup_env.runs.files import check_writable, write_plain
from mindup_env.runs.options import TableOptions
from mindup_env.settings.command_line import add_options
from mindup_env.settings.declaration import settings
from mindup_env.settings.extras import require

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console

PANEL = "random", "greedy", "planner", "predictor"
"""The default opponents: the baselines, whose cards never change."""
COMPARED = 2
"""The bots that are compared, which come first."""


def with_panel(compared: Sequence[str], panel: Sequence[str] = ()) -> tuple[str, ...]:
    """The two bots and the panel; the default panel is without the bots that are compared."""
    if len(compared) != COMPARED:
        raise ValueError(f"a comparison needs 2 bots, not {len(compared)}; --against has the panel")
    names = [full_spec(bot) for bot in compared]
    return *compared, *(panel or (bot for bot in PANEL if bot not in names))


@settings
class ComparisonSettings(RankedSettings):
    """The settings of a comparison: one of each compared bot against copies of each panel bot.

    ``bots`` are the two bots to compare, then those of the panel; the other settings are those of
    an arena.
    """

    kind: ClassVar[str] = "compare"
    fewest_bots: ClassVar[int] = COMPARED + 1

    @property
    def num_ones(self) -> int:
        return COMPARED

    @property
    def panel(self) -> tuple[str, ...]:
        """The bots against which the two are compared."""
        return self.bots[COMPARED:]


WHOLE_PANEL = "whole panel"
INTERVALS = (
    f"{COVERAGE} %, over deals: Wilson with the design effect of the deals (win shares), and from "
    "these and the correlation of the deals (differences)"
)
TESTS = f"paired by deal, {SIGN_FLIPS} random sign flips; Holm's correction for the panel's bots"


@dataclass(frozen=True)
class Comparison:
    """The results of a comparison.

    Attributes:
        settings: The settings. The first two bots are compared, the others are the panel.
        whole_panel: The difference over all games against the panel.
        panel: For each bot of the panel, the difference against copies of it.
        report: The report of an arena with these games.
    """

    settings: ComparisonSettings
    whole_panel: Difference
    panel: list[Difference]
    report: Report


def run_comparison(settings: ComparisonSettings, **how: Unpack[HowToPlay]) -> Comparison:
    """Compares two bots: both play the same deals and seats against copies of each panel bot.

    It is played, kept and resumed as an arena is; a script calls both under
    ``if __name__ == "__main__":``.

    Args:
        settings: The bots, their game, the deals and the seed.
        **how: ``workers``, ``folder``, ``address``, ``accept_changed_bots`` and ``progress``, as
            ``run_arena`` takes them.

    Returns:
        The comparison; see ``print_comparison`` and ``write_comparison``.

    Raises:
        ValueError: A bot cannot be made or has changed, or the folder cannot be written or has
            another run.
    """
    with played_report(settings, **how) as (path, report):
        # (matches, deals): the win shares of the one at the first place
        shares = np.array([each.win_shares[..., 0].mean(axis=1) for each in report.results])
        first, second = np.split(shares.transpose(), COMPARED, axis=1)  # each (deals, panel)
        games, seed = settings.config.num_players, settings.seed
        mean, other = (each.mean(axis=1, keepdims=True) for each in (first, second))
        (whole_panel,) = compare_deals(mean, other, games * len(settings.panel), seed)
        panel = compare_deals(first, second, games, seed)
        comparison = Comparison(settings, whole_panel, panel, report)
        write_comparison(path, comparison)
    return comparison


def write_comparison(path: Path, comparison: Comparison) -> None:
    """Writes the comparison as JSON.

    Args:
        path: The file to write.
        comparison: The comparison.
    """
    asked = comparison.settings
    names = asked.display_names[COMPARED:]
    plain = {
        "settings": asked.to_dict(),
        "games": comparison.report.num_games,
        "interval": INTERVALS,
        "test": TESTS,
        "reproducible": asked.time_limit is None,
        "whole_panel": _to_dict(comparison.whole_panel),
        "panel": [
            {"against": name, **_to_dict(found)}
            for name, found in zip(names, comparison.panel, strict=True)
        ],
        **played_to_dict(comparison.report),
    }
    write_plain(path, plain)


def _to_dict(found: Difference) -> dict[str, Any]:
    """A difference as plain data, with win shares in per cent."""
    shares = (
        Column(name).plain(getattr(found, name).times(100))
        for name in ("first", "second", "difference")
    )
    return {
        **{name: value for share in shares for name, value in share.items()},
        "p_value": found.p_value,
        "corrected_p_value": found.corrected_p_value,
        "significant": found.significant,
        "more_deals": found.more_deals,
    }


def print_comparison(comparison: Comparison, console: "Console | None" = None) -> None:
    """Prints the differences, what they show, and the forfeits.

    Args:
        comparison: The comparison.
        console: A console of rich; the terminal if it is None.
    """
    console, asked = open_console(console), comparison.settings
    first, second, *panel = labels(asked.display_names)
    differences = [
        *zip(panel, comparison.panel, strict=True),
        (WHOLE_PANEL, comparison.whole_panel),
    ]
    table = Table(
        f"Win share % against copies of each bot, with {COVERAGE} % intervals; {asked.deals} "
        f"deals, {asked.config.num_players} players, seed {asked.seed}",
        [
            Column("against", "against"),
            Column("first", first, "{:.1f}"),
            Column("second", second, "{:.1f}"),
            Column("difference", "difference", "{:+.1f}"),
            Column("p_value", "p-value", _p_value),
            Column("corrected_p_value", "corrected\np-value", _p_value),
        ],
        [
            [
                name,
                *(share.times(100) for share in (found.first, found.second, found.difference)),
                found.p_value,
                # The correction is for several bots: the whole panel is one test.
                None if name == WHOLE_PANEL else found.corrected_p_value,
            ]
            for name, found in differences
        ],
    )
    print_table(table, console)
    for name, found in differences:
        line = f"{name}: {_verdict(first, second, found)}"
        console.print(plain_text(line, "bold" if name == WHOLE_PANEL else ""))
    print_forfeits(comparison.report, console)


def _verdict(first: str, second: str, found: Difference) -> str:
    """What a difference shows."""
    if found.significant:
        better, worse = (first, second) if found.difference.value > 0 else (second, first)
        return f"{better} wins more than {worse}"
    if found.more_deals is None:
        return "undecided, and no difference to be seen"
    number = f"{found.more_deals:,} more {'deal' if found.more_deals == 1 else 'deals'}"
    return (
        f"undecided; about {number} would decide it (with a probability of {POWER:.0%}, if the "
        "difference is as large as it seems)"
    )


def _p_value(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


# The command

OPTIONS = "deals", "seed", "agent_seed", "time_limit", "record"
"""The settings that are options of the command."""

NOTES = f"""One of each bot plays every deal in all seat rotations against copies of each bot of the
panel. The difference of two win shares is positive where the first bot wins more. Intervals:
{INTERVALS}. p-values: {TESTS}. The number of deals that would decide it is that which shows the
difference with a probability of {POWER:.0%}, if it is as large as it seems. To let two bots play
against each other, use mindup arena rank."""


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
    add_run_options(parser, ["json"])
    add("--json", type=Path, metavar="FILE", help="write the comparison as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("mindup arena compare", "arena", "rich", "scipy")
    if arguments.bots or arguments.against:
        arguments.bots = with_panel(arguments.bots, arguments.against)
    if arguments.json is not None:
        check_writable(arguments.json)
    with playing(arguments, ComparisonSettings) as (settings, how):
        comparison = run_comparison(settings, **how)
        print_comparison(comparison)
        if arguments.json is not None:
            write_comparison(arguments.json, comparison)
    return comparison.report.exit_status
