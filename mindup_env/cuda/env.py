"""All seats of many games in one call, on an NVIDIA GPU."""

from typing import Any, NoReturn

import numpy as np

from mindup_env.batch_env.kernels import StepBuffers
from mindup_env.batch_env.many_games import ManyGames
from mindup_env.checks import InputError, check_type
from mindup_env.config import GameConfig
from mindup_env.cuda import device, kernels
from mindup_env.cuda.device import as_tensor, empty, launcher
from mindup_env.engine.arrays import allocate
from mindup_env.engine.batch import Batch
from mindup_env.engine.state import (
    Games,
    Int16Array,
    Int64Array,
    Keys,
    Rules,
    make_games,
    make_rules,
)
from mindup_env.observation.writer import scratch_size
from mindup_env.rewards import parse_reward

Tensor = Any
Tensors = dict[str, Tensor]


class CudaBatchEnv(ManyGames):
    """N games with all P seats on a GPU; action ``a`` plays card number ``a + 1``.

    For the same seeds and actions, all values are those of ``BatchEnv``, as tensors of PyTorch on
    the device. The next step overwrites them. A step is launched on the default stream, copies
    nothing to the host and waits for nothing. An illegal action plays the lowest legal card and
    lowers the reward by 1.

    Arguments, attributes and methods are as of ``BatchEnv``. ``reward`` is a text; the actions of
    ``step`` are integers (N, P) in the memory of the GPU, of PyTorch, CuPy or JAX.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        num_envs: int = 1,
        *,
        reward: str = "win",
        autoreset: bool = True,
    ) -> None:
        if problem := device.find_problem():
            raise InputError(f"CudaBatchEnv cannot be used: {problem}")
        check_type("reward, on a GPU,", reward, str)
        super().__init__(config, num_envs, autoreset=autoreset)
        self._library = device.load_torch()
        self._weights = parse_reward(reward)
        # On the host: a step knows what ends while the device is still playing.
        self._turns = np.zeros(self.num_envs, np.int16)
        rounds = range(1, self.config.num_rounds + 1)
        self._round_ends = np.cumsum([self.config.turns_of(round_) for round_ in rounds])
        try:
            self._allocate()
        except Exception as error:
            if "OUT_OF_MEMORY" not in str(error):
                raise
            raise MemoryError(
                f"{self.num_envs} games do not fit into the memory of the GPU: use fewer games"
            ) from error

    def random_actions(self) -> Tensor:
        """A uniformly random legal action of every seat (N, P)."""
        self._check_reset()
        self._choose_at_random()
        return self._actions

    @property
    def seen(self) -> Tensors:
        self._check_reset()
        return dict(self._seen)

    @property
    def keys(self) -> Keys:
        return np.ascontiguousarray(device.to_host(self._games.keys))

    @property
    def turns(self) -> Int16Array:
        self._check_reset()
        return self._turns.copy()

    def _deal(self, keys: Keys) -> None:
        device.write(self._games.keys, keys)
        self._deal_all()
        self._observe()
        self._turns[:] = 0

    def _play(self, actions: Any) -> tuple[bool, bool]:
        self._actions.copy_(self._read_actions(actions))
        self._play_turns()
        were_over = self._turns == self.config.num_turns
        self._turns += ~were_over
        over = self._turns == self.config.num_turns
        ends_round = np.isin(self._turns, self._round_ends) & ~were_over
        if self._autoreset:
            self._turns[over] = 0
        return bool(ends_round.any()), bool(over.any())

    def _deal_over(self) -> Tensors:
        self._observe_final()
        self._deal_next()
        return dict(self._final)

    def _complete(self) -> None:
        self._observe()

    def _look(self) -> Tensors:
        observe, seen = self._observer()
        observe()
        return seen

    def _read(self, indices: Int64Array) -> Batch:
        games = Games._make(device.to_host(field)[indices] for field in self._games)
        return Batch(self.config, games)

    def _write(self, indices: Int64Array, state: Batch) -> None:
        for target, source in zip(self._games, state.games, strict=True):
            values = device.to_host(target)
            values[indices] = source
            device.write(target, values)
        self._turns[indices] = state.games.clock
        self._observe()

    def __getstate__(self) -> NoReturn:
        raise InputError("games on a GPU cannot be copied with their environment: use get_state()")

    def _read_actions(self, given: Any) -> Tensor:
        """The given actions as a tensor, without a copy; others are refused."""
        shape = self.num_envs, self.config.num_players
        torch = device.load_torch()
        actions = torch.from_dlpack(given) if hasattr(given, "__dlpack__") else None
        told = type(given).__name__
        if actions is not None:
            told = f"{actions.dtype} of shape {tuple(actions.shape)} on {actions.device}"
            is_integer = not (actions.is_floating_point() or actions.dtype == torch.bool)
            if is_integer and actions.shape == shape and (actions.is_cuda or device.SIMULATED):
                return actions
        raise InputError(
            f"actions must be integers of shape {shape} (games, players) in the memory of the GPU, "
            f"as a tensor of PyTorch, CuPy or JAX, not {told}"
        )

    def _allocate(self) -> None:
        """Makes all that a step reads and writes, and what launches it."""
        config = self.config
        # Transposed in memory, the same entries of neighbouring games are neighbours: the threads
        # of a warp, with a game each, read and write them together.
        self._games = device.like(make_games(config, 1), self.num_envs, "F")
        self._rules = Rules._make(map(device.to_device, make_rules(config)))
        out = device.like(allocate(StepBuffers, config, N=1), self.num_envs)
        self._out = StepBuffers._make(as_tensor(each).zero_() for each in out)
        self._actions: Tensor = self._out.actions
        self._observe, self._seen = self._observer()
        self._observe_final, self._final = self._observer()
        grid = -(-self.num_envs // device.THREADS), device.THREADS, 0
        games = grid, self._rules, self._games
        self._deal_all = launcher(kernels.deal_all, *games)
        self._deal_next = launcher(kernels.deal_over, *games)
        self._choose_at_random = launcher(kernels.choose_at_random, *games, out.actions)
        self._play_turns = launcher(kernels.play_turns, *games, self._weights, out)

    def _observer(self) -> tuple[Any, Tensors]:
        """What fills new observations and masks of all seats, and these."""
        sizes = self.layout.size, self.config.num_cards
        seats = self.num_envs, self.config.num_players
        seen = [empty((*seats, size), np.int8) for size in sizes]
        flat = (each.reshape(-1) for each in seen)
        warps = self.num_envs, device.LANES, scratch_size(self.layout.size)
        games = warps, self._rules, self._games
        observe = launcher(kernels.observe_games, *games, self.layout.offsets, *flat)
        return observe, {"observation": as_tensor(seen[0]), "action_mask": as_tensor(seen[1])}
