"""Code of a user's own, which settings name as ``module:Class`` or ``module:function``."""

import inspect
from collections.abc import Sequence
from functools import partial

from mindup_agents.features import ENCODER, ENCODERS
from mindup_agents.policy.network import NETWORK
from mindup_env.agent import CodeKind, check_code_name, find_code, names_code
from mindup_env.config import GameConfig
from mindup_env.rewards import Reward, parse_reward
from mindup_training.callbacks import CALLBACK

REWARD = CodeKind("reward", "myrewards:Reward")
_ARGUMENTS = 3
"""Those of a function: the points gained, whether the game is over, and the win share."""


def check_code_names(
    reward: str, features: str, network: str | None, callbacks: Sequence[str]
) -> None:
    """Refuses what neither the package has nor names code. This imports nothing."""
    if names_code(reward):
        check_code_name(REWARD, reward)
    else:
        parse_reward(reward)
    if names_code(features):
        check_code_name(ENCODER, features)
    elif features not in ENCODERS:
        raise ValueError(
            f"unknown features {features!r}; available: {', '.join(ENCODERS)}, or module:Class, "
            f"such as {ENCODER.example}"
        )
    if network is not None:
        check_code_name(NETWORK, network)
    for callback in callbacks:
        check_code_name(CALLBACK, callback)


def make_reward(text: str, config: GameConfig) -> str | Reward:
    """What ``BatchEnv`` takes as its reward: a text, a function, or the instance of a class."""
    if not names_code(text):
        return text
    found = find_code(REWARD, text)
    reward: Reward
    if inspect.isclass(found.make):
        reward = found.build(config)
    else:
        options = found.read_options(_ARGUMENTS)
        reward = partial(found.make, **options) if options else found.make
    return reward
