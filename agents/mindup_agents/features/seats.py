"""The features of seats of a ``BatchEnv``, for a training loop of one's own."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import Float32Array
from mindup_agents.features.encoders import make_encoder
from mindup_env.batch_env import BatchEnv
from mindup_env.envs.seat_inputs import SeatInputs
from mindup_env.threads.exclusive import BusyFlag, exclusive
from mindup_env.threads.pool import NumThreads


class SeatFeatures:
    """What a network reads at some seats of all games of a ``BatchEnv``.

    A row has the features of the table, those of each slot, and the card in each slot. Slots hold
    the cards of the hand in ascending order. ``shape.split(rows)`` returns these three parts. The
    rows are padded if the observations of the environment are.

    Args:
        env: the games.
        name: the id of the features, such as ``plain-1``.
        seats: the S seats; all if None.
        num_threads: how many threads compute the features, see ``make_encoder``.

    Attributes:
        shape (FeatureShape): the sizes of the parts of a row.
        seats (list[int]): the seats.
    """

    def __init__(
        self,
        env: BatchEnv,
        name: str,
        seats: Iterable[int] | None = None,
        num_threads: NumThreads = 1,
    ) -> None:
        self._inputs = SeatInputs(env, range(env.config.num_players) if seats is None else seats)
        self._encoder = make_encoder(
            name, env.config, num_threads, pad_to_players=env.layout.pad_to_players
        )
        self.shape, self.seats = self._encoder.shape, self._inputs.seats
        self._rows = np.zeros((env.num_envs, len(self.seats), self.shape.size), np.float32)
        self._busy = BusyFlag()

    @exclusive
    def read(self) -> Float32Array:
        """The rows (N, S, size) for the turn that comes next; call it once per turn.

        The next call overwrites the array.
        """
        given = self._inputs.read()
        flat = self._rows.reshape(len(given.observation), self.shape.size)
        self._encoder.fill(*given, flat)
        return self._rows

    def to_actions(self, slots: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """The actions (N, S) that play the cards in the given slots (N, S) of the last rows.

        An empty slot has the action -1, which is illegal.
        """
        chosen = np.asarray(slots)
        expected = self._rows.shape[:2]
        if chosen.shape != expected or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"slots must be integers of shape {expected} (games, seats), not {chosen.dtype} of "
                f"shape {chosen.shape}"
            )
        outside = chosen[(chosen < 0) | (chosen >= self.shape.slots)]
        if outside.size:
            raise ValueError(f"a slot must be 0 to {self.shape.slots - 1}, not {outside[0]}")
        *_, cards = self.shape.split(self._rows)
        return np.take_along_axis(cards, chosen[..., None], axis=-1)[..., 0].astype(np.int64)
