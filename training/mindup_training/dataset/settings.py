"""What a dataset has: all that its files depend on, besides the versions of the libraries."""

from pathlib import Path
from typing import ClassVar

from mindup_arena.settings import MatchSettings
from mindup_env.rewards import parse_reward
from mindup_env.runs.run_folder import RunFolder
from mindup_env.settings.declaration import option, settings
from mindup_training.dataset.columns import FORMATS, default_format

DATASET = "dataset"
"""The kind of the run, and the command that makes it."""
OPTIONS = "deals", "seed", "agent_seed", "one_vs_field", "reward", "random_cards", "format"
"""The settings that are options of the command."""


@settings
class DatasetSettings(MatchSettings):
    """The settings of a dataset: one bot or several, which play as in an arena.

    See ``MatchSettings`` for the others; a chunk is a file.

    Args:
        reward: The reward of each step, a sum of ``score``, ``margin`` and ``win``.
        random_cards: The probability that a seat plays a random card instead of the bot's choice.
        format: ``parquet`` or ``npz``; by default ``parquet`` where pyarrow is installed.
    """

    kind: ClassVar[str] = DATASET

    reward: str = option(
        "sum of score, margin and win with weights; with 'win', the return of a decision is the "
        "win share of its game minus an equal share",
        default="win",
    )
    random_cards: float = option(
        "probability that a seat plays a random card instead of the bot's, which leads to more "
        "different positions; the column action keeps the bot's choice",
        default=0.0,
        low=0,
        high=1,
    )
    format: str = option(
        "format of the files; without pyarrow, the default is npz",
        default_factory=default_format,
        choices=FORMATS,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_reward(self.reward)


def read_settings(folder: Path) -> DatasetSettings:
    """The settings of the dataset in a folder."""
    return RunFolder.read(folder, DATASET, DatasetSettings).settings
