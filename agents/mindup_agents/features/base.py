"""The interface and the base class of feature encoders, and the shape of what they write."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mindup_env.agent import ActArguments, check_act_arguments
from mindup_env.config import MIN_PLAYERS, GameConfig
from mindup_env.settings.checks import describe_array
from mindup_env.threads.exclusive import BusyFlag, exclusive

Float32Array = npt.NDArray[np.float32]

NO_CARD = -1.0
"""The card of a slot that is empty."""


class FeatureShape(NamedTuple):
    """A row of features: those of the table, those of each slot of the hand, then the cards.

    Slots hold the cards of the hand in ascending order. The slots after them are empty: their
    features are 0 and their card is ``NO_CARD``.

    Attributes:
        table: number of features of the table.
        card: number of features of each slot.
        slots: number of slots, that of cards in the largest hand.
    """

    table: int
    card: int
    slots: int

    @property
    def cards_begin(self) -> int:
        """Where the features of the slots begin."""
        return self.table

    @property
    def hand_begins(self) -> int:
        """Where the card of each slot begins."""
        return self.table + self.slots * self.card

    @property
    def size(self) -> int:
        """The size of a row."""
        return self.hand_begins + self.slots

    def split(self, rows: Any) -> tuple[Any, Any, Any]:
        """The parts of rows (..., size), an array or a tensor: table, slots and cards.

        Returns:
            The features of the table (..., table), those of the slots (..., slots, card), and the
            card in each slot (..., slots): the action that plays it, or ``NO_CARD``.
        """
        slots = rows[..., self.cards_begin : self.hand_begins]
        slots = slots.reshape(*rows.shape[:-1], self.slots, self.card)
        return rows[..., : self.table], slots, rows[..., self.hand_begins :]


class FeatureNames(NamedTuple):
    """What each feature is. Features of one name belong together, such as one for each prize."""

    table: tuple[str, ...]  # (table features,)
    card: tuple[str, ...]  # (card features,) the same in each slot

    def shape(self, slots: int) -> FeatureShape:
        """The shape of rows of these features."""
        return FeatureShape(len(self.table), len(self.card), slots)


class Feature(NamedTuple):
    """A feature of games with at least so many players, such as one about the third opponent."""

    name: str
    least_players: int = MIN_PLAYERS


def features_of(names: Iterable[str], least_players: int = MIN_PLAYERS) -> list[Feature]:
    """Features of the same games."""
    return [Feature(name, least_players) for name in names]


class DeclaredFeatures(NamedTuple):
    """All features of an encoder, in their order: those of games with the most players."""

    table: Sequence[Feature]
    card: Sequence[Feature]

    def names(self, num_players: int) -> FeatureNames:
        """The names of those features that games with so many players have."""
        table, card = (
            tuple(each.name for each in features if each.least_players <= num_players)
            for features in self
        )
        return FeatureNames(table, card)


class FeatureEncoder(Protocol):
    """Turns what seats observe into rows of features, scaled to about 1.

    A row depends only on what its seat has observed in this game and on the random bits of the row.
    An encoder may also have ``names``, see ``feature_names``.
    """

    @property
    def name(self) -> str:
        """The id of the features, which policy files store."""
        ...

    @property
    def shape(self) -> FeatureShape:
        """The sizes of the parts of a row."""
        ...

    def fill(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        out: Float32Array,
    ) -> None:
        """Fills ``out`` (B, size) from the arguments of ``Agent.act``. Memory is kept by row."""
        ...


def feature_names(encoder: FeatureEncoder) -> FeatureNames:
    """The ``names`` of an encoder; without them, which an encoder of a user need not have, numbers.

    Raises:
        ValueError: if they are not as many as its features.
    """
    shape = encoder.shape
    names = getattr(encoder, "names", None)
    if names is None:
        return FeatureNames(
            tuple(f"table: feature {index}" for index in range(shape.table)),
            tuple(f"card: feature {index}" for index in range(shape.card)),
        )
    if not isinstance(names, FeatureNames) or names.shape(shape.slots) != shape:
        raise ValueError(
            f"names of the encoder {encoder.name} must be FeatureNames of {shape.table} features "
            f"of the table and {shape.card} of a card"
        )
    return names


class BatchedEncoder(ABC):
    """Checks the arguments, and allocates arrays for the rows; subclasses compute the features."""

    name: str
    least_rows: int  # of a thread: with fewer, it would cost more time than it saves

    def __init__(self, config: GameConfig, names: FeatureNames) -> None:
        self.names = names
        self.shape = names.shape(config.largest_hand)
        self._config = config
        self._rows = 0
        self._busy = BusyFlag()
        self.allocate(0)

    @exclusive
    def fill(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        out: Float32Array,
    ) -> None:
        """Fills ``out`` (B, size), see ``FeatureEncoder``."""
        check_act_arguments(self._config, observation, action_mask, episode_start, random_bits)
        check_out(self.shape, len(observation), out)
        if len(observation) != self._rows:
            self._rows = -1  # until all arrays have the new size, even after an interrupt
            self.allocate(len(observation))
            self._rows = len(observation)
        given = ActArguments(observation, action_mask, episode_start, random_bits)
        self.read(given)
        self.write(given, out)

    # The steps of ``fill``, which take arguments that were checked:

    @abstractmethod
    def allocate(self, rows: int) -> None:
        """Makes the arrays for a batch of so many rows; the memory of the rows starts empty."""

    @abstractmethod
    def read(self, given: ActArguments) -> None:
        """Reads what the seats see; a RowError leaves the memory of the rows as it was."""

    @abstractmethod
    def write(self, given: ActArguments, out: Float32Array) -> None:
        """Fills ``out`` (B, size), after ``read``."""


class DeclaredEncoder(BatchedEncoder):
    """An encoder that declares its features."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__(config, self.declare(config).names(config.num_players))

    @staticmethod
    @abstractmethod
    def declare(config: GameConfig) -> DeclaredFeatures:
        """The features, whatever the number of players of the config."""


def check_out(shape: FeatureShape, rows: int, out: Float32Array) -> None:
    """Refuses an array for features of another type or shape, which compiled code would trust."""
    expected = rows, shape.size
    if not isinstance(out, np.ndarray) or out.dtype != np.float32 or out.shape != expected:
        raise ValueError(f"out must be float32 of shape {expected}, not {describe_array(out)}")
