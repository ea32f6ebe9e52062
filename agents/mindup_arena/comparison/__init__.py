"""Compares two bots: both play the same deals in the same seats against a panel of other bots.

- ``command``: ``mindup arena compare``: what is played, and the comparison, printed and written
- ``differences``: paired differences, their intervals and tests
"""

from mindup_arena.comparison.command import (
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
