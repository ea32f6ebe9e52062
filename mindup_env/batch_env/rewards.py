"""Rewards that a user's function or object returns."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.buffers import Arrays, StepBuffers
from mindup_env.batch_env.kernels import PENALTY
from mindup_env.engine.state import Int8Array
from mindup_env.observation import Layout, state_layout_of
from mindup_env.observation.writer import write_states
from mindup_env.rewards import Reward, RewardFunction, StateReward, Transition
from mindup_env.settings.checks import check_array


class UserReward:
    """Asks a user's function, or object with ``compute_rewards``, once in each step.

    An object sees the states before and after the turn: those of the players at the table alone,
    also where ``layout`` is padded.
    """

    def __init__(self, reward: Reward, layout: Layout, num_games: int) -> None:
        self._reward, self._layout = reward, layout
        self._sees_states = hasattr(reward, "compute_rewards")
        if self._sees_states and isinstance(reward, type):
            name = reward.__name__
            raise ValueError(f"reward must be an object of the class {name}: {name}(), not {name}")
        self._all_games = np.ones(num_games if self._sees_states else 0, np.bool_)
        self._state_layout = state_layout_of(layout.config)
        shape = len(self._all_games), 1, self._state_layout.size
        self._before, self._after = np.zeros(shape, np.int8), np.zeros(shape, np.int8)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._reward, self._layout, len(self._all_games))

    def begin_turn(self, seen: Arrays) -> None:
        """Keeps what the reward needs of the observations before a turn."""
        if self._sees_states:
            self._write(seen, self._all_games, self._before)

    def ask(self, out: StepBuffers, seen: Arrays, final: Arrays) -> npt.NDArray[np.float32]:
        """The rewards of a turn (N, P), lowered where an action was illegal.

        Args:
            out: the results of the turn.
            seen: the observations now.
            final: the observations of games that are over, before the next deal.
        """
        results = out.gained, out.over, out.win_share
        if not self._sees_states:
            return _checked(cast("RewardFunction", self._reward)(*results), out.illegal)
        self._write(seen, ~out.over, self._after)
        self._write(final, out.over, self._after)
        transition = Transition(self._views(self._before), self._views(self._after), *results)
        given = cast("StateReward", self._reward).compute_rewards(transition)
        return _checked(given, out.illegal)

    def _write(self, seen: Arrays, games: npt.NDArray[np.bool_], states: Int8Array) -> None:
        write_states(self._layout.unpad(seen["observation"]), seen["action_mask"], games, states)

    def _views(self, states: Int8Array) -> Arrays:
        read_only = states[:, 0]
        read_only.flags.writeable = False
        return self._state_layout.views(read_only)


def _checked(given: Any, illegal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """The rewards of user code, lowered where an action was illegal; others are refused."""
    what, axes = "the result of a reward function", " (games, players)"
    rewards = check_array(what, given, illegal.shape, axes, "numbers")
    with np.errstate(over="ignore"):
        paid = (rewards.astype(np.float64) - PENALTY * illegal).astype(np.float32)
    if not np.isfinite(paid).all():
        raise ValueError("a reward function must return finite numbers within float32")
    return paid
