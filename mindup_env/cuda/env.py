"""All seats of many games in one call, on an NVIDIA GPU."""

import secrets
from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from mindup_env.batch_env.kernels import StepBuffers
from mindup_env.batch_env.state import BatchState, check_state, read_places, state_of_game
from mindup_env.checks import check_int
from mindup_env.config import GameConfig, check_config
from mindup_env.cuda import device, kernels
from mindup_env.cuda.device import as_tensor, empty, launcher
from mindup_env.engine import streams
from mindup_env.engine.arrays import allocate
from mindup_env.engine.batch import first_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int16Array, make_games, make_rules
from mindup_env.game import Game
from mindup_env.observation import layout_of, state_layout_of
from mindup_env.observation.writer import scratch_size
from mindup_env.rewards import parse_reward

Tensor = Any
Tensors = dict[str, Tensor]


class CudaBatchEnv:
    """N games with all P seats on a GPU; action ``a`` plays card number ``a + 1``.

    For the same seeds and actions, all values are those of ``BatchEnv``, as tensors of PyTorch on
    the device. The next step overwrites them. A step is launched on the default stream, copies
    nothing to the host and waits for nothing. An illegal action plays the lowest legal card and
    lowers the reward by 1.

    Args:
        config: the rules; the published game for four players if None.
        num_envs: N, how many games are played at once.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``.
        autoreset: whether a finished game is replaced by the next deal in the same step.

    Attributes:
        layout (Layout): the places of the parts of an observation.
        state_layout (StateLayout): the places of the parts of ``state``.
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
            raise ValueError(f"CudaBatchEnv cannot be used: {problem}")
        if not isinstance(reward, str):
            raise ValueError(f"on a GPU, reward must be a text like 'margin+win', not {reward!r}")
        self.config = check_config(config or GameConfig())
        self.num_envs = check_int("num_envs", num_envs, 1)
        self.layout, self.state_layout = layout_of(self.config), state_layout_of(self.config)
        self._weights, self._autoreset, self._dealt = parse_reward(reward), autoreset, False
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
        if seed is None and self._dealt:
            keys = self.keys
            keys[:, streams.EPISODE] += np.uint64(1)
        else:
            keys = first_keys(secrets.randbits(64) if seed is None else seed, self.num_envs)
        device.write(self._keys, keys)
        self._deal()
        self._observe()
        self._turns[:], self._dealt = 0, True
        return self.seen, {}

    def step(self, actions: Any) -> tuple[Tensors, Tensor, Tensor, Tensor, dict[str, Any]]:
        """Plays a turn of every game, as ``BatchEnv.step``.

        Args:
            actions: (N, P) integers in the memory of the GPU, of PyTorch, CuPy or JAX.
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
            raise ValueError("play_without_observations needs autoreset=True")
        self._play_at_random()
        self._count_turn()

    def random_actions(self) -> Tensor:
        """A uniformly random legal action of every seat (N, P)."""
        self._check_reset()
        self._choose_at_random()
        return self._actions

    @property
    def seen(self) -> Tensors:
        """What every seat sees now: observation (N, P, size) and action_mask (N, P, num_cards)."""
        self._check_reset()
        return dict(self._seen)

    def state(self, *, per_seat: bool = False) -> Tensor:
        """The full states (N, size), or (N, P, size) per seat, as of ``BatchEnv.state``."""
        observations, masks = self.seen.values()
        views = [masks.roll(-view, 1) for view in range(masks.shape[1] if per_seat else 1)]
        hands = device.load_torch().stack(views, 1).flatten(2)
        public = observations[:, : len(views), self.config.num_cards :]
        states = device.load_torch().cat([hands, public], 2)
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

    def game(self, index: int) -> Game:
        """A copy of one game."""
        return self.get_state([check_int("index", index, 0, self.num_envs - 1)]).game(0)

    def set_game(self, index: int, game: Game) -> Tensors:
        """Puts a copy of ``game`` into a place; the episodes dealt after it do not change."""
        index = check_int("index", index, 0, self.num_envs - 1)
        return self.set_state([index], state_of_game(self.config, game, self.keys[[index]]))

    def get_state(self, indices: Sequence[int]) -> BatchState:
        """A copy of the games at ``indices``, for ``set_state``, of ``BatchEnv`` too."""
        self._check_reset()
        places = read_places(indices, self.num_envs)
        games = Games._make(device.to_host(field)[places] for field in self._games)
        return BatchState(self.config, games, self.keys[places])

    def set_state(self, indices: Sequence[int], state: BatchState) -> Tensors:
        """Puts games into the places ``indices``; returns the observations of all games."""
        self._check_reset()
        places = read_places(indices, self.num_envs)
        check_state(self.config, places, state)
        targets, sources = (*self._games, self._keys), (*state.games, state.keys)
        for target, source in zip(targets, sources, strict=True):
            values = device.to_host(target)
            values[places] = source
            device.write(target, values)
        self._turns[places] = state.games.clock
        self._observe()
        return self.seen

    def __getstate__(self) -> NoReturn:
        raise ValueError("games on a GPU cannot be copied with their environment: use get_state()")

    def _check_reset(self) -> None:
        if not self._dealt:
            raise ValueError("reset() deals the first games; call it first")

    def _read_actions(self, given: Any) -> Tensor:
        """The given actions as a tensor, without a copy; others are refused."""
        shape, torch = (self.num_envs, self.config.num_players), device.load_torch()
        actions = torch.from_dlpack(given) if hasattr(given, "__dlpack__") else None
        told = type(given).__name__
        if actions is not None:
            told = f"{actions.dtype} of shape {tuple(actions.shape)} on {actions.device}"
            is_integer = not (actions.is_floating_point() or actions.dtype == torch.bool)
            if is_integer and actions.shape == shape and (actions.is_cuda or device.SIMULATED):
                return actions
        raise ValueError(
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
        config, seats = self.config, (self.num_envs, self.config.num_players)
        # Transposed in memory, the same entries of neighbouring games are neighbours: the threads
        # of a warp, with a game each, read and write them together.
        self._games = device.like(make_games(config, 1), self.num_envs, "F")
        self._keys = empty((self.num_envs, 4), np.uint64, "F")
        out, actions = device.like(allocate(StepBuffers, config, N=1), self.num_envs), empty(seats)
        self._results = StepBuffers._make(as_tensor(each).zero_() for each in out)
        self._actions, self._points = as_tensor(actions), as_tensor(self._games.points)
        games = tuple(map(device.to_device, tuple(make_rules(config)))), tuple(self._games)

        def observer() -> tuple[Any, Tensors]:
            """What fills the observations and masks of all seats, and these."""
            sizes = self.layout.size, config.num_cards
            seen = [empty((*seats, size), np.int8) for size in sizes]
            flat, offsets = tuple(each.reshape(-1) for each in seen), tuple(self.layout.offsets)
            warps = self.num_envs, device.LANES, scratch_size(self.layout.size)
            observe = launcher(kernels.observe_games, warps, games, offsets, flat)
            return observe, {"observation": as_tensor(seen[0]), "action_mask": as_tensor(seen[1])}

        self._observe, self._seen = observer()
        self._observe_final, self._final = observer()
        grid = -(-self.num_envs // device.THREADS), device.THREADS, 0
        dealt, turn = (grid, games, self._keys), (actions, tuple(self._weights), tuple(out))
        self._deal = launcher(kernels.deal_games, *dealt, 0)
        self._deal_finished = launcher(kernels.deal_games, *dealt, 1)
        self._play_at_random = launcher(kernels.play_at_random, *dealt, out.cards)
        self._choose_at_random = launcher(kernels.choose_at_random, *dealt, actions)
        self._play = launcher(kernels.play_turns, grid, games, *turn)
