"""The features of seats of a ``BatchEnv``, for a training loop of one's own."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import Float32Array, remember_plays
from mindup_agents.features.encoders import import_encoder
from mindup_env.batch_env import BatchEnv
from mindup_env.envs.seat_inputs import SeatInputs
from mindup_env.settings.checks import check_array


class SeatFeatures:
    """What a network reads at some seats of all games of a ``BatchEnv``.

    A row has the features of the table, those of each slot, and the card in each slot. Slots hold
    the cards of the hand in ascending order. ``shape.split(rows)`` returns these three parts.

    Args:
        env: the games.
        name: the id of the features, such as ``raw-1``, or ``module:Class``.
        seats: the S seats; all if None.

    Attributes:
        shape (FeatureShape): the sizes of the parts of a row.
        seats (list[int]): the seats.
    """

    def __init__(self, env: BatchEnv, name: str, seats: Iterable[int] | None = None) -> None:
        self._inputs = SeatInputs(env, range(env.config.num_players) if seats is None else seats)
        self._encoder = import_encoder(name, env.config)
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
