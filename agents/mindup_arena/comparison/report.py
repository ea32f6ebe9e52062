"""The comparison of two bots: the differences between them, printed and written."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mindup_agents.labels import labels
from mindup_arena.chunk import PlayedChunk
from mindup_arena.comparison.differences import POWER, SIGN_FLIPS, Difference, compare_deals
from mindup_arena.comparison.settings import COMPARED, ComparisonSettings
from mindup_arena.estimate import COVERAGE
from mindup_arena.report import Report, join_results, make_report
from mindup_arena.report_files import played_to_dict
from mindup_arena.terminal import print_forfeits
from mindup_env.report import Column, Table
from mindup_env.report.terminal import plain_text, print_table
from mindup_env.runs.files import write_text
from mindup_env.runs.fingerprints import Fingerprints

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console

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

    @property
    def differences(self) -> list[Difference]:
        """Those against each bot of the panel, and last that over the whole panel."""
        return [*self.panel, self.whole_panel]


def make_comparison(
    settings: ComparisonSettings,
    played: Sequence[PlayedChunk],
    fingerprints: Sequence[Fingerprints] = (),
) -> Comparison:
    """The comparison from all chunks, given in their order."""
    results = join_results(settings, played)
    # (matches, deals): the win shares of the one at the first place
    shares = np.array([each.win_shares[..., 0].mean(axis=1) for each in results])
    first, second = np.split(shares.transpose(), COMPARED, axis=1)  # each (deals, panel)
    games, seed = settings.config.num_players, settings.seed
    means = [each.mean(axis=1, keepdims=True) for each in (first, second)]
    (whole_panel,) = compare_deals(means[0], means[1], games * len(settings.panel), seed)
    panel = compare_deals(first, second, games, seed)
    return Comparison(settings, whole_panel, panel, make_report(settings, played, fingerprints))


def write_comparison(path: Path, comparison: Comparison) -> None:
    """Writes the comparison as JSON.

    Args:
        path: The file to write.
        comparison: The comparison.
    """
    settings = comparison.settings
    *panel, whole_panel = [
        {
            **record,
            "corrected_p_value": found.corrected_p_value,
            "significant": found.significant,
            "more_deals": found.more_deals,
        }
        for record, found in zip(
            comparison_table(comparison, settings.display_names).records(),
            comparison.differences,
            strict=True,
        )
    ]
    del whole_panel["against"]
    plain = {
        "settings": settings.to_dict(),
        "games": comparison.report.num_games,
        "interval": INTERVALS,
        "test": TESTS,
        "reproducible": settings.time_limit is None,
        "whole_panel": whole_panel,
        "panel": panel,
        **played_to_dict(comparison.report),
    }
    write_text(path, json.dumps(plain, indent=2) + "\n")


def comparison_table(comparison: Comparison, names: Sequence[str]) -> Table:
    """The differences, in per cent, with these names of the bots."""
    settings = comparison.settings
    first, second, *panel = names
    return Table(
        f"Win share % against copies of each bot, with {COVERAGE} % intervals; {settings.deals} "
        f"deals, {settings.config.num_players} players, seed {settings.seed}",
        [
            Column("against", "against"),
            Column("first", first, "{:.1f}"),
            Column("second", second, "{:.1f}"),
            Column("difference", "difference", "{:+.1f}"),
            Column("p_value", "p", _p_value),
            Column("corrected_p_value", "p (Holm)", _p_value),
        ],
        [
            [
                name,
                *(share.times(100) for share in (found.first, found.second, found.difference)),
                found.p_value,
                # The correction is for several bots: the whole panel is one test.
                None if name == WHOLE_PANEL else found.corrected_p_value,
            ]
            for name, found in zip([*panel, WHOLE_PANEL], comparison.differences, strict=True)
        ],
    )


def print_comparison(comparison: Comparison, console: "Console | None" = None) -> None:
    """Prints the differences, what they show, and the forfeits.

    Args:
        comparison: The comparison.
        console: A console of rich; the terminal if it is None.
    """
    from rich.console import Console  # noqa: PLC0415  # an extra

    console = console or Console()
    names = labels(comparison.settings.display_names)
    print_table(comparison_table(comparison, names), console)
    first, second, *panel = names
    for name, found in zip([*panel, WHOLE_PANEL], comparison.differences, strict=True):
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
    return (
        f"undecided; about {found.more_deals:,} more deals would decide it (with a probability of "
        f"{POWER:.0%}, if the difference is as large as it seems)"
    )


def _p_value(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
