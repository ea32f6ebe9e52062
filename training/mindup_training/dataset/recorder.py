"""Records the decisions of a chunk, in arrays that are allocated once."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import UNITS
from mindup_arena.guarded_bot import GuardedBot
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_training.dataset.columns import NO_UNIT, Arrays, columns_of
from mindup_training.dataset.seats import ChunkSeats
from mindup_training.dataset.settings import DatasetSettings


class DecisionRecorder:
    """The columns as arrays (turns, seats, ...), which is also the order of the rows in a file."""

    def __init__(self, settings: DatasetSettings) -> None:
        config = settings.config
        self._num_turns = config.num_turns
        most_rows = settings.chunk_deals * config.num_players**2 * config.num_turns
        self._buffers: Arrays = {
            column.name: np.zeros((most_rows, *column.row_shape), column.dtype)
            for column in columns_of(config)
        }
        self._arrays: Arrays = {}
        self._bots: list[GuardedBot] = []

    def begin(self, seats: ChunkSeats, bots: Iterable[GuardedBot]) -> None:
        """Starts a chunk with these seats, which these bots take."""
        turns, num_seats = self._num_turns, len(seats.deal)
        self._arrays = {
            name: each[: turns * num_seats].reshape(turns, num_seats, *each.shape[1:])
            for name, each in self._buffers.items()
        }
        self._bots = list(bots)
        for name, values in seats._asdict().items():
            self._arrays[name][:] = values
        self._arrays["turn"][:] = np.arange(turns)[:, None]
        self._arrays["card_values_unit"].fill(NO_UNIT)

    def record_choices(
        self, decision: int, seen: dict[str, npt.NDArray[np.int8]], actions: Int64Array
    ) -> None:
        now = {name: each[decision] for name, each in self._arrays.items()}
        for name in ("observation", "action_mask"):
            now[name][:] = seen[name].reshape(now[name].shape)
        now["action"][:] = actions.ravel()
        for bot in self._bots:
            evaluation = bot.evaluate_cards()
            if evaluation is None:
                now["card_values"][bot.rows] = np.nan
                continue
            unit, values = evaluation
            store_card_values(bot.rows, values, now["action_mask"], now["card_values"])
            now["card_values_unit"][bot.rows] = UNITS.index(unit)

    def record_rewards(self, decision: int, rewards: npt.NDArray[np.float32]) -> None:
        self._arrays["reward"][decision] = rewards.ravel()

    def rows(self) -> Arrays:
        """The columns of the chunk as rows, turn by turn; the next chunk replaces them."""
        rewards = self._arrays["reward"].astype(np.float64)
        self._arrays["return"][:] = rewards[::-1].cumsum(axis=0)[::-1]
        return {name: each.reshape(-1, *each.shape[2:]) for name, each in self._arrays.items()}


@kernel
def store_card_values(
    rows: Int64Array,
    values: npt.NDArray[np.floating],
    masks: Int8Array,
    out: npt.NDArray[np.float32],
) -> None:
    """Copies ``values`` (B, num_cards) to ``out`` (S, num_cards), for the cards in the hands.

    Bots leave anything as the values of other cards.
    """
    for i in range(len(rows)):
        for card in range(masks.shape[1]):
            held = masks[rows[i], card] != 0
            out[rows[i], card] = values[i, card] if held else np.nan
