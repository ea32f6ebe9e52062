"""Compares two bots: both play the same deals in the same seats against a panel of other bots.

- ``settings``: what is played; ``run`` plays it, in the processes and folders of the arena.
- ``differences``: paired differences, their intervals and tests.
- ``report``: the comparison, printed and written; ``command`` is ``mindup compare``.
"""

from mindup_arena.comparison.report import Comparison, print_comparison, write_comparison
from mindup_arena.comparison.run import run_comparison
from mindup_arena.comparison.settings import ComparisonSettings

__all__ = [
    "Comparison",
    "ComparisonSettings",
    "print_comparison",
    "run_comparison",
    "write_comparison",
]
