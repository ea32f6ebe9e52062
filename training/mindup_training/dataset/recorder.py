"""Records the decisions of a chunk, in arrays that are allocated once."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import UNITS
from mindup_arena.guarded_bot import GuardedBot
from mindup_env.engine.state import Int64Array
from mindup_training.dataset.columns import NO_UNIT, Arrays, columns_of
from mindup_training.dataset.seats import ChunkSeats
from mindup_training.dataset.settings import DatasetSettings


class DecisionRecorder:
    """The columns as arrays (seats, turns, ...): in a file, a seat has its turns in a row."""

    def __init__(self, settings: DatasetSettings) -> None:
        config = settings.config
        most_seats = settings.chunk_deals * config.num_players**2
        self._buffers: Arrays = {
            column.name: np.zeros((most_seats, config.num_turns, *column.row_shape), column.dtype)
            for column in columns_of(config)
        }
        self._arrays: Arrays = {}
        self._bots: list[GuardedBot] = []

    def begin(self, seats: ChunkSeats, bots: Iterable[GuardedBot]) -> None:
        """Starts a chunk with these seats, which these bots take."""
        self._arrays = {name: each[: len(seats.deal)] for name, each in self._buffers.items()}
        self._bots = list(bots)
        for name, values in seats._asdict().items():
            self._arrays[name][:] = values[:, None]
        self._arrays["turn"][:] = np.arange(self._arrays["turn"].shape[1])
        self._arrays["card_values"].fill(np.nan)
        self._arrays["card_values_unit"].fill(NO_UNIT)

    def record_choices(
        self, decision: int, seen: dict[str, npt.NDArray[np.int8]], actions: Int64Array
    ) -> None:
        for name in ("observation", "action_mask"):
            values = self._arrays[name][:, decision]
            values[:] = seen[name].reshape(values.shape)
        self._arrays["action"][:, decision] = actions.ravel()
        for bot in self._bots:
            evaluation = bot.evaluate_cards()
            if evaluation is not None:
                unit, values = evaluation
                self._arrays["card_values"][bot.rows, decision] = values
                self._arrays["card_values_unit"][bot.rows, decision] = UNITS.index(unit)

    def record_rewards(self, decision: int, rewards: npt.NDArray[np.float32]) -> None:
        self._arrays["reward"][:, decision] = rewards.ravel()

    def rows(self) -> Arrays:
        """The columns of the chunk as rows, seat by seat; the next chunk replaces them."""
        # Bots leave anything as the values of cards that are not in the hand.
        np.copyto(self._arrays["card_values"], np.nan, where=self._arrays["action_mask"] == 0)
        rewards = self._arrays["reward"].astype(np.float64)
        self._arrays["return"][:] = rewards[:, ::-1].cumsum(axis=1)[:, ::-1]
        return {name: each.reshape(-1, *each.shape[2:]) for name, each in self._arrays.items()}
