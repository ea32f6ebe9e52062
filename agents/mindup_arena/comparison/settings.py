"""What a comparison plays: all that its results depend on."""

from collections.abc import Sequence
from typing import ClassVar

from mindup_arena.settings import RankedSettings
from mindup_env.agent import numbered_spec
from mindup_env.settings.declaration import settings

PANEL = "random", "greedy", "planner", "predictor"
"""The default opponents: the baselines, whose cards never change."""
COMPARED = 2
"""The bots that are compared, which come first."""


def with_panel(compared: Sequence[str], panel: Sequence[str] = ()) -> tuple[str, ...]:
    """The two bots and the panel; the default panel is without the bots that are compared."""
    if len(compared) != COMPARED:
        raise ValueError(f"a comparison needs 2 bots, not {len(compared)}; --against has the panel")
    names = [numbered_spec(bot) for bot in compared]
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
