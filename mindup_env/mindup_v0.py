"""PettingZoo's front door: ``mindup_v0.parallel_env()`` and ``mindup_v0.env()``."""

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from mindup_env.config import GameConfig
from mindup_env.envs.parallel import Observation, ParallelMindUp
from mindup_env.envs.turn_based import TurnBasedMindUp
from mindup_env.rewards import Reward


def parallel_env(
    *,
    reward: str | Reward = "win",
    illegal_action: str = "penalise",
    render_mode: str | None = None,
    **config: Any,
) -> ParallelMindUp:
    """The game with all players acting at once; ``config`` holds the fields of ``GameConfig``."""
    return ParallelMindUp(GameConfig(**config), reward, illegal_action, render_mode)


def raw_env(**arguments: Any) -> TurnBasedMindUp:
    """The game with one player acting at a time; arguments as for ``parallel_env``."""
    return TurnBasedMindUp(parallel_env(**arguments))


def env(**arguments: Any) -> OrderEnforcingWrapper[str, Observation, int | None]:
    """``raw_env``, with clear errors for calls in the wrong order."""
    return OrderEnforcingWrapper(raw_env(**arguments))
