"""What a comparison plays: all that its results depend on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mindup_arena.settings import ArenaSettings
from mindup_env.agent import numbered_spec

PANEL = "random", "greedy", "planner", "predictor"
"""The default opponents: the baselines, whose cards never change."""
OPTIONS = "deals", "seed", "agent_seed", "time_limit", "record"
"""The settings that are options of the command."""


def with_panel(compared: Sequence[str], panel: Sequence[str] = ()) -> tuple[str, ...]:
    """The two bots and the panel; the default panel is without the bots that are compared."""
    if len(compared) != 2:
        raise ValueError(f"a comparison needs 2 bots, not {len(compared)}; --against has the panel")
    names = [numbered_spec(bot) for bot in compared]
    return *compared, *(panel or (bot for bot in PANEL if bot not in names))


@dataclass(frozen=True)
class ComparisonSettings(ArenaSettings):
    """The settings of a comparison: one of each compared bot against copies of each panel bot.

    Args:
        bots: The two bots to compare, then the bots of the panel.
        config: The game that they play.
        deals: Number of deals. Every match plays each deal in all seat rotations.
        seed: Random seed of the cards and of the tests.
        agent_seed: Random seed of the bots' bits; by default a one-way hash of the seed.
        one_vs_field: False: the matches are those of a comparison.
        time_limit: Seconds for each call of a bot; a slower bot forfeits.
        record: A folder for a record of every game.
        chunk_deals: Number of deals of a chunk, the unit in which bots forfeit and runs resume.
        compared: Number of bots that are compared, which is 2.

    Attributes:
        kind (str): What messages call it.
        fewest_bots (int): The smallest number of bots.
    """

    kind: ClassVar[str] = "comparison"
    fewest_bots: ClassVar[int] = 3

    compared: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.one_vs_field or self.compared != 2:
            raise ValueError("a comparison has two compared bots, and no one_vs_field")

    @property
    def num_ones(self) -> int:
        """How many bots, the first, play one against copies of each other bot."""
        return self.compared

    @property
    def panel(self) -> tuple[str, ...]:
        """The bots against which the two are compared."""
        return self.bots[self.compared :]
