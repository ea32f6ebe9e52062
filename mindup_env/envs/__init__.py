"""The PettingZoo and Gymnasium APIs of the game.

- ``parallel``: PettingZoo's parallel API, in which every seat is an agent
- ``vector_env``, ``single_agent``: Gymnasium's ``VectorEnv`` and ``Env``: one learner against bots
- ``seated_bots``: bots at seats of a batch of games
- ``arguments``: keyword arguments, the options of ``reset``, and spaces
"""

import gymnasium
import pettingzoo

GYMNASIUM_ID = "MindUp-v0"
PETTINGZOO_ID = "mindup/MindUp-v0"


def register() -> None:
    """Registers the environments unless they are; a second import in a process must not warn."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="mindup_env.envs.single_agent:MindUpEnv",
            vector_entry_point="mindup_env.envs.vector_env:MindUpVectorEnv",
        )
    if PETTINGZOO_ID not in pettingzoo.parallel_registry:
        pettingzoo.register("parallel", PETTINGZOO_ID, "mindup_env.mindup_v0:parallel_env")
        pettingzoo.register("aec", PETTINGZOO_ID, "mindup_env.mindup_v0:env")
