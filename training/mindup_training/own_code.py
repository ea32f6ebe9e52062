"""Rewards of a user's own, which settings name as ``module:Class`` or ``module:function``."""

import inspect
from functools import partial

from mindup_env.config import GameConfig
from mindup_env.rewards import Reward, parse_reward
from mindup_env.specs import CodeKind, check_code_name, find_code, names_code

REWARD = CodeKind("reward", "myrewards:Reward")
_ARGUMENTS = 3
"""Those of a function: the points gained, whether the game is over, and the win share."""


def check_reward(text: str) -> None:
    """Refuses a text that is no reward. This imports nothing."""
    if names_code(text):
        check_code_name(REWARD, text)
    else:
        parse_reward(text)


def make_reward(text: str, config: GameConfig) -> str | Reward:
    """What ``BatchEnv`` takes as its reward.

    Args:
        text: a sum of score, margin and win; or ``module:function`` or ``module:Class`` with
            options. A function is the reward itself. A class is made with the config, and its
            instance is the reward.
        config: the game.
    """
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
