"""The PettingZoo environments: ``mindup_v0.parallel_env()`` and ``mindup_v0.env()``."""

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

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
    """The parallel environment of PettingZoo: all players choose at the same time.

    Args:
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, or a function, as in
            ``BatchEnv``.
        illegal_action: ``"penalise"`` or ``"raise"``, as in ``BatchEnv``.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
        config: fields of ``GameConfig``, such as ``num_players=4``.
    """
    return ParallelMindUp(
        reward=reward, illegal_action=illegal_action, render_mode=render_mode, **config
    )


def raw_env(**arguments: Any) -> TurnBasedMindUp:
    """The turn-based (AEC) environment without checks of the order of calls.

    Args:
        arguments: those of ``parallel_env``.
    """
    return TurnBasedMindUp(**arguments)


def env(**arguments: Any) -> OrderEnforcingWrapper[str, Observation, int | None]:
    """The turn-based (AEC) environment of PettingZoo: one player chooses after the other.

    No player sees what the others have chosen in the same turn.

    Args:
        arguments: those of ``parallel_env``.
    """
    return OrderEnforcingWrapper(raw_env(**arguments))
