"""The interface of feature encoders, and the shape of their rows."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mindup_env.agent import ActArguments, check_act_arguments
from mindup_env.config import GameConfig
from mindup_env.settings.checks import check_array

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


class FeatureEncoder(Protocol):
    """Turns what seats observe into rows of features, scaled to about 1.

    A row depends only on what its seat has observed in this game and on the random bits of the row.
    An encoder may also have a method ``remember(plays)``. It takes what a network hands on after
    each turn: the probability (B, players - 1, models, cards) of each card of each opponent, by
    each of its models; or, for an encoder of a user, any array (B, ...) of the user's network, such
    as the state of a recurrent one.
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


def remember_plays(encoder: FeatureEncoder, plays: Float32Array) -> None:
    """Hands on what a network predicted from the rows filled last, if the encoder remembers it."""
    remember: Callable[[Float32Array], None] | None = getattr(encoder, "remember", None)
    if remember is not None:
        remember(plays)


class RowEncoder(ABC):
    """An encoder of the package; subclasses write the rows."""

    name: str
    _rows = -1  # of the last batch, for which the arrays were made

    def __init__(self, config: GameConfig) -> None:
        self._config, self.shape = config, self._shape_for(config)

    def fill(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        out: Float32Array,
    ) -> None:
        """Fills ``out`` (B, size), see ``FeatureEncoder``."""
        given = ActArguments(observation, action_mask, episode_start, random_bits)
        check_act_arguments(self._config, *given)
        check_array("out", out, (len(observation), self.shape.size), kind="float32")
        if len(observation) != self._rows:
            self._allocate(len(observation))
            self._rows = len(observation)
        self._write(given, out)

    @staticmethod
    @abstractmethod
    def _shape_for(config: GameConfig) -> FeatureShape:
        """The shape of the rows."""

    @abstractmethod
    def _allocate(self, rows: int) -> None:
        """Makes the arrays for so many rows; their memory starts empty."""

    @abstractmethod
    def _write(self, given: ActArguments, out: Float32Array) -> None:
        """Fills ``out`` (B, size). An error leaves the memory of the rows as it was."""
