"""A dataset as arrays. Reading a file runs no code from it, and checks it against the settings."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mindup_arena.schedule import Chunk, chunks
from mindup_env.observation import layout_of
from mindup_training.dataset.columns import (
    Array,
    check_installed,
    columns_of,
    number_parts,
    read_chunk,
    unpack_values,
)
from mindup_training.dataset.make import file_of
from mindup_training.dataset.seats import ChunkSeats, num_rows, seats_of, total_rows
from mindup_training.dataset.settings import DatasetSettings, read_settings


class DecisionChunk(NamedTuple):
    """T turns of S seats: the seats of some games in order, each game from its deal to its end.

    Attributes:
        seats: the deal, the rotation, the seat and the bot of each (S,).
        observation: int8 (T, S, size).
        action_mask: int8 (T, S, num_cards).
        action: int8 (T, S).
        reward: float32 (T, S).
        returns: float32 (T, S), the column ``return``.
        card_values: float32 (T, S, num_cards); NaN where there is no value.
        card_values_unit: int8 (T, S).
    """

    seats: ChunkSeats
    observation: Array  # (T, S, size)
    action_mask: Array  # (T, S, num_cards)
    action: Array  # (T, S)
    reward: Array  # (T, S)
    returns: Array  # (T, S)
    card_values: Array  # (T, S, num_cards)
    card_values_unit: Array  # (T, S)


class Dataset:
    """A complete dataset in a folder.

    Attributes:
        settings (DatasetSettings): what was played and written.
    """

    def __init__(self, folder: Path, settings: DatasetSettings) -> None:
        self.settings = settings
        self._folder = folder

    @property
    def num_rows(self) -> int:
        """The number of decisions."""
        return total_rows(self.settings)

    def chunks(self) -> Iterator[DecisionChunk]:
        """The files one after the other, in the order of their numbers.

        Raises:
            ValueError: A file is missing or damaged, or is not the one that belongs there.
        """
        for chunk in chunks(self.settings):
            path = file_of(self._folder, chunk, self.settings)
            try:
                yield _read(path, self.settings, chunk)
            except OSError as error:
                raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
            except ValueError as error:
                raise ValueError(
                    f"{path} is not chunk {chunk.number} of its dataset: {error}"
                ) from None

    def seats(self) -> Iterator[ChunkSeats]:
        """The seats of each chunk, without reading its file."""
        for chunk in chunks(self.settings):
            yield seats_of(self.settings, chunk)


def read_dataset(path: Path | str) -> Dataset:
    """The dataset in a folder.

    Raises:
        ValueError: There is no dataset, it is not complete, or it is damaged.
    """
    folder = Path(path)
    settings = read_settings(folder)
    check_installed(settings.format)
    needed = chunks(settings)
    missing = [chunk for chunk in needed if not file_of(folder, chunk, settings).exists()]
    if missing:
        raise ValueError(
            f"the dataset in {path} is not complete: {len(missing)} of {len(needed)} "
            f"files are missing; to make them: mindup dataset --resume {path}"
        )
    return Dataset(folder, settings)


def _read(path: Path, settings: DatasetSettings, chunk: Chunk) -> DecisionChunk:
    config, seats = settings.config, seats_of(settings, chunk)
    rows = read_chunk(path, columns_of(config), num_rows(settings, chunk))
    arrays = {
        name: each.reshape(config.num_turns, len(seats.deal), *each.shape[1:])
        for name, each in rows.items()
    }
    size, parts = layout_of(config).size, np.r_[*number_parts(config)]
    observations = np.unpackbits(arrays["observation_bits"], axis=-1, count=size).view(np.int8)
    numbers = arrays["observation_numbers"]
    masks = np.unpackbits(arrays["action_mask"], axis=-1, count=config.num_cards).view(np.int8)
    cards = arrays["action"].astype(np.int64)[..., None]
    is_card = (cards >= 0) & (cards < config.num_cards)
    allowed = is_card & (np.take_along_axis(masks, np.where(is_card, cards, 0), axis=-1) == 1)
    slots = config.largest_hand
    keys = {**seats._asdict(), "turn": np.arange(config.num_turns)[:, None]}
    rules = [
        *((name, "have the numbers of the chunk", arrays[name] == keys[name]) for name in keys),
        ("action_mask", f"have at most {slots} cards in a hand", masks.sum(axis=-1) <= slots),
        ("action", "be actions that the mask allows", allowed),
        *((name, "be finite", np.isfinite(arrays[name])) for name in ("reward", "return")),
        (
            "observation_numbers",
            "agree with observation_bits",
            observations[..., parts] == (numbers != 0),
        ),
    ]
    for name, rule, is_kept in rules:
        if not is_kept.all():
            raise ValueError(f"the column {name} must {rule}")
    observations[..., parts] = numbers
    return DecisionChunk(
        seats,
        observation=observations,
        action_mask=masks,
        action=arrays["action"],
        reward=arrays["reward"],
        returns=arrays["return"],
        card_values=unpack_values(arrays["card_values"], masks),
        card_values_unit=arrays["card_values_unit"],
    )
