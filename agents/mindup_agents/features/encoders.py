"""The feature encoders by id: they check a batch, and pad its rows.

``SeatFeatures`` reads those of seats of a ``BatchEnv``, for a training loop of one's own.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import (
    FeatureEncoder,
    FeatureNames,
    FeatureShape,
    Float32Array,
    RowWriter,
    remember_plays,
)
from mindup_agents.features.combined import JOINT, CombinedFeatures
from mindup_agents.features.memory import MemoryFeatures
from mindup_agents.features.plain import PlainFeatures, RawFeatures
from mindup_agents.features.position import PositionFeatures
from mindup_agents.features.sampling import (
    ForecastFeatures,
    JudgedPlayoutFeatures,
    PlayoutFeatures,
)
from mindup_env.agent import ActArguments, CodeKind, check_act_arguments, find_code, names_code
from mindup_env.batch_env import BatchEnv
from mindup_env.config import GameConfig
from mindup_env.envs.seat_inputs import SeatInputs
from mindup_env.observation.vector_layout import count_blocks
from mindup_env.settings.checks import check_array

ENCODERS: dict[str, type[RowWriter]] = {
    writer.name: writer
    for writer in (
        *(PlainFeatures, RawFeatures, MemoryFeatures),
        *(PositionFeatures, ForecastFeatures, PlayoutFeatures, JudgedPlayoutFeatures),
    )
}
"""What writes the rows, by the id of the features."""

ENCODER = CodeKind("encoder", "myfeatures:Encoder")
"""An encoder of a user: a class of a config."""

_FORMER_IDS = {"foreseen-1": ForecastFeatures.name, "tried-1": PlayoutFeatures.name}
"""The ids in the first policy files and run folders."""


class _Padding(NamedTuple):
    """The places that features have in games with more players.

    The features of players that are not at the table are 0, and one more feature for each player
    says who is.
    """

    names: FeatureNames
    places: npt.NDArray[np.int64]  # (size,) of the features without padding
    seats: slice  # of the features of those at the table

    @classmethod
    def of(cls, writer: RowWriter, config: GameConfig, pad_to_players: int) -> Self:
        count_blocks(config, pad_to_players)  # refuses too few players
        declared = writer.declare(config)
        table, card = declared.names(pad_to_players)
        names = FeatureNames((*table, *["table: seats"] * pad_to_players), card)
        kept_of_table, kept_of_card = (
            np.flatnonzero(
                [
                    feature.least_players <= config.num_players
                    for feature in features
                    if feature.least_players <= pad_to_players
                ]
            )
            for features in declared
        )
        shape = names.shape(config.largest_hand)
        slots = shape.cards_begin + shape.card * np.arange(shape.slots)
        cards = (slots[:, None] + kept_of_card).ravel()
        hand = np.arange(shape.hand_begins, shape.size)
        seats = slice(len(table), len(table) + config.num_players)
        return cls(names, np.concatenate([kept_of_table, cards, hand]), seats)


class BatchEncoder:
    """Encodes the rows of a batch: checks it, and lets a writer write them."""

    def __init__(
        self,
        make: Callable[[GameConfig], RowWriter],
        config: GameConfig,
        pad_to_players: int | None = None,
    ) -> None:
        self._config, self._writer = config, make(config)
        self.name, self.names = self._writer.name, self._writer.names
        self._padding = None
        if pad_to_players is not None:
            self._padding = _Padding.of(self._writer, config, pad_to_players)
            self.names = self._padding.names
        self.shape = self.names.shape(config.largest_hand)
        self._allocate(0)

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
        self._writer.read(given)
        padding = self._padding
        self._writer.write(given, out if padding is None else self._unpadded)
        if padding is not None:
            out[:] = 0
            out[:, padding.places] = self._unpadded
            out[:, padding.seats] = 1

    def remember(self, plays: Float32Array) -> None:
        """Takes what a network predicted from the rows filled last, see ``FeatureEncoder``."""
        self._writer.remember(plays)

    def _allocate(self, rows: int) -> None:
        self._rows = -1  # until all arrays have the new size, even after an interrupt
        self._writer.allocate(rows)
        if self._padding is not None:
            self._unpadded = np.zeros((rows, len(self._padding.places)), np.float32)
        self._rows = rows


def current_id(name: str) -> str:
    """The id that replaces a former one; any other id as it is."""
    return _FORMER_IDS.get(name, name)


def writer_of(name: str, also: str = "") -> Callable[[GameConfig], RowWriter]:
    """Makes what writes the features of an id, or of several that are joined by ``+``.

    ``also`` is what the error about an unknown id names besides those that are available.
    """
    parts = name.split(JOINT)
    for each in parts:
        if each not in ENCODERS or parts.count(each) > 1:
            raise ValueError(
                f"unknown features {name!r}; available: {', '.join(ENCODERS)}, each once, or "
                f"several of them joined by {JOINT}{also}"
            )
    if len(parts) == 1:
        return ENCODERS[name]
    return partial(CombinedFeatures, parts=[ENCODERS[each] for each in parts])


def make_encoder(name: str, config: GameConfig, pad_to_players: int | None = None) -> BatchEncoder:
    """The encoder of an id such as ``plain-1``.

    No other code is run, whatever the name.

    Args:
        name: the id of the features, or several ids joined by ``+``.
        config: the rules.
        pad_to_players: pads the rows to so many players, so that they have the same shape in games
            of fewer players. The encoder reads observations without padding.
    """
    return BatchEncoder(writer_of(name), config, pad_to_players)


def import_encoder(
    features: str, config: GameConfig, pad_to_players: int | None = None
) -> FeatureEncoder:
    """The encoder of an id, or of ``module:Class``, which is imported.

    A user's own encoder pads its rows itself.

    Only for what the user names: text from a policy file must not run code.
    """
    if not names_code(features):
        return make_encoder(features, config, pad_to_players)
    encoder: FeatureEncoder = find_code(ENCODER, features).build(config)
    shape = getattr(encoder, "shape", None)
    if not isinstance(shape, FeatureShape) or min(shape) < 1 or shape.slots < config.largest_hand:
        raise ValueError(
            f"the shape of encoder {features!r} must be a FeatureShape of at least 1 feature of "
            f"the table, 1 of each card and {config.largest_hand} slots, not {shape!r}"
        )
    return encoder


class SeatFeatures:
    """What a network reads at some seats of all games of a ``BatchEnv``.

    A row has the features of the table, those of each slot, and the card in each slot. Slots hold
    the cards of the hand in ascending order. ``shape.split(rows)`` returns these three parts. The
    rows are padded if the observations of the environment are.

    Args:
        env: the games.
        name: the id of the features, such as ``plain-1``, or ``module:Class``.
        seats: the S seats; all if None.

    Attributes:
        shape (FeatureShape): the sizes of the parts of a row.
        seats (list[int]): the seats.
    """

    def __init__(self, env: BatchEnv, name: str, seats: Iterable[int] | None = None) -> None:
        self._inputs = SeatInputs(env, range(env.config.num_players) if seats is None else seats)
        padding = env.layout.pad_to_players
        self._encoder = import_encoder(name, env.config, padding)
        self.shape, self.seats = self._encoder.shape, self._inputs.seats
        self._rows = np.zeros((env.num_envs, len(self.seats), self.shape.size), np.float32)

    def read(self) -> Float32Array:
        """The rows (N, S, size) for the turn that comes next.

        A second call in a turn returns them again; that in the next turn overwrites the array.
        """
        if self._inputs.is_read():
            return self._rows
        given = self._inputs.read()
        flat = self._rows.reshape(len(given.observation), self.shape.size)
        self._encoder.fill(*given, flat)
        return self._rows

    def remember(self, plays: Float32Array) -> None:
        """Takes what a network predicted from the last rows, see ``FeatureEncoder``.

        Of the features of the package, only memory-1 remembers it; ``plays`` is then
        (N * S, players - 1, models, num_cards).
        """
        remember_plays(self._encoder, plays)

    def to_actions(self, slots: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """The actions (N, S) that play the cards in the given slots (N, S) of the last rows.

        An empty slot has the action -1, which is illegal.
        """
        chosen = check_array("slots", slots, self._rows.shape[:2], " (games, seats)")
        outside = chosen[(chosen < 0) | (chosen >= self.shape.slots)]
        if outside.size:
            raise ValueError(f"a slot must be 0 to {self.shape.slots - 1}, not {outside[0]}")
        *_, cards = self.shape.split(self._rows)
        return np.take_along_axis(cards, chosen[..., None], axis=-1)[..., 0].astype(np.int64)
