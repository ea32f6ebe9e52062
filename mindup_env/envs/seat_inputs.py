"""What some seats of games observe, as the arguments of ``Agent.act``."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mindup_env.agent import ActArguments
from mindup_env.batch_env import BatchEnv
from mindup_env.checks import as_list, check_int
from mindup_env.config import GameConfig
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int16Array, Int64Array
from mindup_env.envs.random_bits import draw_random_bits
from mindup_env.observation import layout_of

Observations = dict[str, npt.NDArray[np.int8]]


class SeatRows:
    """Buffers for at most ``most_rows`` seats; new memory in every step would cost more.

    A seat is named by its row, its flat index into (games, players).
    """

    def __init__(self, config: GameConfig, most_rows: int) -> None:
        self._num_players = config.num_players
        self.all_rows = ActArguments(
            np.zeros((most_rows, layout_of(config).size), np.int8),
            np.zeros((most_rows, config.num_cards), np.int8),
            np.zeros(most_rows, np.bool_),
            np.zeros(most_rows, np.uint64),
        )

    def read(
        self, seen: Observations, keys: Keys, rows: Int64Array, turns: int | Int16Array
    ) -> ActArguments:
        """What the seats of ``rows`` observe, and their random bits.

        Args:
            seen: the observation (N, P, size) and action_mask (N, P, num_cards) of every seat.
            keys: seed, slot, episode and agent seed of each game (N, 4).
            rows: the seats (B,).
            turns: how many turns the games had before: a number, or (N,).
        """
        inputs = ActArguments._make(buffer[: len(rows)] for buffer in self.all_rows)
        for name, buffer in zip(("observation", "action_mask"), inputs[:2], strict=True):
            rows_of_all = seen[name].reshape(-1, buffer.shape[1])
            np.take(rows_of_all, rows, axis=0, out=buffer, mode="clip")
        draw_random_bits(keys, rows, self._num_players, turns, inputs.random_bits)
        return inputs


class SeatInputs:
    """Reads the observations of some seats once per turn, and draws the seats' random bits.

    The rows are those of game 0, seat by seat, then those of game 1, and so on. A game whose last
    turn was not read counts as begun, so that a bot forgets what it remembers of another game.

    Args:
        env: the games.
        seats: the seats, each once.

    Attributes:
        seats (list[int]): the seats.
    """

    def __init__(self, env: BatchEnv, seats: Iterable[int]) -> None:
        if not isinstance(env, BatchEnv):
            raise ValueError(f"env must be a BatchEnv, not {env!r}")
        last = env.config.num_players - 1
        self.seats = [check_int("a seat", seat, 0, last) for seat in as_list("seats", seats)]
        if len({*self.seats}) < len(self.seats):
            raise ValueError(f"each seat can be given once, not {self.seats}")
        self._env = env
        first_rows = np.arange(env.num_envs)[:, None] * env.config.num_players
        self._rows = (first_rows + np.array(self.seats, np.int64)).ravel()
        self._buffers = SeatRows(env.config, len(self._rows))
        self._last_keys = env.keys
        self._last_turns = np.full(env.num_envs, -2, np.int16)  # before no turn at all

    def is_read(self) -> bool:
        """Whether ``read`` was called for the turn that comes next, in all games."""
        turns, keys = self._env.turns, self._env.keys
        if (turns != self._last_turns).any() or (keys != self._last_keys).any():
            return False
        # A game may have been set back, and have come to another position of the same turn.
        before = self._buffers.all_rows.observation
        seen = self._env.seen["observation"]
        return np.array_equal(seen.reshape(-1, before.shape[1])[self._rows], before)

    def read(self) -> ActArguments:
        """The arguments for the turn that comes next; the next call overwrites the arrays."""
        turns, seen, keys = self._env.turns, self._env.seen, self._env.keys
        inputs = self._buffers.read(seen, keys, self._rows, turns)
        begun = (turns != self._last_turns + 1) | (keys != self._last_keys).any(axis=1)
        inputs.episode_start[:] = np.repeat(begun, len(self.seats))
        self._last_keys, self._last_turns = keys, turns
        return inputs
