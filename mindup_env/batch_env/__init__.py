"""All seats of many games in one call: ``env`` is the class, ``env_kernels`` its compiled step."""

from mindup_env.batch_env.env import (
    ILLEGAL_ACTIONS,
    Arrays,
    BatchEnv,
    IllegalActionWarning,
    State,
)

__all__ = ["ILLEGAL_ACTIONS", "Arrays", "BatchEnv", "IllegalActionWarning", "State"]
