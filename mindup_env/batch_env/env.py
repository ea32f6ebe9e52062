"""All seats of many games in one call: for self-play, arenas and search."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import kernels
from mindup_env.batch_env.many_games import ManyGames
from mindup_env.batch_env.state import Arrays, BatchState, Seen
from mindup_env.checks import InputError, check_array, check_int
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.engine.arrays import allocate
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int16Array, Int64Array
from mindup_env.rewards import Reward, RewardWeights, parse_reward

StepResult = tuple[
    Arrays, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
]
"""Observations, rewards, terminations, truncations and info, for every game and seat."""


class IllegalActionWarning(UserWarning):
    """An agent chose a card that is not in its hand; given once per environment."""


class BatchEnv(ManyGames):
    """N games with all P seats. Action ``a`` plays card number ``a + 1``.

    The next step overwrites the returned arrays. All games have equally many turns, so they end
    together unless ``set_state`` mixes them. Only one thread may use an environment at a time.

    Args:
        config: the rules; the published game for four players if None.
        num_envs: N, how many games are played at once.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, see ``rewards``; or a
            function (points_gained (N, P), over (N,), win_share (N, P)) -> rewards (N, P). The
            default, ``"win"``, is the aim of the game, and comes at its end alone. Learners of
            the package have ``0.1*margin+win``: points say earlier what a card brought.
        autoreset: whether a finished game is replaced by the next deal in the same step. If not,
            it does not change any more, and its rewards are 0.
        illegal_action: ``"penalise"`` plays the lowest legal card and lowers the reward by 1,
            ``"raise"`` raises a ValueError and changes nothing.

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
    ) -> None:
        super().__init__(config, num_envs, autoreset=autoreset)
        if illegal_action not in ("penalise", "raise"):
            raise InputError(f"illegal_action must be penalise or raise, not {illegal_action!r}")
        self._refuses_illegal = illegal_action == "raise"
        self._warned = False
        # A function is called after each step; a text is computed in compiled code.
        self._reward = reward if callable(reward) else None
        weights = RewardWeights() if callable(reward) else parse_reward(reward)
        self._batch = Batch(self.config, self.num_envs)
        self._keys = make_keys(0, self.num_envs)
        self._actions = np.zeros((self.num_envs, self.config.num_players), np.int64)
        self._out = allocate(kernels.StepBuffers, self.config, N=self.num_envs)
        self._seen = Seen(self.layout, self.num_envs)
        # What was seen last of games that are over, if they are then replaced.
        self._last_seen = Seen(self.layout, self.num_envs) if autoreset else self._seen
        # What kernels are given in each call.
        self._everywhere = np.arange(self.num_envs)
        offsets = tuple(self.layout.offsets)
        self._observed = offsets, self._seen.flat
        self._turn = (
            self._batch.arrays,
            self._actions,
            self._refuses_illegal,
            tuple(weights),
            tuple(self._out),
            offsets,
            (self._seen.flat, self._last_seen.flat),
        )

    def reset(self, seed: int | Sequence[int] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Deals all games.

        Args:
            seed: a seed deals the first episodes of its slots 0 to N - 1; N seeds deal the first
                episode of slot 0 of each; None deals the next episodes, or those of a random seed.

        Returns:
            Observations as of ``step``, and an empty info.
        """
        self._keys[:] = self._keys_to_deal(seed)
        self._deal(self._everywhere)
        self._dealt = True
        return self.seen, {}

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
        shape = self._actions.shape
        self._actions[...] = check_array("actions", actions, shape, " (games, players)")
        were_over = self._batch.games.clock == self.config.num_turns if self._reward else None
        any_over, any_illegal = kernels.play_turns(*self._turn)
        info: dict[str, Any] = {"points_gained": out.gained, "illegal_actions": out.illegal}
        if any_over:
            info |= {"scores": out.scores, "ranks": out.ranks, "win_share": out.win_share}
            if self._autoreset:
                info["final_observation"] = self._last_seen.by_seat.copy()
                finished = np.flatnonzero(out.over)
                self._keys[finished, streams.EPISODE] += np.uint64(1)
                self._deal(finished)
        # The turn is complete or refused when the warning or user code raises an error.
        if any_illegal and (self._refuses_illegal or not self._warned):
            self._report_illegal()
        if self._reward is not None:
            paid = self._reward(out.gained, out.over, out.win_share)
            out.rewards[:] = _checked_rewards(paid, out.illegal)
            out.rewards[were_over] = 0
        return self._seen.by_seat.copy(), out.rewards, out.over, out.truncated, info

    def random_actions(self) -> Int64Array:
        """A uniformly random legal action of every seat (N, P)."""
        self._check_reset()
        kernels.choose_at_random(self._batch.arrays, self._keys, self._actions)
        return self._actions

    @property
    def seen(self) -> Arrays:
        self._check_reset()
        return self._seen.by_seat.copy()

    def state(self, *, per_seat: bool = False) -> Int8Array:
        """The full state of every game, with all hands: for a centralised critic.

        It holds nothing of the future: neither the order of the deck nor coming score cards.

        Args:
            per_seat: gives every seat its own view, in which it is player 0 and the others follow
                in seat order.

        Returns:
            (N, size), or (N, P, size) per seat, in a new array; ``state_layout`` has the parts.
        """
        # What a seat sees of the table is already its view; the masks are the hands.
        observations, masks = self.seen.values()
        num_views = masks.shape[1] if per_seat else 1
        views = [np.roll(masks, -view, axis=1) for view in range(num_views)]
        hands = np.stack(views, axis=1).reshape(self.num_envs, num_views, -1)
        public = observations[:, :num_views, self.config.num_cards :]
        states = np.concatenate([hands, public], axis=2)
        return states if per_seat else states[:, 0]

    @property
    def keys(self) -> Keys:
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

    def _read(self, places: Int64Array) -> BatchState:
        return BatchState(self.config, self._batch.pick(places).games, self._keys[places])

    def _write(self, places: Int64Array, state: BatchState) -> None:
        for own, given in zip(self._batch.arrays[1], state.games, strict=True):
            own[places] = given
        self._keys[places] = state.keys
        kernels.observe_places(self._batch.arrays, places, *self._observed)

    def _deal(self, places: Int64Array) -> None:
        kernels.deal_games(self._batch.arrays, self._keys, places)
        kernels.observe_places(self._batch.arrays, self._everywhere, *self._observed)

    def _report_illegal(self) -> None:
        """Refuses a turn for its first illegal action; or warns of it, once."""
        game, player = np.argwhere(self._out.illegal)[0].tolist()
        who = f"in game {game}, player {player}"
        action = self._actions[game, player]
        if self._refuses_illegal:
            legal = np.flatnonzero(self._seen.by_seat["action_mask"][game, player]).tolist()
            raise InputError(f"{who} cannot take action {action}; legal are {legal}")
        self._warned = True
        message = (
            f"{who} took action {action}, which its action mask forbids: the lowest card of the "
            "hand was played and the reward lowered by 1. Illegal actions are counted in info; "
            "this warning is shown once"
        )
        warnings.warn(IllegalActionWarning(message), stacklevel=3)


def _checked_rewards(given: Any, illegal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """The rewards of a user's function, lowered where an action was illegal; others are refused."""
    what = "the result of a reward function"
    rewards = check_array(what, given, illegal.shape, " (games, players)", "numbers")
    with np.errstate(over="ignore"):
        paid = (rewards.astype(np.float64) - kernels.PENALTY * illegal).astype(np.float32)
    if not np.isfinite(paid).all():
        raise InputError("a reward function must return finite numbers within float32")
    return paid
