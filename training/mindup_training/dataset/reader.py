"""A dataset as arrays. Reading a file runs no code from it, and checks it against the settings."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mindup_arena.schedule import Chunk, chunks
from mindup_training.dataset.columns import (
    Array,
    Arrays,
    columns_of,
    unpack_bits,
    unpack_observation,
    unpack_values,
)
from mindup_training.dataset.formats import check_installed, read_chunk
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
            yield self._read(chunk)

    def seats(self) -> Iterator[ChunkSeats]:
        """The seats of each chunk, without reading its file."""
        for chunk in chunks(self.settings):
            yield seats_of(self.settings, chunk)

    def _read(self, chunk: Chunk) -> DecisionChunk:
        settings, path = self.settings, file_of(self._folder, chunk, self.settings)
        try:
            rows = num_rows(settings, chunk)
            return _with_axes(read_chunk(path, columns_of(settings.config), rows), settings, chunk)
        except FileNotFoundError:
            raise ValueError(f"{path} is missing: the dataset is not complete") from None
        except OSError as error:
            raise ValueError(f"cannot read {path}: {error}") from None
        except ValueError as error:
            raise ValueError(
                f"{path} is not chunk {chunk.number} of its dataset: {error}"
            ) from None


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


def _with_axes(arrays: Arrays, settings: DatasetSettings, chunk: Chunk) -> DecisionChunk:
    seats, turns = seats_of(settings, chunk), settings.config.num_turns
    by_turn = {
        name: each.reshape(turns, len(seats.deal), *each.shape[1:]) for name, each in arrays.items()
    }
    keys = {**seats._asdict(), "turn": np.arange(turns)[:, None]}
    for name, expected in keys.items():
        if (by_turn[name] != expected).any():
            raise ValueError(f"the column {name} must have the numbers of the chunk")
    masks = unpack_bits(by_turn["action_mask"], settings.config.num_cards)
    _check_values(by_turn, masks)
    return DecisionChunk(
        seats,
        observation=unpack_observation(
            by_turn["observation_bits"], by_turn["observation_numbers"], settings.config
        ),
        action_mask=masks,
        action=by_turn["action"],
        reward=by_turn["reward"],
        returns=by_turn["return"],
        card_values=unpack_values(by_turn["card_values"], masks),
        card_values_unit=by_turn["card_values_unit"],
    )


def _check_values(arrays: Arrays, masks: Array) -> None:
    actions = arrays["action"]
    in_range = (actions >= 0) & (actions < masks.shape[-1])
    chosen = np.where(in_range, actions, 0)[..., None].astype(np.int64)
    if not (in_range & (np.take_along_axis(masks, chosen, axis=-1)[..., 0] == 1)).all():
        raise ValueError("the column action must be actions that the mask allows")
    for name in ("reward", "return"):
        if not np.isfinite(arrays[name]).all():
            raise ValueError(f"the column {name} must be finite")
