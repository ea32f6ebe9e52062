"""All seats of many games in one call.

- ``env``: ``BatchEnv``
- ``kernels``: a step, a deal and what seats see, compiled
- ``many_games``: what it shares with ``CudaBatchEnv``
- ``state``: the state of some games; what the seats of games see
"""

from mindup_env.batch_env.env import BatchEnv, IllegalActionWarning, StepResult
from mindup_env.batch_env.state import Arrays, BatchState, dealt_state

__all__ = ["Arrays", "BatchEnv", "BatchState", "IllegalActionWarning", "StepResult", "dealt_state"]
