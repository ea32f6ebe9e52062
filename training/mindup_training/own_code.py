"""Code of a user's own, which settings name as ``module:Class`` or ``module:function``."""

import inspect
from functools import partial
from typing import Any

from mindup_agents.features import ENCODER, encoder_of
from mindup_agents.policy.description import check_network
from mindup_agents.policy.network import FIRST_NETWORK
from mindup_env.agent import CodeKind, check_code_name, find_code, names_code
from mindup_env.config import GameConfig
from mindup_env.rewards import Reward, parse_reward

REWARD = CodeKind("reward", "myrewards:Reward")
CALLBACK = CodeKind("callback", "mycallbacks:EndEarly")
_ARGUMENTS = 3
"""Those of a function: the points gained, whether the game is over, and the win share."""


def check_code_names(settings: Any) -> None:
    """Refuses what neither the package has nor names code. This imports nothing."""
    network = None if settings.network == FIRST_NETWORK else settings.network
    check_network(network, settings.features)
    if names_code(settings.features):
        check_code_name(ENCODER, settings.features)
    else:
        encoder_of(settings.features)
    if names_code(settings.reward):
        check_code_name(REWARD, settings.reward)
    else:
        parse_reward(settings.reward)
    for callback in settings.callbacks:
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
        reward = partial(found.make, **found.read_options(_ARGUMENTS))
    return reward
