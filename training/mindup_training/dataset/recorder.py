"""Records the decisions of a chunk, in arrays that are allocated once."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import UNITS
from mindup_arena.bot import ArenaBot
from mindup_arena.schedule import Chunk
from mindup_env.engine.state import Int64Array
from mindup_training.dataset.columns import NO_UNIT, Arrays, columns_of
from mindup_training.dataset.packing import number_entries, pack_numbers, pack_values
from mindup_training.dataset.seats import seats_of
from mindup_training.dataset.settings import DatasetSettings


class DecisionRecorder:
    """The columns as arrays (turns, seats, ...), which is also the order of the rows in a file."""

    def __init__(self, settings: DatasetSettings) -> None:
        config = settings.config
        self._num_turns, self._number_entries = config.num_turns, number_entries(config)
        most_rows = settings.chunk_deals * config.num_players**2 * config.num_turns
        self._buffers: Arrays = {
            column.name: np.zeros((most_rows, *column.row_shape), column.dtype)
            for column in columns_of(config)
        }
        self._arrays: Arrays = {}
        self._bots: list[ArenaBot] = []
        self._settings, self._rng = settings, np.random.default_rng()

    def begin(self, chunk: Chunk, bots: Iterable[ArenaBot]) -> None:
        """Starts a chunk whose seats these bots take."""
        seats = seats_of(self._settings, chunk)
        self._rng = np.random.default_rng([self._settings.seed, chunk.number])
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
        num_seats = actions.size
        observations = seen["observation"].reshape(num_seats, -1)
        masks = seen["action_mask"].reshape(num_seats, -1)
        now["observation_bits"][:] = np.packbits(observations, axis=1)
        pack_numbers(observations, self._number_entries, now["observation_numbers"])
        now["action_mask"][:] = np.packbits(masks, axis=1)
        now["action"][:] = actions.ravel()
        for bot in self._bots:
            evaluation = bot.evaluate_cards()
            if evaluation is None:
                now["card_values"][bot.rows] = np.nan
                continue
            unit, values = evaluation
            pack_values(bot.rows, values, masks, now["card_values"])
            now["card_values_unit"][bot.rows] = UNITS.index(unit)

        if self._settings.random_cards > 0:
            self._play_random_cards(masks, actions)

    def _play_random_cards(self, masks: npt.NDArray[np.int8], actions: Int64Array) -> None:
        """Replaces some of the ``actions`` (games, players) by random ones that ``masks`` allow."""
        is_random = self._rng.random(actions.shape) < self._settings.random_cards
        drawn = (self._rng.random(masks.shape) * masks).argmax(axis=1).reshape(actions.shape)
        actions[is_random] = drawn[is_random]

    def record_rewards(self, decision: int, rewards: npt.NDArray[np.float32]) -> None:
        self._arrays["reward"][decision] = rewards.ravel()

    def rows(self) -> Arrays:
        """The columns of the chunk as rows, turn by turn; the next chunk replaces them."""
        rewards = self._arrays["reward"].astype(np.float64)
        self._arrays["return"][:] = rewards[::-1].cumsum(axis=0)[::-1]
        return {name: each.reshape(-1, *each.shape[2:]) for name, each in self._arrays.items()}
