"""All seats of many games in one call: for self-play, arenas and search."""

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.actions import check_illegal_action, refuse_illegal, warn_of_illegal
from mindup_env.batch_env.buffers import (
    Arrays,
    Output,
    StepResult,
    copy_arrays,
    flatten,
    make_buffers,
    make_observations,
)
from mindup_env.batch_env.kernels import (
    DEAL,
    ILLEGAL,
    OVER,
    PENALTY,
    PLAY,
    PLAY_AND_DEAL,
    StepArguments,
    choose_at_random,
    observe_places,
    run_command,
)
from mindup_env.batch_env.state import BatchState, check_state, read_places
from mindup_env.checks import check_array, check_int
from mindup_env.config import GameConfig, check_config, refuse_other_config
from mindup_env.engine import streams
from mindup_env.engine.batch import Batch, first_keys, make_keys
from mindup_env.engine.kernels import Keys, copy_games
from mindup_env.engine.state import Int8Array, Int16Array, Int64Array
from mindup_env.game import Game
from mindup_env.observation import layout_of, state_layout_of
from mindup_env.observation.writer import write_states
from mindup_env.rewards import Reward, RewardWeights, parse_reward

_ARRAYS = (
    *("_batch", "_keys", "_actions", "_seen", "_final"),
    *("_out", "_states", "_flat_seen", "_arguments"),
)
"""What a copy of an environment makes anew."""


class BatchEnv:
    """N games with all P seats. Action ``a`` plays card number ``a + 1``.

    The next step overwrites the returned arrays, unless ``copy=True``. All games have equally many
    turns, so they end together unless ``set_state`` mixes them. Each thread needs an environment
    of its own.

    Args:
        config: the rules; the published game for four players if None.
        num_envs: N, how many games are played at once.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, see ``rewards``; or a
            function (points_gained (N, P), over (N,), win_share (N, P)) -> rewards (N, P). The
            default, ``"win"``, is the aim of the game, and comes at its end alone; learners of
            the package have ``0.1*margin+win``, because points say earlier what a card brought.
        autoreset: whether a finished game is replaced by the next deal in the same step. If not,
            it does not change any more, and its rewards are 0.
        illegal_action: ``"penalise"`` plays the lowest legal card and lowers the reward by 1,
            ``"raise"`` raises a ValueError and changes nothing.
        copy: whether every returned array is new.

    Attributes:
        layout (Layout): the places of the parts of an observation.
        state_layout (StateLayout): the places of the parts of ``state``.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        num_envs: int = 1,
        *,
        reward: str | Reward = "win",
        autoreset: bool = True,
        illegal_action: str = "penalise",
        copy: bool = False,
    ) -> None:
        self.config = check_config(config or GameConfig())
        self.num_envs = check_int("num_envs", num_envs, 1)
        self._illegal_action = check_illegal_action(illegal_action)
        self.layout, self.state_layout = layout_of(self.config), state_layout_of(self.config)
        # A function is called after each step; a text is computed in compiled code.
        self._reward = reward if callable(reward) else None
        self._weights = RewardWeights() if callable(reward) else parse_reward(reward)
        self._autoreset, self._copy = autoreset, copy
        self._warned = self._seeded = False
        self._allocate()

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
        run_command(DEAL, self._arguments)
        self._seeded = True
        return self._output((dict(self._seen), {}))

    @property
    def keys(self) -> Keys:
        """Seed, slot, episode and agent seed (N, 4) of the games in play: a copy."""
        return self._keys.copy()

    @property
    def turns(self) -> Int16Array:
        """How many turns the games in play have had (N,): a copy."""
        self._check_reset()
        return self._batch.games.clock.copy()

    def round_points(self, round_: int) -> Int8Array:
        """Colour, bonus and objective points of a round (from 1) so far (N, P, 3): a copy."""
        self._check_reset()
        check_int("round", round_, 1, self.config.num_rounds)
        return self._batch.games.points[:, round_ - 1].copy()

    @property
    def seen(self) -> Arrays:
        """What every seat sees now: observation (N, P, size) and action_mask (N, P, num_cards)."""
        self._check_reset()
        return self._output(dict(self._seen))

    def state(self, *, per_seat: bool = False) -> Int8Array:
        """The full state of every game, with all hands: for a centralised critic.

        It holds nothing of the future: neither the order of the deck nor coming score cards.

        Args:
            per_seat: gives every seat its own view, in which it is player 0 and the others follow
                in seat order.

        Returns:
            (N, size), or (N, P, size) per seat; ``state_layout`` has the parts.
        """
        self._check_reset()
        views = self.config.num_players if per_seat else 1
        if views not in self._states:
            shape = self.num_envs, views, self.state_layout.size
            self._states[views] = np.zeros(shape, np.int8)
        states = self._states[views]
        write_states(self._seen["observation"], self._seen["action_mask"], states)
        return self._output(states if per_seat else states[:, 0])

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
        self._check_reset()
        out = self._out
        self._actions[...] = check_array(
            "actions", actions, self._actions.shape, " (games, players)"
        )
        if self._illegal_action == "raise":
            refuse_illegal(self._batch, self._actions)
        if self._reward is not None:
            finished = self._batch.games.clock == self.config.num_turns
        happened = run_command(PLAY_AND_DEAL if self._autoreset else PLAY, self._arguments)
        info: dict[str, Any] = {"points_gained": out.gained, "illegal_actions": out.illegal}
        if happened & OVER:
            info |= {"scores": out.scores, "ranks": out.ranks, "win_share": out.win_share}
            if self._autoreset:
                info["final_observation"] = dict(self._final)
        # From here on the turn is complete, in case user code or the warning raises an error.
        if self._reward is not None:
            given = self._reward(out.gained, out.over, out.win_share)
            out.rewards[:] = _checked_rewards(given, out.illegal)
            out.rewards[finished] = 0
        if happened & ILLEGAL and not self._warned:
            self._warned = True
            game, seat = np.argwhere(out.illegal)[0].tolist()
            taken = f"in game {game}, player {seat} took action {self._actions[game, seat]}"
            warn_of_illegal(f"{taken}, which its action mask forbids")
        return self._output((dict(self._seen), out.rewards, out.over, out.truncated, info))

    def game(self, index: int) -> Game:
        """A copy of one game."""
        self._check_reset()
        place = check_int("index", index, 0, self.num_envs - 1)
        return self._read(np.array([place])).game(0)

    def get_state(self, indices: Sequence[int]) -> BatchState:
        """A copy of the games at ``indices``, for ``set_state``."""
        self._check_reset()
        return self._read(read_places(indices, self.num_envs))

    def set_state(self, indices: Sequence[int], state: BatchState) -> Arrays:
        """Puts games into the places ``indices``; returns the observations of all games.

        Args:
            indices: different whole numbers from 0 to N - 1.
            state: what ``get_state`` or ``belief.sample`` returned. The state of another config is
                refused, and nothing changes.
        """
        self._check_reset()
        places = read_places(indices, self.num_envs)
        check_state(self.config, places, state)
        self._write(places, state)
        return self._output(dict(self._seen))

    def set_game(self, index: int, game: Game) -> Arrays:
        """Puts a copy of ``game`` into a place; the episodes dealt after it do not change."""
        index = check_int("index", index, 0, self.num_envs - 1)
        if not isinstance(game, Game):
            raise ValueError(f"game must be a Game, not {game!r}")
        refuse_other_config("the game", game.config, self.config)
        state = BatchState(self.config, game._batch.games, self._keys[[index]])
        return self.set_state([index], state)

    def random_actions(self) -> Int64Array:
        """A uniformly random legal action of every seat (N, P)."""
        self._check_reset()
        choose_at_random(self._batch.arrays, self._keys, self._actions)
        return self._output(self._actions)

    def _check_reset(self) -> None:
        if not self._seeded:
            raise ValueError("reset() deals the first games; call it first")

    def _output(self, arrays: Output) -> Output:
        return copy_arrays(arrays) if self._copy else arrays

    def _allocate(self) -> None:
        """Makes the arrays of all games."""
        self._batch = Batch(self.config, self.num_envs)
        self._keys = make_keys(0, self.num_envs)
        self._actions = np.zeros((self.num_envs, self.config.num_players), np.int64)
        self._seen, self._final = (make_observations(self.layout, self.num_envs) for _ in range(2))
        self._out = make_buffers(self.config, self.num_envs)
        self._states: dict[int, Int8Array] = {}  # by the number of views of each game
        self._flat_seen = flatten(self._seen)
        self._arguments = tuple(
            StepArguments(
                self._batch.arrays,
                self._keys,
                self._actions,
                tuple(self._weights),
                tuple(self._out),
                tuple(self.layout.offsets),
                self._flat_seen,
                flatten(self._final),
            )
        )

    def _read(self, places: Int64Array) -> BatchState:
        """A copy of the games at ``places`` (n,)."""
        return BatchState(self.config, self._batch.pick(places).games, self._keys[places])

    def _write(self, places: Int64Array, state: BatchState) -> None:
        """Puts the games of a state into ``places`` (n,)."""
        copy_games(self._batch.arrays, self._keys, places, tuple(state.games), state.keys)
        offsets = tuple(self.layout.offsets)
        observe_places(self._batch.arrays, places, offsets, self._flat_seen)

    def __getstate__(self) -> dict[str, Any]:
        """The games as a state instead of the arrays, of which some share their memory."""
        kept = {name: value for name, value in self.__dict__.items() if name not in _ARRAYS}
        return {**kept, "_games": self._read(np.arange(self.num_envs))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        games = state.pop("_games")
        self.__dict__.update(state)
        self._allocate()
        self._write(np.arange(self.num_envs), games)


def _checked_rewards(given: Any, illegal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """The rewards of a user's function, lowered where an action was illegal; others are refused."""
    what, axes = "the result of a reward function", " (games, players)"
    rewards = check_array(what, given, illegal.shape, axes, "numbers")
    with np.errstate(over="ignore"):
        paid = (rewards.astype(np.float64) - PENALTY * illegal).astype(np.float32)
    if not np.isfinite(paid).all():
        raise ValueError("a reward function must return finite numbers within float32")
    return paid
