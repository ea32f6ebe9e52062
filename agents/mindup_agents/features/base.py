"""The interface of feature encoders, what writes their rows, and the shape of these."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.observed_games import ObservedGames
from mindup_env.agent import ActArguments
from mindup_env.config import MIN_PLAYERS, GameConfig

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
    An encoder may also have ``names``, see ``feature_names``, and a method ``remember(plays)``. It
    takes what a network hands on after each turn: the probability (B, players - 1, models, cards)
    of each card of each opponent, by each of its models; or, for an encoder of a user, any array
    (B, ...) of the user's network, such as the state of a recurrent one.
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


def remember_plays(encoder: FeatureEncoder, plays: Float32Array) -> None:
    """Hands on what a network predicted from the rows filled last, if the encoder remembers it."""
    remember: Callable[[Float32Array], None] | None = getattr(encoder, "remember", None)
    if remember is not None:
        remember(plays)


class RowWriter(ABC):
    """Computes the features of neighbouring rows of a batch, and has their memory.

    Its arguments were checked, except for the observations themselves: an impossible one is a
    RowError of ``read``, which leaves the memory of the rows as it was.
    """

    name: str

    def __init__(self, config: GameConfig) -> None:
        self.names = self.declare(config).names(config.num_players)
        self.shape = self.names.shape(config.largest_hand)
        self._config = config
        self.allocate(0)

    @abstractmethod
    def declare(self, config: GameConfig) -> DeclaredFeatures:
        """The features, whatever the number of players of the config."""

    def allocate(self, rows: int) -> None:
        """Makes the arrays for so many rows; their memory starts empty."""
        self._observed = ObservedGames(self._config, rows)

    def read(self, given: ActArguments) -> None:
        """Reads what the seats see."""
        self._observed.read(given.observation)

    @abstractmethod
    def write(self, given: ActArguments, out: Float32Array) -> None:
        """Fills ``out`` (B, size), after ``read``."""

    def remember(self, plays: Float32Array) -> None:  # noqa: B027  # most need no predictions
        """Takes what a network predicted from the rows written last, see ``FeatureEncoder``."""
