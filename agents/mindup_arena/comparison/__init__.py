"""Compares two bots: both play the same deals in the same seats against a panel of other bots.

- ``report``: what is played, and the comparison, printed and written
- ``differences``: paired differences, their intervals and tests; ``command`` is ``mindup compare``
"""

from mindup_arena.comparison.report import (
    Comparison,
    ComparisonSettings,
    print_comparison,
    run_comparison,
    write_comparison,
)

__all__ = [
    "Comparison",
    "ComparisonSettings",
    "print_comparison",
    "run_comparison",
    "write_comparison",
]
