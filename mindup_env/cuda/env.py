"""All seats of many games in one call, on an NVIDIA GPU."""

import warnings
from typing import Any, NoReturn

import numpy as np

from mindup_env.batch_env import BatchEnv, IllegalActionWarning
from mindup_env.batch_env.buffers import Output, copy_arrays
from mindup_env.batch_env.state import BatchState
from mindup_env.cuda import arrays
from mindup_env.cuda.arrays import Tensor
from mindup_env.cuda.clocks import Clocks
from mindup_env.cuda.device_games import DeviceGames
from mindup_env.cuda.support import find_problem
from mindup_env.engine.batch import make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int64Array
from mindup_env.rewards import Reward
from mindup_env.threads.exclusive import exclusive


class CudaBatchEnv(BatchEnv):
    """N games with all P seats on a GPU: what ``BatchEnv(..., device="cuda")`` makes.

    For the same seeds and actions it gives the same bytes as on the CPU. Actions, observations,
    masks, rewards and infos are tensors of PyTorch on the device, or arrays of Numba where PyTorch
    is not installed; a step copies nothing to the host and waits for nothing. It is launched on the
    current stream of PyTorch.

    The arguments are those of ``BatchEnv``, except that ``reward`` must be a text,
    ``illegal_action`` must be ``"penalise"``, and there are no threads. Illegal actions are counted
    on the device; the warning is given when ``num_illegal_actions`` is read.

    Raises:
        ValueError: for what cannot work on a device, and if there is no device; the text says why.
        MemoryError: if the games do not fit into the memory of the device.
    """

    _device = "cuda"

    @property
    @exclusive
    def num_illegal_actions(self) -> int:
        """How many illegal actions were taken so far; waits for the device to know.

        The first that it finds give the warning that the CPU gives at once.
        """
        count = self._games.num_illegal
        if count and not self._warned:
            self._warned = True
            message = (
                f"{count} actions so far were forbidden by their action masks: the lowest card of "
                "the hand was played and the reward lowered by 1. This warning is shown once"
            )
            warnings.warn(IllegalActionWarning(message), stacklevel=3)
        return count

    @property
    def bytes_per_game(self) -> float:
        """What a game takes of the device's memory, with its observations and results."""
        return self._games.num_bytes / self.num_envs

    @exclusive
    def random_actions(self) -> Tensor:
        """A uniformly random legal action of every seat (N, P), on the device."""
        self._check_dealt(self._undealt)
        return self._output(self._games.random_actions())

    @exclusive
    def play_without_observations(self) -> None:
        """Plays a uniformly random turn of every game, and deals games that end anew.

        Observations and masks stay those of an earlier turn until the next step or reset.
        """
        self._check_dealt(self._undealt)
        if not self._autoreset:
            raise ValueError("without observations, games are played with autoreset=True alone")
        self._games.play_at_random()
        self._clocks.step()

    @exclusive
    def synchronize(self) -> None:
        """Waits until the device has done all that was launched for it."""
        arrays.synchronize()

    def __getstate__(self) -> NoReturn:
        raise ValueError(
            "an environment on a GPU cannot be copied or sent to another process: get_state() "
            "copies its games, and set_state() puts them into another environment"
        )

    def _check_device(self, reward: str | Reward) -> None:
        if problem := find_problem():
            raise ValueError(f'device="cuda" cannot be used: {problem}')
        if not isinstance(reward, str):
            raise ValueError(
                f"on a GPU, reward must be a text such as '0.1*margin+win', not {reward!r}: a "
                "function of Python would need all results on the host in every step"
            )
        if self._illegal_action != "penalise":
            raise ValueError(
                "on a GPU, illegal_action must be 'penalise': to raise an error, every step would "
                "wait for the device. Illegal actions are counted in num_illegal_actions"
            )
        if self._num_threads != 1:
            raise ValueError(
                f"on a GPU, num_threads must be 1, not {self._num_threads}: each game has one"
            )

    def _allocate(self) -> None:
        self._clocks = Clocks(self.num_envs, self.config.num_turns, autoreset=self._autoreset)
        try:
            self._games = DeviceGames(self.layout, self.state_layout, self.num_envs, self._weights)
            self._now = self._games.make_seen()
            self._last = self._games.make_seen() if self._autoreset else self._now
            self._games.deal(make_keys(0, self.num_envs))
            self._now.observe()
        except Exception as error:
            if not arrays.is_out_of_memory(error):
                raise
            raise MemoryError(
                f"{self.num_envs} games do not fit into the memory of the GPU, of which "
                f"{arrays.free_memory():,} bytes are free: use fewer games"
            ) from error
        self._views = self._now.tensors

    def _deal(self, keys: Keys | None) -> None:
        if keys is None:
            self._games.deal_next()
        else:
            self._games.deal(keys)
        self._clocks.restart()
        self._now.observe()

    def _step(self, actions: Tensor) -> tuple[Any, ...]:
        if self._undealt:
            self._check_dealt(self._undealt)
        given = arrays.read_actions(actions, (self.num_envs, self.config.num_players))
        out = self._games.results
        self._games.play(given)
        info: dict[str, Any] = {"points_gained": out.gained, "illegal_actions": out.illegal}
        if self._clocks.step():
            info |= {"scores": out.scores, "ranks": out.ranks, "win_share": out.win_share}
            if self._autoreset:
                self._last.observe()
                info["final_observation"] = dict(self._last.tensors)
                self._games.redeal_finished()
        self._now.observe()
        result = dict(self._now.tensors), out.rewards, out.over, out.truncated, info
        return self._output(result)

    def _output(self, tensors: Output) -> Output:
        return copy_arrays(tensors, arrays.copy_tensor) if self._copy else tensors

    def _all_keys(self) -> Keys:
        return self._games.keys

    def _all_games(self) -> Games:
        return self._games.read(np.arange(self.num_envs))._games

    def _read_states(self, views: int) -> Tensor:
        return self._games.states(self._now, views)

    def _read(self, places: Int64Array) -> BatchState:
        return self._games.read(places)

    def _write(self, places: Int64Array, state: BatchState) -> None:
        self._games.put(places, state)
        self._clocks.put(places, state._games.clock.astype(np.int64))
        self._now.observe()
