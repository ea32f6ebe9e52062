"""All seats of many games in one call.

- ``env``: ``BatchEnv``
- ``kernels``: its step, compiled
- ``buffers``: the arrays that a step fills
- ``state``: the state of some games, to return to
- ``actions``: the shape and type of actions, and what happens to an illegal one
"""

from mindup_env.batch_env.actions import IllegalActionWarning
from mindup_env.batch_env.buffers import Arrays
from mindup_env.batch_env.env import BatchEnv
from mindup_env.batch_env.state import BatchState, dealt_state

__all__ = [
    "Arrays",
    "BatchEnv",
    "BatchState",
    "IllegalActionWarning",
    "dealt_state",
]
