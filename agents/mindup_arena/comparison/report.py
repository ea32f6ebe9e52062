"""The comparison of two bots: the differences between them, printed and written."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mindup_agents.labels import labels
from mindup_arena.chunk import PlayedChunk
from mindup_arena.comparison.differences import POWER, SIGN_FLIPS, Difference, compare_deals
from mindup_arena.comparison.settings import ComparisonSettings
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.fingerprint import Fingerprints
from mindup_arena.report import Report, join_results, make_report
from mindup_arena.report_files import fingerprints_to_list, forfeits_to_dict, plain_estimate
from mindup_arena.terminal import print_forfeits
from mindup_env.runs.files import write_text

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


def make_comparison(
    settings: ComparisonSettings,
    played: Sequence[PlayedChunk],
    fingerprints: Sequence[Fingerprints | None] = (),
) -> Comparison:
    """The comparison from all chunks, given in their order."""
    results = join_results(settings, played)
    # (matches, deals): the win shares of the one at the first place
    shares = np.array([each.win_shares[..., 0].mean(axis=1) for each in results])
    first, second = np.split(shares.transpose(), settings.compared, axis=1)  # each (deals, panel)
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
    panel = settings.display_names[settings.compared :]
    plain = {
        "settings": settings.to_dict(),
        "games": comparison.report.num_games,
        "interval": INTERVALS,
        "test": TESTS,
        "reproducible": settings.time_limit is None,
        "whole_panel": _plain(comparison.whole_panel),
        "panel": [
            {"against": bot, **_plain(each)}
            for bot, each in zip(panel, comparison.panel, strict=True)
        ],
        "forfeits": forfeits_to_dict(comparison.report),
        "fingerprints": fingerprints_to_list(comparison.report),
    }
    write_text(path, json.dumps(plain, indent=2) + "\n")


def _plain(found: Difference) -> dict[str, Any]:
    """Win shares are in per cent, as in all reports."""
    plain: dict[str, Any] = {}
    for name, share in zip(found._fields, found[:3], strict=False):
        plain |= plain_estimate(name, share.times(100))
    return {
        **plain,
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
    from rich.console import Console  # noqa: PLC0415  # an extra
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = console or Console()
    settings = comparison.settings
    first, second, *panel = labels(settings.display_names)
    title = (
        f"Win share % against copies of each bot, with {COVERAGE} % intervals; {settings.deals} "
        f"deals, {settings.config.num_players} players, seed {settings.seed}"
    )
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    table.add_column("against", overflow="fold")
    for name in (first, second, "difference", "p", "p (Holm)"):
        table.add_column(Text(name), justify="right", overflow="fold")
    rows = [*zip(panel, comparison.panel, strict=True), (WHOLE_PANEL, comparison.whole_panel)]
    for name, found in rows:
        holm = "" if name == WHOLE_PANEL else _p_value(found.corrected_p_value)
        shares = [_number(found.first, "{:.1f}"), _number(found.second, "{:.1f}")]
        difference = _number(found.difference, "{:+.1f}")
        table.add_row(Text(name), *shares, difference, _p_value(found.p_value), holm)
    console.print(table)
    for name, found in rows:
        line = f"{name}: {_verdict(first, second, found)}"
        console.print(Text(line, "bold" if name == WHOLE_PANEL else ""))
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


def _number(share: Estimate, form: str) -> str:
    value, low, high = (form.format(each) for each in share.times(100))
    return value if np.isnan(share.low) else f"{value}\n{low}..{high}"
