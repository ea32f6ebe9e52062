"""All seats of many games in one call.

- ``env``: ``BatchEnv``
- ``kernels``: a step, a deal and what seats see, compiled
- ``state``: the state of some games, to return to; what the seats of other games see
"""

from mindup_env.batch_env.env import BatchEnv, IllegalActionWarning, StepResult
from mindup_env.batch_env.state import Arrays, BatchState, dealt_state

__all__ = ["Arrays", "BatchEnv", "BatchState", "IllegalActionWarning", "StepResult", "dealt_state"]
