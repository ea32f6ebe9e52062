"""What a dataset has: all that its files depend on, besides the versions of the libraries."""

from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, ClassVar, Self

from mindup_arena.settings import ONE_VS_FIELD, MatchSettings
from mindup_env.rewards import parse_reward
from mindup_env.settings.declaration import from_plain, option, settings, to_plain
from mindup_training.dataset import npz_file, parquet_file
from mindup_training.dataset.columns import FileFormat

FORMATS: dict[str, FileFormat] = {"parquet": parquet_file, "npz": npz_file}

OPTIONS = "deals", "seed", "agent_seed", "one_vs_field", "reward", "random_cards", "format"
"""The settings that are options of the command."""


@settings
class DatasetSettings(MatchSettings):
    """The settings of a dataset: one bot or several, which play as in an arena.

    Args:
        bots: One or more bots by their specs, as ``make_agent`` takes them.
        config: The game that they play.
        deals: Number of deals.
        seed: Random seed of the cards.
        agent_seed: Random seed of the bots' bits; by default a one-way hash of the seed.
        chunk_deals: Number of deals in a file, of one match.
        one_vs_field: Only one of the first bot against copies of each other bot.
        reward: The reward of each step, a sum of ``score``, ``margin`` and ``win``.
        random_cards: The probability that a seat plays a random card instead of the bot's choice.
        format: ``parquet`` or ``npz``; by default ``parquet`` where pyarrow is installed.
    """

    kind: ClassVar[str] = "dataset"

    one_vs_field: bool = option(ONE_VS_FIELD, default=False)
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
    format: str | None = option(
        "format of the files (default: parquet where pyarrow is installed, otherwise npz)",
        default=None,
        choices=tuple(FORMATS),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        parse_reward(self.reward)

    @property
    def num_ones(self) -> int | None:
        return 1 if self.one_vs_field else None

    @property
    def file_format(self) -> FileFormat:
        """The module that writes and reads the files."""
        return FORMATS[self.with_format().format or ""]

    def with_format(self) -> Self:
        """These settings with the format filled in."""
        if self.format is not None:
            return self
        return replace(self, format="parquet" if find_spec("pyarrow") else "npz")

    def to_dict(self) -> dict[str, Any]:
        """Returns plain data for JSON, with the version of the package."""
        return {"mindup_env": version("mindup-env"), **to_plain(self)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Reads what ``to_dict`` returned; refuses the data of another version."""
        begun, now = plain["mindup_env"], version("mindup-env")
        if begun != now:
            raise ValueError(
                f"it was begun with mindup-env {begun}, and this is {now}: results may differ "
                "between versions"
            )
        return from_plain(cls, {name: plain[name] for name in plain if name != "mindup_env"})
