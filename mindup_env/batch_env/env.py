"""All seats of many games in one call: for self-play, arenas and search."""

import secrets
import warnings
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.actions import (
    check_illegal_action,
    illegal_action_warning,
    read_actions,
    refuse_illegal,
)
from mindup_env.batch_env.buffers import (
    Arrays,
    Output,
    StepResult,
    copy_arrays,
    make_buffers,
    make_observations,
    show,
)
from mindup_env.batch_env.devices import CPU, find_device
from mindup_env.batch_env.game_threads import EnvArrays, GameThreads
from mindup_env.batch_env.kernels import (
    DEAL,
    ILLEGAL,
    NONE_OVER,
    OBSERVE,
    OBSERVE_LAST,
    OVER,
    PLAY,
    PLAY_AND_DEAL,
    run_command,
)
from mindup_env.batch_env.rewards import make_user_reward, read_rewards
from mindup_env.batch_env.state import (
    BatchState,
    FullStates,
    make_state,
    read_places,
    read_state,
    write_state,
)
from mindup_env.config import GameConfig, check_config
from mindup_env.engine import streams
from mindup_env.engine.batch import Batch, first_keys, make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int16Array
from mindup_env.game import Game
from mindup_env.observation import layout_of, state_layout_of
from mindup_env.rewards import Reward, RewardWeights, parse_reward
from mindup_env.settings.checks import check_int
from mindup_env.threads.exclusive import BusyFlag, exclusive
from mindup_env.threads.pool import NumThreads, check_num_threads


class BatchEnv:
    """N games with all P seats. Action ``a`` plays card number ``a + 1``.

    The next step overwrites the returned arrays, unless ``copy=True``. All games have equally many
    turns, so they end together unless ``set_state`` mixes them. Each thread needs an environment
    of its own: while one thread uses it, a call of another one raises a RuntimeError.

    Args:
        config: the rules; the published game for four players if None.
        num_envs: N, how many games are played at once.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, see ``rewards``; or a
            function (points_gained (N, P), over (N,), win_share (N, P)) -> rewards (N, P); or an
            object with ``compute_rewards``, which sees the full state, see ``StateReward``.
        autoreset: whether a finished game is replaced by the next deal in the same step. If not,
            it does not change any more, and its rewards are 0.
        illegal_action: ``"penalise"`` plays the lowest legal card and lowers the reward by 1,
            ``"raise"`` raises a ValueError and changes nothing.
        copy: whether every returned array is new.
        num_threads: how many threads play the games, each a part of them; ``"all"`` is one per
            core. Results are the same for every number. A thread plays at least 256 games.
        pad_to_players: pads observations and states to so many players, so that they have the same
            layout in games of fewer players; see ``Layout``.
        device: where the games are played: ``"cpu"``, or ``"cuda"`` for a GPU, see
            ``mindup_env.cuda``: the class of this device is made, which takes and returns tensors
            on the device.

    Attributes:
        device (str): where the games are played.
        layout (Layout): the places of the parts of an observation.
        state_layout (StateLayout): the places of the parts of ``state``.
    """

    def __new__(cls, *_arguments: Any, device: str = CPU, **_options: Any) -> Self:
        # As a pathlib.Path becomes one of its system, an environment becomes one of its device.
        chosen = find_device(device).env_class() if cls is BatchEnv and device != CPU else cls
        return super().__new__(cast("type[Self]", chosen))

    def __init__(  # noqa: PLR0913  # each argument is one choice of the user
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
        device: str = CPU,
    ) -> None:
        if device != CPU:
            raise ValueError(f"{type(self).__name__} plays on the device {CPU!r}, not {device!r}")
        self.device = device
        self.config = check_config(config or GameConfig())
        self.num_envs = check_int("num_envs", num_envs, 1)
        self.layout = layout_of(self.config, pad_to_players)
        self.state_layout = state_layout_of(self.config, pad_to_players)
        # User code is called after each step; a text is computed in compiled code.
        self._reward = make_user_reward(reward, self.layout, self.num_envs)
        self._weights = (
            RewardWeights() if self._reward is not None else parse_reward(cast("str", reward))
        )
        self._autoreset = autoreset
        self._illegal_action = check_illegal_action(illegal_action)
        self._copy = copy
        self._warned = False
        self._batch = Batch(self.config, self.num_envs)
        self._keys = make_keys(0, self.num_envs)
        self._seeded = False
        self._undealt = set(range(self.num_envs))
        self._actions = np.zeros((self.num_envs, self.config.num_players), np.int64)
        self._seen, self._final = (make_observations(self.layout, num_envs) for _ in range(2))
        self._out = make_buffers(self.config, self.num_envs)
        self._states = FullStates(self.state_layout, self.num_envs)
        self._busy = BusyFlag()
        self._num_threads = check_num_threads(num_threads)
        self._share_arrays()

    @exclusive
    def reset(self, seed: int | Sequence[int] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Deals all games.

        Args:
            seed: a seed deals the first episodes of its slots 0 to N - 1; N seeds deal the first
                episode of slot 0 of each; None deals the next episodes, or those of a random seed.

        Returns:
            Observations as of ``step``, and an empty info.
        """
        if seed is None and self._seeded:
            self._keys[:, streams.EPISODE] += np.uint64(1)
        else:
            first = secrets.randbits(64) if seed is None else seed
            self._keys[:] = first_keys(first, self.num_envs)
        self._seeded = True
        self._threads.run(run_command, DEAL)
        self._undealt = set()
        return self._output((dict(self._shown.seen), {}))

    @property
    @exclusive
    def keys(self) -> Keys:
        """Seed, slot, episode and agent seed (N, 4) of the games in play: a copy."""
        return self._keys.copy()

    @property
    @exclusive
    def turns(self) -> Int16Array:
        """How many turns the games in play have had (N,): a copy."""
        self._check_dealt(self._undealt)
        return self._batch.games.clock.copy()

    @exclusive
    def round_points(self, round_: int) -> Int8Array:
        """Colour, bonus and objective points of a round (from 1) so far (N, P, 3): a copy."""
        check_int("round", round_, 1, self.config.num_rounds)
        return self._batch.games.points[:, round_ - 1].copy()

    @property
    @exclusive
    def seen(self) -> Arrays:
        """What every seat sees now: observation (N, P, size) and action_mask (N, P, num_cards)."""
        return self._output(dict(self._shown.seen))

    @exclusive
    def state(self, *, per_seat: bool = False) -> Int8Array:
        """The full state of every game, with all hands: for a centralised critic.

        It holds nothing of the future: neither the order of the deck nor coming score cards.

        Args:
            per_seat: gives every seat its own view, in which it is player 0 and the others follow
                in seat order.

        Returns:
            (N, size), or (N, P, size) per seat; ``state_layout`` has the parts.
        """
        if self._undealt:
            self._check_dealt(self._undealt)
        return self._output(self._states.read(self._seen, per_seat=per_seat))

    @exclusive
    def step(self, actions: npt.ArrayLike) -> StepResult:
        """Plays a turn of every game.

        Args:
            actions: (N, P) integers.

        Returns:
            Observations: a dict of observation (N, P, size) and action_mask (N, P, num_cards);
            rewards (N, P); terminations (N,); truncations (N,), always False; and info with
            points_gained and illegal_actions (N, P). If a game ended, info also has scores, ranks
            and win_share (N, P). With autoreset it has the final_observation too, and the
            observations are those of the next deal.
        """
        if self._undealt:
            self._check_dealt(self._undealt)
        read_actions(actions, self._actions)
        if self._illegal_action == "raise":
            refuse_illegal(self._batch, self._actions)
        out, shown = self._out, self._shown.results
        if self._reward is not None:
            finished = self._batch.games.clock == self.config.num_turns
            self._reward.begin_turn(self._seen)
        happened = self._play()
        info: dict[str, Any] = {"points_gained": shown.gained, "illegal_actions": shown.illegal}
        if happened & OVER:
            info |= {"scores": shown.scores, "ranks": shown.ranks, "win_share": shown.win_share}
            if self._autoreset:
                info["final_observation"] = dict(self._shown.final)
        # From here on the turn is complete, in case user code or the warning raises an error.
        if self._reward is not None:
            last = self._final if self._autoreset else self._seen
            given = self._reward.ask(shown, self._seen, last)
            out.rewards[:] = read_rewards(given, out.illegal)
            out.rewards[finished] = 0
        if happened & ILLEGAL and not self._warned:
            self._warned = True
            first = np.argwhere(out.illegal)[0].tolist()
            warnings.warn(illegal_action_warning(self._actions, *first), stacklevel=3)
        seen = dict(self._shown.seen)
        return self._output((seen, shown.rewards, shown.over, shown.truncated, info))

    @exclusive
    def game(self, index: int) -> Game:
        """A copy of one game."""
        index = check_int("index", index, 0, self.num_envs - 1)
        self._check_dealt([index])
        return Game._of(self._batch.pick([index]))

    @exclusive
    def get_state(self, indices: Sequence[int]) -> BatchState:
        """A copy of the games at ``indices``, for ``set_state``."""
        places = read_places(indices, self.num_envs)
        if self._undealt:
            self._check_dealt(places.tolist())
        return read_state(self._batch, self._keys, places)

    @exclusive
    def set_state(self, indices: Sequence[int], state: BatchState) -> Arrays:
        """Puts games into the places ``indices``; returns the observations of all games.

        Args:
            indices: different whole numbers from 0 to N - 1.
            state: what ``get_state`` or ``belief.sample`` returned. The state of another config is
                refused, and nothing changes.
        """
        return self._put(indices, state)

    @exclusive
    def set_game(self, index: int, game: Game) -> Arrays:
        """Puts a copy of ``game`` into a place; the episodes dealt after it do not change."""
        index = check_int("index", index, 0, self.num_envs - 1)
        if not isinstance(game, Game):
            raise ValueError(f"game must be a Game, not {game!r}")
        if game.config != self.config:
            raise ValueError(f"the game is played by {game.config}, but here by {self.config}")
        games = game.copy()._batch.games  # another thread may play in the game itself
        return self._put([index], make_state(self.config, games, self._keys[[index]]))

    @exclusive
    def __getstate__(self) -> dict[str, Any]:
        """A copy, so that pickling does not read arrays that the next step changes."""
        # The threads of a copy play the copied games.
        return deepcopy({**self.__dict__, "_threads": None, "_shown": None})

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._share_arrays()

    def _share_arrays(self) -> None:
        """Gives the arrays to the threads, and views of them to users."""
        arrays = EnvArrays(
            self._batch, self._keys, self._actions, self._out, self._seen, self._final
        )
        self._threads = GameThreads(arrays, self._num_threads, self.layout.offsets, self._weights)
        self._shown = show(self._seen, self._final, self._out)

    def _check_dealt(self, indices: Iterable[int]) -> None:
        if not self._undealt.isdisjoint(indices):
            raise ValueError("reset() deals the first games; call it first")

    def _put(self, indices: Sequence[int], state: BatchState) -> Arrays:
        places = write_state(self._batch, self._keys, indices, state)
        if self._undealt:
            self._undealt.difference_update(places.tolist())
        self._threads.run(run_command, OBSERVE)
        return self._output(dict(self._shown.seen))

    def _play(self) -> int:
        """Plays a turn, and replaces games that are over; returns what happened."""
        if not self._autoreset:
            return self._threads.run(run_command, PLAY)
        happened = self._threads.run(run_command, PLAY_AND_DEAL)
        if happened & OVER and happened & NONE_OVER:
            self._threads.run(run_command, OBSERVE_LAST)
        return happened

    def _output(self, arrays: Output) -> Output:
        return copy_arrays(arrays) if self._copy else arrays
