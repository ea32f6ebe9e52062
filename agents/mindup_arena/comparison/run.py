"""Plays a comparison, in the processes and the folder of an arena."""

from pathlib import Path

from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.comparison.report import Comparison, make_comparison, write_comparison
from mindup_arena.comparison.settings import ComparisonSettings
from mindup_arena.run import open_played


def run_comparison(
    settings: ComparisonSettings,
    *,
    workers: int = 1,
    folder: Path | None = None,
    address: str | None = None,
    accept_changed_bots: bool = False,
    progress: bool = True,
) -> Comparison:
    """Compares two bots: both play the same deals and seats against copies of each panel bot.

    It is played, kept and resumed as ``run_arena`` plays, keeps and resumes an arena; a script
    calls both under ``if __name__ == "__main__":``.

    Args:
        settings: The bots, their game, the deals and the seed.
        workers: Number of processes that play; the results do not depend on it.
        folder: Keeps the results, and is that of the comparison to resume.
        address: The Ray cluster to play on instead.
        accept_changed_bots: Resume also if bots or libraries changed since it began.
        progress: Show a progress bar, if stderr is a terminal.

    Returns:
        The comparison; see ``print_comparison`` and ``write_comparison``.

    Raises:
        ValueError: A bot cannot be made or has changed, or the folder cannot be written or has
            another run.
    """
    with open_played(
        settings,
        workers=workers,
        folder=folder,
        address=address,
        accept_changed_bots=accept_changed_bots,
        progress=progress,
    ) as (run, played):
        comparison = make_comparison(settings, played, run.fingerprints)
        write_comparison(ArenaFolder(run.path).report, comparison)
    return comparison
