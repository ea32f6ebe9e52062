"""What some seats of all games of a ``BatchEnv`` observe, as the arguments of ``Agent.act``."""

from collections.abc import Iterable

import numpy as np

from mindup_env.agent import ActArguments
from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.devices import CPU
from mindup_env.envs.random_bits import draw_bits_of_turns
from mindup_env.observation import layout_of
from mindup_env.settings.checks import as_list, check_int


class SeatInputs:
    """Reads the observations of some seats once per turn, and draws the seats' random bits.

    The rows are those of game 0, seat by seat, then those of game 1, and so on. A game whose last
    turn was not read counts as begun, so that a bot forgets what it remembers of another game.
    Bots read observations without padding, also in an environment that pads them.

    Args:
        env: the games.
        seats: the seats, each once.

    Attributes:
        seats (list[int]): the seats.
    """

    def __init__(self, env: BatchEnv, seats: Iterable[int]) -> None:
        if not isinstance(env, BatchEnv):
            raise ValueError(f"env must be a BatchEnv, not {env!r}")
        if env.device != CPU:
            raise ValueError(
                f"bots and features at seats need a BatchEnv on the CPU, not on {env.device!r}; "
                "mindup_agents.cuda has features for a GPU"
            )
        last = env.config.num_players - 1
        self.seats = [check_int("a seat", seat, 0, last) for seat in as_list("seats", seats)]
        if len({*self.seats}) < len(self.seats):
            raise ValueError(f"each seat can be given once, not {self.seats}")
        self._env = env
        first_rows = np.arange(env.num_envs)[:, None] * env.config.num_players
        self._rows = (first_rows + np.array(self.seats, np.int64)).ravel()
        rows, games = len(self._rows), env.num_envs
        # New memory in every step would cost more than copying into these buffers.
        self._inputs = ActArguments(
            np.zeros((rows, layout_of(env.config).size), np.int8),
            np.zeros((rows, env.config.num_cards), np.int8),
            np.zeros(rows, np.bool_),
            np.zeros(rows, np.uint64),
        )
        self._last_keys = env.keys
        self._last_turns = np.full(games, -2, np.int16)  # before no turn at all

    def read(self) -> ActArguments:
        """The arguments for the turn that comes next; the next call overwrites the arrays."""
        env, inputs = self._env, self._inputs
        turns, seen, keys = env.turns, env.seen, env.keys
        for array, buffer in (
            (env.layout.unpad(seen["observation"]), inputs.observation),
            (seen["action_mask"], inputs.action_mask),
        ):
            rows_of_all = array.reshape(-1, array.shape[-1])
            np.take(rows_of_all, self._rows, axis=0, out=buffer, mode="clip")
        begun = (turns != self._last_turns + 1) | (keys != self._last_keys).any(axis=1)
        inputs.episode_start[:] = np.repeat(begun, len(self.seats))
        draw_bits_of_turns(keys, self._rows, env.config.num_players, turns, inputs.random_bits)
        self._last_keys, self._last_turns = keys, turns
        return inputs
