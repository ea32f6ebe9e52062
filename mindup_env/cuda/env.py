"""All seats of many games in one call, on an NVIDIA GPU."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from mindup_env.batch_env.kernels import StepBuffers
from mindup_env.batch_env.many_games import ManyGames
from mindup_env.batch_env.state import BatchState
from mindup_env.checks import InputError, check_int
from mindup_env.config import GameConfig
from mindup_env.cuda import device, kernels
from mindup_env.cuda.device import as_tensor, empty, launcher
from mindup_env.engine.arrays import allocate
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int16Array, Int64Array, make_games, make_rules
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

    Arguments and attributes are as of ``BatchEnv``. ``reward`` is a text.
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
        if not isinstance(reward, str):
            raise InputError(f"on a GPU, reward must be a text like 'margin+win', not {reward!r}")
        super().__init__(config, num_envs, autoreset=autoreset)
        self._weights = parse_reward(reward)
        # On the host: a step knows what ends while the device is still playing.
        self._turns = np.zeros(self.num_envs, np.int16)
        try:
            self._allocate()
        except Exception as error:
            if "OUT_OF_MEMORY" not in str(error):
                raise
            raise MemoryError(
                f"{self.num_envs} games do not fit into the memory of the GPU: use fewer games"
            ) from error

    def reset(self, seed: int | Sequence[int] | None = None) -> tuple[Tensors, dict[str, Any]]:
        """Deals all games, by the same seeds as ``BatchEnv.reset``."""
        device.write(self._keys, self._keys_to_deal(seed))
        self._deal()
        self._observe()
        self._turns[:] = 0
        self._dealt = True
        return self.seen, {}

    def step(self, actions: Any) -> tuple[Tensors, Tensor, Tensor, Tensor, dict[str, Any]]:
        """Plays a turn of every game, as ``BatchEnv.step``.

        The actions are integers (N, P) in the memory of the GPU, of PyTorch, CuPy or JAX.
        """
        self._check_reset()
        self._actions.copy_(self._read_actions(actions))
        self._play()
        out = self._results
        info: dict[str, Any] = {"points_gained": out.gained, "illegal_actions": out.illegal}
        if self._count_turn():
            info |= {"scores": out.scores, "ranks": out.ranks, "win_share": out.win_share}
            if self._autoreset:
                self._observe_final()
                info["final_observation"] = dict(self._final)
                self._deal_finished()
        self._observe()
        return self.seen, out.rewards, out.over, out.truncated, info

    def play_without_observations(self) -> None:
        """Plays a uniformly random turn of every game, and deals games that end anew.

        Observations and masks stay those of an earlier turn until the next step or reset.
        """
        self._check_reset()
        if not self._autoreset:
            raise InputError("play_without_observations needs autoreset=True")
        self._play_at_random()
        self._count_turn()

    def random_actions(self) -> Tensor:
        """A uniformly random legal action of every seat (N, P)."""
        self._check_reset()
        self._choose_at_random()
        return self._actions

    @property
    def seen(self) -> Tensors:
        self._check_reset()
        return dict(self._seen)

    def state(self, *, per_seat: bool = False) -> Tensor:
        """The full states (N, size), or (N, P, size) per seat, as of ``BatchEnv.state``."""
        observations, masks = self.seen.values()
        num_views = masks.shape[1] if per_seat else 1
        views = [masks.roll(-view, 1) for view in range(num_views)]
        torch = device.load_torch()
        hands = torch.stack(views, 1).flatten(2)
        public = observations[:, :num_views, self.config.num_cards :]
        states = torch.cat([hands, public], 2)
        return states if per_seat else states[:, 0]

    @property
    def keys(self) -> Keys:
        """Seed, slot, episode and agent seed (N, 4) of the games in play: a copy, on the host."""
        return np.ascontiguousarray(device.to_host(self._keys))

    @property
    def turns(self) -> Int16Array:
        """How many turns the games in play have had (N,): a copy, on the host."""
        self._check_reset()
        return self._turns.copy()

    def round_points(self, round_: int) -> Tensor:
        """Colour, bonus and objective points of a round (from 1) so far (N, P, 3): a copy."""
        self._check_reset()
        check_int("round", round_, 1, self.config.num_rounds)
        return self._points[:, round_ - 1].clone()

    def _read(self, places: Int64Array) -> BatchState:
        games = Games._make(device.to_host(field)[places] for field in self._games)
        return BatchState(self.config, games, self.keys[places])

    def _write(self, places: Int64Array, state: BatchState) -> None:
        targets = *self._games, self._keys
        sources = *state.games, state.keys
        for target, source in zip(targets, sources, strict=True):
            values = device.to_host(target)
            values[places] = source
            device.write(target, values)
        self._turns[places] = state.games.clock
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

    def _count_turn(self) -> bool:
        """Counts a turn of all games; returns whether a game is over after it."""
        self._turns += 1
        over = self._turns >= self.config.num_turns
        self._turns[over] = 0 if self._autoreset else self.config.num_turns
        return bool(over.any())

    def _allocate(self) -> None:
        """Makes all that a step reads and writes, and what launches it."""
        config = self.config
        seats = self.num_envs, config.num_players
        # Transposed in memory, the same entries of neighbouring games are neighbours: the threads
        # of a warp, with a game each, read and write them together.
        self._games = device.like(make_games(config, 1), self.num_envs, "F")
        self._keys = empty((self.num_envs, 4), np.uint64, "F")
        self._points = as_tensor(self._games.points)
        actions = empty(seats)
        self._actions = as_tensor(actions)
        out = device.like(allocate(StepBuffers, config, N=1), self.num_envs)
        self._results = StepBuffers._make(as_tensor(each).zero_() for each in out)
        rules = tuple(map(device.to_device, make_rules(config)))
        games = rules, tuple(self._games)

        def observer() -> tuple[Any, Tensors]:
            """What fills the observations and masks of all seats, and these."""
            sizes = self.layout.size, config.num_cards
            seen = [empty((*seats, size), np.int8) for size in sizes]
            flat = tuple(each.reshape(-1) for each in seen)
            offsets = tuple(self.layout.offsets)
            warps = self.num_envs, device.LANES, scratch_size(self.layout.size)
            observe = launcher(kernels.observe_games, warps, games, offsets, flat)
            return observe, {"observation": as_tensor(seen[0]), "action_mask": as_tensor(seen[1])}

        self._observe, self._seen = observer()
        self._observe_final, self._final = observer()
        grid = -(-self.num_envs // device.THREADS), device.THREADS, 0
        dealt = grid, games, self._keys
        turn = actions, tuple(self._weights), tuple(out)
        self._deal = launcher(kernels.deal_games, *dealt, 0)
        self._deal_finished = launcher(kernels.deal_games, *dealt, 1)
        self._play_at_random = launcher(kernels.play_at_random, *dealt, out.cards)
        self._choose_at_random = launcher(kernels.choose_at_random, *dealt, actions)
        self._play = launcher(kernels.play_turns, grid, games, *turn)
