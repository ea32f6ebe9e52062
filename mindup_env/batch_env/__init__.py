"""All seats of many games in one call.

- ``env``: ``BatchEnv``
- ``kernels``: a step, compiled
- ``many_games``: what it shares with ``CudaBatchEnv``
"""

from mindup_env.batch_env.env import BatchEnv, IllegalActionWarning, StepResult

__all__ = ["BatchEnv", "IllegalActionWarning", "StepResult"]
