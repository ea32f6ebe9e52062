"""The PettingZoo environments: ``mindup_v0.parallel_env()`` and ``mindup_v0.env()``."""

from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import parallel_to_aec

from mindup_env.envs.parallel import Observation, ParallelMindUp

parallel_env = ParallelMindUp


def env(**arguments: Any) -> AECEnv[str, Observation, int | None]:
    """The turn-based (AEC) environment; its arguments are those of ``parallel_env``.

    The agents choose in seat order, and do not see the choices of the same turn: it is played when
    the last one has chosen.
    """
    return parallel_to_aec(parallel_env(**arguments))
