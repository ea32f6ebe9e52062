"""Rewards that a user's function or object returns."""

from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.buffers import Arrays, StepBuffers
from mindup_env.batch_env.kernels import PENALTY
from mindup_env.engine.state import Int8Array
from mindup_env.observation import Layout, state_layout_of
from mindup_env.observation.state_writer import write_states
from mindup_env.rewards import Reward, RewardFunction, StateReward, Transition


class UserReward(Protocol):
    """Asks a user's function or object once in each step."""

    def begin_turn(self, seen: Arrays) -> None:
        """Keeps what the reward needs of the observations before a turn."""
        ...

    def ask(self, out: StepBuffers, seen: Arrays, final: Arrays) -> Any:
        """What the user's code returns for a turn.

        Args:
            out: the results of the turn.
            seen: the observations now.
            final: the observations of games that are over, before the next deal.
        """
        ...


class FunctionReward:
    """Asks a function, which does not see the state."""

    def __init__(self, function: RewardFunction) -> None:
        self._function = function

    def begin_turn(self, seen: Arrays) -> None:
        pass

    def ask(self, out: StepBuffers, seen: Arrays, final: Arrays) -> Any:  # noqa: ARG002
        return self._function(out.gained, out.over, out.win_share)


class TransitionReward:
    """Asks an object with ``compute_rewards``, which sees the state before and after the turn.

    The states have the players at the table alone, also where ``layout`` is padded.
    """

    def __init__(self, reward: StateReward, layout: Layout, num_games: int) -> None:
        self._reward, self._layout = reward, state_layout_of(layout.config)
        self._seen_layout = layout
        shape = num_games, 1, self._layout.size
        self._before, self._after = np.zeros(shape, np.int8), np.zeros(shape, np.int8)
        self._all_games = np.ones(num_games, np.bool_)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._reward, self._seen_layout, len(self._all_games))

    def begin_turn(self, seen: Arrays) -> None:
        self._write(seen, self._all_games, self._before)

    def ask(self, out: StepBuffers, seen: Arrays, final: Arrays) -> Any:
        for source, games in ((seen, ~out.over), (final, out.over)):
            self._write(source, games, self._after)
        before, after = self._views(self._before), self._views(self._after)
        return self._reward.compute_rewards(
            Transition(before, after, out.gained, out.over, out.win_share)
        )

    def _write(self, seen: Arrays, games: npt.NDArray[np.bool_], states: Int8Array) -> None:
        write_states(
            self._seen_layout.unpad(seen["observation"]), seen["action_mask"], games, states
        )

    def _views(self, states: Int8Array) -> Arrays:
        # Made in each step: a copy of the environment would copy kept views apart from the array.
        read_only = states[:, 0]
        read_only.flags.writeable = False
        return self._layout.views(read_only)


def make_user_reward(reward: str | Reward, layout: Layout, num_games: int) -> UserReward | None:
    """What asks a user's reward; None for a text, which is computed in compiled code."""
    if hasattr(reward, "compute_rewards"):
        if isinstance(reward, type):
            name = reward.__name__
            raise ValueError(f"reward must be an object of the class {name}: {name}(), not {name}")
        return TransitionReward(cast("StateReward", reward), layout, num_games)
    return FunctionReward(reward) if callable(reward) else None


def read_rewards(given: Any, illegal: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """The rewards (N, P) of user code, lowered where an action was illegal; others are refused."""
    rewards = np.asarray(given)
    if rewards.shape != illegal.shape or rewards.dtype.kind not in "biuf":
        raise ValueError(
            f"a reward function must return numbers of shape {illegal.shape} (games, players), "
            f"not {rewards.dtype} of shape {rewards.shape}"
        )
    with np.errstate(over="ignore"):
        paid = (rewards.astype(np.float64) - PENALTY * illegal).astype(np.float32)
    if not np.isfinite(paid).all():
        raise ValueError("a reward function must return finite numbers within float32")
    return paid
