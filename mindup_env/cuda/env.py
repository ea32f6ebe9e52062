"""All seats of many games in one call, on an NVIDIA GPU."""

import secrets
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn, cast

import numpy as np

from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.actions import IllegalActionWarning, check_illegal_action
from mindup_env.batch_env.buffers import Output, copy_arrays
from mindup_env.batch_env.state import (
    BatchState,
    check_state,
    make_state,
    read_places,
)
from mindup_env.config import GameConfig, check_config
from mindup_env.cuda import arrays
from mindup_env.cuda.arrays import Tensor
from mindup_env.cuda.clocks import Clocks
from mindup_env.cuda.device_games import DeviceGames
from mindup_env.cuda.support import find_problem
from mindup_env.engine.batch import first_keys, make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int16Array
from mindup_env.game import Game
from mindup_env.observation import layout_of, state_layout_of
from mindup_env.rewards import Reward, parse_reward
from mindup_env.settings.checks import check_int
from mindup_env.threads.exclusive import BusyFlag, exclusive
from mindup_env.threads.pool import NumThreads

Tensors = dict[str, Any]

NAME = "cuda"


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

    def __init__(  # noqa: PLR0913  # those of BatchEnv
        self,
        config: GameConfig | None = None,
        num_envs: int = 1,
        *,
        reward: str | Reward = "win",
        autoreset: bool = True,
        illegal_action: str = "penalise",
        copy: bool = False,
        num_threads: NumThreads = 1,
        pad_to_players: int | None = None,
        device: str = NAME,
    ) -> None:
        _refuse(reward, illegal_action, num_threads, device)
        self.device = device
        self.config = check_config(config or GameConfig())
        self.num_envs = check_int("num_envs", num_envs, 1)
        self.layout = layout_of(self.config, pad_to_players)
        self.state_layout = state_layout_of(self.config, pad_to_players)
        weights = parse_reward(cast("str", reward))
        self._autoreset, self._copy = autoreset, copy
        self._warned = False
        self._seeded = False
        self._is_dealt = np.zeros(self.num_envs, np.bool_)
        self._clocks = Clocks(self.num_envs, self.config.num_turns, autoreset=autoreset)
        self._busy = BusyFlag()
        try:
            self._games = DeviceGames(self.layout, self.state_layout, self.num_envs, weights)
            self._now = self._games.make_seen()
            self._last = self._games.make_seen() if autoreset else self._now
            self._games.deal(make_keys(0, self.num_envs))
            self._now.observe()
        except Exception as error:
            if not arrays.is_out_of_memory(error):
                raise
            raise MemoryError(
                f"{self.num_envs} games do not fit into the memory of the GPU, of which "
                f"{arrays.free_memory():,} bytes are free: use fewer games"
            ) from error

    @exclusive
    def reset(self, seed: int | Sequence[int] | None = None) -> tuple[Tensors, Tensors]:
        """Deals all games, see ``BatchEnv.reset``."""
        if seed is None and self._seeded:
            self._games.deal_next()
        else:
            first = secrets.randbits(64) if seed is None else seed
            self._games.deal(first_keys(first, self.num_envs))
        self._seeded = True
        self._is_dealt[:] = True
        self._clocks.restart()
        self._now.observe()
        return self._output((dict(self._now.tensors), {}))

    @property
    @exclusive
    def keys(self) -> Keys:
        """Seed, slot, episode and agent seed (N, 4) of the games in play: a copy on the host."""
        return self._games.keys

    @property
    @exclusive
    def turns(self) -> Int16Array:
        """How many turns the games in play have had (N,): a copy on the host."""
        self._check_dealt()
        return self._games.read(np.arange(self.num_envs))._games.clock

    @exclusive
    def round_points(self, round_: int) -> Int8Array:
        """The points of a round (N, P, 3), see ``BatchEnv.round_points``: a copy on the host."""
        check_int("round", round_, 1, self.config.num_rounds)
        return self._games.read(np.arange(self.num_envs))._games.points[:, round_ - 1]

    @property
    @exclusive
    def seen(self) -> Tensors:
        """What every seat sees now: observation (N, P, size) and action_mask (N, P, num_cards)."""
        return self._output(dict(self._now.tensors))

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
    def state(self, *, per_seat: bool = False) -> Tensor:
        """The full state of every game, see ``BatchEnv.state``."""
        self._check_dealt()
        states = self._games.states(self._now, self.config.num_players if per_seat else 1)
        return self._output(states if per_seat else states[:, 0])

    @exclusive
    def step(self, actions: Tensor) -> tuple[Tensors, Tensor, Tensor, Tensor, Tensors]:
        """Plays a turn of every game, see ``BatchEnv.step``.

        Args:
            actions: (N, P) integers on the device.
        """
        self._check_dealt()
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

    @exclusive
    def random_actions(self) -> Tensor:
        """A uniformly random legal action of every seat (N, P), on the device."""
        self._check_dealt()
        return self._output(self._games.random_actions())

    @exclusive
    def play_without_observations(self) -> None:
        """Plays a uniformly random turn of every game, and deals games that end anew.

        Observations and masks stay those of an earlier turn until the next step or reset.
        """
        self._check_dealt()
        if not self._autoreset:
            raise ValueError("without observations, games are played with autoreset=True alone")
        self._games.play_at_random()
        self._clocks.step()

    @exclusive
    def game(self, index: int) -> Game:
        """A copy of one game."""
        index = check_int("index", index, 0, self.num_envs - 1)
        self._check_dealt([index])
        return self._games.read(np.array([index])).game(0)

    @exclusive
    def get_state(self, indices: Sequence[int]) -> BatchState:
        """A copy of the games at ``indices`` on the host, for ``set_state`` on any device."""
        places = read_places(indices, self.num_envs)
        self._check_dealt(places)
        return self._games.read(places)

    @exclusive
    def set_state(self, indices: Sequence[int], state: BatchState) -> Tensors:
        """Puts games into the places ``indices``, see ``BatchEnv.set_state``."""
        return self._put(indices, state)

    @exclusive
    def set_game(self, index: int, game: Game) -> Tensors:
        """Puts a copy of ``game`` into a place; the episodes dealt after it do not change."""
        index = check_int("index", index, 0, self.num_envs - 1)
        if not isinstance(game, Game):
            raise ValueError(f"game must be a Game, not {game!r}")
        keys = self._games.read(np.array([index])).keys
        return self._put([index], make_state(game.config, game.copy()._batch.games, keys))

    @exclusive
    def synchronize(self) -> None:
        """Waits until the device has done all that was launched for it."""
        arrays.synchronize()

    def __getstate__(self) -> NoReturn:
        raise ValueError(
            "an environment on a GPU cannot be copied or sent to another process: get_state() "
            "copies its games, and set_state() puts them into another environment"
        )

    def _check_dealt(self, places: Any = slice(None)) -> None:
        if not self._is_dealt[places].all():
            raise ValueError("reset() deals the first games; call it first")

    def _put(self, indices: Sequence[int], state: BatchState) -> Tensors:
        places = read_places(indices, self.num_envs)
        check_state(self.config, places, state)
        self._games.put(places, state)
        self._is_dealt[places] = True
        self._clocks.put(places, state._games.clock.astype(np.int64))
        self._now.observe()
        return self._output(dict(self._now.tensors))

    def _output(self, tensors: Output) -> Output:
        return copy_arrays(tensors, arrays.copy_tensor) if self._copy else tensors


def _refuse(
    reward: str | Reward, illegal_action: str, num_threads: NumThreads, device: str
) -> None:
    """Refuses what does not work on a device."""
    if device != NAME:
        raise ValueError(f"CudaBatchEnv plays on the device {NAME!r}, not {device!r}")
    if problem := find_problem():
        raise ValueError(f'device="cuda" cannot be used: {problem}')
    if not isinstance(reward, str):
        raise ValueError(
            f"on a GPU, reward must be a text such as '0.1*margin+win', not {reward!r}: a function "
            "of Python would need all results on the host in every step"
        )
    if check_illegal_action(illegal_action) != "penalise":
        raise ValueError(
            "on a GPU, illegal_action must be 'penalise': to raise an error, every step would wait "
            "for the device. Illegal actions are counted in num_illegal_actions"
        )
    if num_threads != 1:
        raise ValueError(f"on a GPU, num_threads must be 1, not {num_threads!r}: each game has one")
