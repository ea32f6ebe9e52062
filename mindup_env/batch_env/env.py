"""All seats of many games in one call: for self-play, arenas and search."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import kernels
from mindup_env.batch_env.kernels import BoolArray, StepBuffers
from mindup_env.batch_env.many_games import ManyGames
from mindup_env.checks import InputError, check_array, warn_user
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.engine.arrays import allocate
from mindup_env.engine.batch import Batch
from mindup_env.engine.state import Int16Array, Int64Array, Keys
from mindup_env.observation.seen import Arrays, Seen, observe, observe_some
from mindup_env.rewards import Reward, RewardWeights, parse_reward

StepResult = tuple[Arrays, npt.NDArray[Any], BoolArray, BoolArray, dict[str, Any]]
"""Observations, rewards, terminations, truncations and info, for every game and seat."""


class IllegalActionWarning(UserWarning):
    """An agent chose a card that is not in its hand; given once per environment."""


class BatchEnv(ManyGames):
    """N games with all P seats. Action ``a`` plays card number ``a + 1``.

    An illegal action plays the lowest legal card and lowers the reward by 1.

    The next step overwrites the returned arrays. All games have equally many turns, so they end
    together unless ``set_state`` mixes them. Only one thread may use an environment at a time.

    Example:
        >>> env = BatchEnv(GameConfig(num_players=4), num_envs=1024)
        >>> observations, info = env.reset(seed=7)
        >>> actions = env.random_actions()
        >>> observations, rewards, terminations, truncations, info = env.step(actions)
        >>> observations["observation"].shape[:2], rewards.shape
        ((1024, 4), (1024, 4))

    Args:
        config: the rules; the published game for four players if None.
        num_envs: N, how many games are played at once.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, see ``rewards``; or a
            function (points_gained (N, P), over (N,), win_share (N, P)) -> rewards (N, P). The
            default, ``"win"``, is paid at the end of the game. The learners of the package use
            ``0.1*margin+win``: points show earlier what a card brought.
        autoreset: whether a finished game is replaced by the next deal in the same step. If not,
            it does not change any more, and its rewards are 0.

    Attributes:
        layout (Layout): the parts of an observation.
        state_layout (StateLayout): the parts of ``state``.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        num_envs: int = 1,
        *,
        reward: str | Reward = "win",
        autoreset: bool = True,
    ) -> None:
        super().__init__(config, num_envs, autoreset=autoreset)
        self._warned = False
        # A function is called after each step; a text is computed in compiled code.
        self._reward = reward if callable(reward) else None
        self._weights = RewardWeights() if callable(reward) else parse_reward(reward)
        self._batch = Batch.empty(self.config, self.num_envs)
        self._out = allocate(StepBuffers, self.config, N=self.num_envs)
        self._actions = self._out.actions
        self._seen = Seen(self.layout, self.num_envs)
        # What was seen last of games that are over, if they are then replaced.
        self._last_seen = Seen(self.layout, self.num_envs) if autoreset else self._seen

    def random_actions(self) -> Int64Array:
        """A uniformly random legal action of every seat (N, P)."""
        self._check_reset()
        kernels.choose_at_random(self._batch.rules, self._batch.games, self._actions)
        return self._actions

    @property
    def seen(self) -> Arrays:
        self._check_reset()
        return self._seen.by_seat.copy()

    @property
    def keys(self) -> Keys:
        return self._batch.games.keys.copy()

    @property
    def turns(self) -> Int16Array:
        self._check_reset()
        return self._batch.games.clock.copy()

    def _deal(self, keys: Keys) -> None:
        self._batch.games.keys[:] = keys
        self._deal_marked(np.ones(self.num_envs, np.bool_))

    def _play(self, actions: npt.ArrayLike) -> tuple[bool, bool]:
        shape = self._actions.shape
        self._actions[...] = check_array("actions", actions, shape, " (games, players)")
        if self._reward is not None:
            self._were_over = self._batch.games.clock == self.config.num_turns
        self._any_illegal, any_round_over, any_over = kernels.play_turns(
            self._batch.rules,
            self._batch.games,
            self._weights,
            self._out,
            self._seen.arrays,
            self._last_seen.arrays,
        )
        return any_round_over, any_over

    def _deal_over(self) -> Arrays:
        self._batch.games.keys[self._out.over, streams.EPISODE] += np.uint64(1)
        self._deal_marked(self._out.over)
        return self._last_seen.by_seat.copy()

    def _deal_marked(self, marked: BoolArray) -> None:
        batch = self._batch
        kernels.deal_marked(batch.rules, batch.games, marked, self._seen.arrays)

    def _complete(self) -> None:
        # The turn is complete when the warning or user code raises an error.
        if self._any_illegal and not self._warned:
            self._warn_of_illegal()
        if self._reward is not None:
            out = self._out
            rewards = self._reward(out.gained.copy(), out.over.copy(), out.win_share.copy())
            out.rewards[:] = _checked_rewards(rewards, out.illegal)
            out.rewards[self._were_over] = 0

    def _look(self) -> Arrays:
        return observe(self._batch)

    def _read(self, indices: Int64Array) -> Batch:
        return self._batch.pick(indices)

    def _write(self, indices: Int64Array, state: Batch) -> None:
        self._batch.put(indices, state)
        observe_some(self._batch.rules, self._batch.games, indices, self._seen.arrays)

    def _warn_of_illegal(self) -> None:
        self._warned = True
        game, player = np.argwhere(self._out.illegal)[0].tolist()
        action, last = self._actions[game, player], self.config.num_cards - 1
        why = "its action mask forbids" if 0 <= action <= last else f"is not 0 to {last}"
        told = f"in game {game}, player {player} took action {action}, which {why}: the lowest "
        told += "card of the hand was played and the reward lowered by 1. Illegal actions are "
        told += "counted in info; this warning is shown once"
        warn_user(IllegalActionWarning(told))


def _checked_rewards(given: Any, illegal: BoolArray) -> npt.NDArray[np.float32]:
    """The rewards of a user's function, lowered where an action was illegal; others are refused."""
    what = "the result of a reward function"
    rewards = check_array(what, given, illegal.shape, " (games, players)", "numbers")
    with np.errstate(over="ignore"):
        lowered = (rewards.astype(np.float64) - kernels.PENALTY * illegal).astype(np.float32)
    if not np.isfinite(lowered).all():
        raise InputError("a reward function must return finite numbers within float32")
    return lowered
