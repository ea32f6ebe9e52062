"""Plays a comparison, in the processes and the folder of an arena."""

from typing import Unpack

from mindup_arena.comparison.report import (
    Comparison,
    ComparisonSettings,
    make_comparison,
    write_comparison,
)
from mindup_arena.run import HowToPlay, open_report


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
    with open_report(settings, **how) as (path, report):
        comparison = make_comparison(settings, report)
        write_comparison(path, comparison)
    return comparison
