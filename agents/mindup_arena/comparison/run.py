"""Plays a comparison, in the processes and the folder of an arena."""

from pathlib import Path

from mindup_arena.comparison.report import Comparison, make_comparison, write_comparison
from mindup_arena.comparison.settings import ComparisonSettings
from mindup_arena.run import open_played


def run_comparison(
    settings: ComparisonSettings,
    *,
    workers: int = 1,
    folder: Path | None = None,
    address: str | None = None,
    progress: bool = True,
) -> Comparison:
    """Compares two bots: both play the same deals and seats against copies of each panel bot.

    The same seed gives the same results with any number of workers and on any cluster, unless
    there is a time limit. Bots run in processes of their own, which import the main module: a
    script calls this under ``if __name__ == "__main__":``.

    Args:
        settings: The bots, their game, the deals and the seed.
        workers: Number of processes that play.
        folder: Keeps the results. A comparison that was interrupted in this folder is resumed, if
            it has the same settings.
        address: Play on all cores of this Ray cluster instead, as in ``run_arena``.
        progress: Show a progress bar, if stderr is a terminal.

    Returns:
        The comparison; see ``print_comparison`` and ``write_comparison``.

    Raises:
        ValueError: A bot cannot be made, a folder cannot be written, or the folder has a comparison
            with other settings.
    """
    with open_played(
        settings, workers=workers, folder=folder, address=address, progress=progress
    ) as (kept, played):
        comparison = make_comparison(settings, played)
        write_comparison(kept.report, comparison)
    return comparison
