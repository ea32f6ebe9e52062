"""The PettingZoo environments: ``mindup_v0.parallel_env()`` and ``mindup_v0.env()``.

They take the same arguments; so does ``raw_env``, which does not check the order of calls.
"""

from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from mindup_env.envs.parallel import Observation, ParallelMindUp
from mindup_env.envs.turn_based import TurnBasedMindUp

parallel_env = ParallelMindUp
raw_env = TurnBasedMindUp


def env(**arguments: Any) -> OrderEnforcingWrapper[str, Observation, int | None]:
    """The turn-based (AEC) environment: one player chooses after the other.

    No player sees what the others have chosen in the same turn.
    """
    return OrderEnforcingWrapper(raw_env(**arguments))
