"""All seats of many games in one call, on an NVIDIA GPU."""

from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.actions import warn_of_illegal
from mindup_env.batch_env.buffers import StepBuffers, make_buffers
from mindup_env.batch_env.kernels import OVER
from mindup_env.batch_env.state import BatchState, make_state
from mindup_env.cuda import arrays, kernels
from mindup_env.cuda.arrays import DeviceArray, Launch, Tensor, threads_for
from mindup_env.cuda.clocks import Clocks
from mindup_env.cuda.support import cuda, find_problem
from mindup_env.engine.batch import make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int64Array, make_games
from mindup_env.observation.writer import scratch_size
from mindup_env.rewards import Reward


class Seen(NamedTuple):
    """What every seat sees: what fills it, and the tensors that are filled."""

    observe: Launch
    tensors: dict[str, Tensor]  # observation (N, P, size) and action_mask (N, P, num_cards)


class CudaBatchEnv(BatchEnv):
    """N games with all P seats on a GPU: what ``BatchEnv(..., device="cuda")`` makes.

    For the same seeds and actions it gives the same bytes as on the CPU. Actions, observations,
    masks, rewards and infos are tensors of PyTorch on the device, or arrays of Numba where PyTorch
    is not installed; a step copies nothing to the host and waits for nothing. It is launched on the
    current stream of PyTorch.

    The arguments are those of ``BatchEnv``, except that ``reward`` must be a text, and
    ``illegal_action`` must be ``"penalise"``. Illegal actions are counted on the device; the
    warning is given when ``num_illegal_actions`` is read.

    Raises:
        ValueError: for what cannot work on a device, and if there is no device; the text says why.
        MemoryError: if the games do not fit into the memory of the device.
    """

    _device = "cuda"
    _copy_array = staticmethod(arrays.copy_tensor)

    @property
    def num_illegal_actions(self) -> int:
        """How many illegal actions were taken so far; waits for the device to know.

        The first that it finds give the warning that the CPU gives at once.
        """
        count = int(arrays.to_host(self._num_illegal)[0])
        if count and not self._warned:
            self._warned = True
            warn_of_illegal(f"{count} actions so far were forbidden by their action masks")
        return count

    @property
    def bytes_per_game(self) -> float:
        """What a game takes of the device's memory, with its observations and results."""
        return self._num_bytes / self.num_envs

    def play_without_observations(self) -> None:
        """Plays a uniformly random turn of every game, and deals games that end anew.

        Observations and masks stay those of an earlier turn until the next step or reset.
        """
        self._check_reset()
        if not self._autoreset:
            raise ValueError("without observations, games are played with autoreset=True alone")
        self._play_at_random()
        self._clocks.step()

    def synchronize(self) -> None:
        """Waits until the device has done all that was launched for it."""
        cuda.synchronize()

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

    def _allocate(self) -> None:
        self._clocks = Clocks(self.num_envs, self.config.num_turns, autoreset=self._autoreset)
        try:
            self._allocate_games()
            self._now = self._make_seen()
            self._last = self._make_seen() if self._autoreset else self._now
            self._deal(make_keys(0, self.num_envs))
        except Exception as error:
            if not arrays.is_out_of_memory(error):
                raise
            raise MemoryError(
                f"{self.num_envs} games do not fit into the memory of the GPU, of which "
                f"{arrays.free_memory():,} bytes are free: use fewer games"
            ) from error
        self._views, self._final_views = self._now.tensors, self._last.tensors

    def _allocate_games(self) -> None:
        """Makes all that a step reads and writes except observations, and the launches for it."""
        config, num_games = self.config, self.num_envs
        self._games = arrays.like(make_games(config, 1), num_games, transposed=True)
        out = arrays.like(make_buffers(config, 1), num_games)
        self._num_bytes = sum(each.nbytes for each in (*self._games, *out))
        self._results = StepBuffers._make(map(arrays.as_tensor, out))
        self._keys = self._empty((4,), np.uint64, "F")
        self._actions, self._random_actions = (
            self._empty((config.num_players,), np.int64) for _ in range(2)
        )
        self._num_illegal = arrays.to_device(np.zeros(1, np.int64))
        self._arrays = arrays.make_device_rules(config), tuple(self._games)
        self._turn = tuple(self._weights), tuple(out), (self._actions, self._num_illegal)
        self._turns: dict[tuple[Any, ...], Launch] = {}  # by the type of the actions
        self._states_by_views: dict[int, tuple[Launch, Tensor]] = {}  # by the views of a game

        def of_games(kernel: Any, *arguments: Any) -> Launch:
            keys = (self._keys,)
            return Launch(kernel, threads_for(num_games), self._arrays, keys, *arguments)

        hows = kernels.DEAL_BY_KEYS, kernels.DEAL_NEXT, kernels.DEAL_FINISHED
        self._deal_by_keys, self._deal_next, self._redeal_finished = (
            of_games(kernels.deal_games, how) for how in hows
        )
        self._play_at_random = of_games(kernels.play_at_random, (out.cards,))
        self._fill_at_random = of_games(kernels.choose_at_random, (self._random_actions,))

    def _make_seen(self) -> Seen:
        """New tensors for what every seat sees."""
        config, size = self.config, self.layout.size
        shapes = (config.num_players, size), (config.num_players, config.num_cards)
        flat = tuple(self._empty(shape, np.int8).reshape(-1) for shape in shapes)
        observation, action_mask = (
            arrays.as_tensor(each.reshape(self.num_envs, *shape))
            for each, shape in zip(flat, shapes, strict=True)
        )
        observe = Launch(
            kernels.observe_games,
            (self.num_envs, kernels.LANES),
            self._arrays,
            tuple(self.layout.offsets),
            flat,
            shared=scratch_size(size),
        )
        return Seen(observe, {"observation": observation, "action_mask": action_mask})

    def _empty(self, shape: tuple[int, ...], dtype: Any, order: str = "C") -> DeviceArray:
        array = arrays.empty((self.num_envs, *shape), dtype, order)
        self._num_bytes += array.nbytes
        return array

    def _deal(self, keys: Keys | None) -> None:
        if keys is None:
            self._deal_next()
        else:
            arrays.write(self._keys, keys)
            self._deal_by_keys()
        self._clocks.restart()
        self._now.observe()

    def _choose_at_random(self) -> Tensor:
        self._fill_at_random()
        return arrays.as_tensor(self._random_actions)

    def _read_actions(self, given: Any) -> DeviceArray:
        return arrays.read_actions(given, (self.num_envs, self.config.num_players))

    def _play(self, actions: DeviceArray) -> int:
        form, turn = (actions.dtype, actions.strides), (self._arrays, (actions,), *self._turn)
        if form not in self._turns:
            self._turns[form] = Launch(kernels.play_turns, threads_for(self.num_envs), *turn)
        self._turns[form](*turn)
        happened = OVER if self._clocks.step() else 0
        if happened and self._autoreset:
            self._last.observe()
            self._redeal_finished()
        self._now.observe()
        return happened

    def _all_keys(self) -> Keys:
        return np.ascontiguousarray(arrays.to_host(self._keys))

    def _all_games(self) -> Games:
        return self._read(np.arange(self.num_envs))._games

    def _read_states(self, views: int) -> Tensor:
        if views not in self._states_by_views:
            states = self._empty((views, self.state_layout.size), np.int8)
            seen = tuple(map(arrays.as_array, self._now.tensors.values()))
            by_view = threads_for(self.num_envs * views)
            launch = Launch(kernels.write_states, by_view, seen, (states,))
            self._states_by_views[views] = launch, arrays.as_tensor(states)
        launch, tensor = self._states_by_views[views]
        launch()
        return tensor

    def _read(self, places: Int64Array) -> BatchState:
        count = len(places)
        games = arrays.like(make_games(self.config, 1), count)
        keys = arrays.empty((count, 4), np.uint64)
        _copy_games((self._games, self._keys, places), (games, keys, np.arange(count)))
        return make_state(
            self.config, Games._make(map(arrays.to_host, games)), arrays.to_host(keys)
        )

    def _write(self, places: Int64Array, state: BatchState) -> None:
        fields = cast("tuple[npt.NDArray[Any], ...]", tuple(state._games))
        games = Games._make(map(arrays.to_device, fields))
        given = games, arrays.to_device(state._keys), np.arange(len(places))
        _copy_games(given, (self._games, self._keys, places))
        self._clocks.put(places, state._games.clock.astype(np.int64))
        self._now.observe()


Places = tuple[Games, DeviceArray, Int64Array]
"""Games on the device, their keys (N, 4), and the places (n,) of some of them."""


def _copy_games(source: Places, target: Places) -> None:
    if len(source[2]):
        arguments = (
            each
            for games, keys, places in (source, target)
            for each in ((tuple(games), keys), (arrays.to_device(places),))
        )
        Launch(kernels.copy_games, threads_for(len(source[2])), *arguments)()
