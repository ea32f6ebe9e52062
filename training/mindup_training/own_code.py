"""Code of a user's own, which settings name as ``module:Class`` or ``module:function``."""

import inspect
from collections.abc import Iterator
from functools import partial
from typing import Any

from mindup_agents.features import ENCODER, writer_of
from mindup_agents.policy.description import check_network
from mindup_agents.policy.network import FIRST_NETWORK, NETWORK
from mindup_env.agent import CodeKind, check_code_name, find_code, names_code
from mindup_env.config import GameConfig
from mindup_env.rewards import Reward, parse_reward
from mindup_training.callbacks import CALLBACK

LEARNER = CodeKind("learner", "mylearner:Learner", "mindup_training.learners")
REWARD = CodeKind("reward", "myrewards:Reward")
_KINDS = {
    "learner": LEARNER,
    "reward": REWARD,
    "features": ENCODER,
    "network": NETWORK,
    "callbacks": CALLBACK,
}
"""By the settings that name it."""
_ARGUMENTS = 3
"""Those of a function: the points gained, whether the game is over, and the win share."""


def named_code(settings: Any) -> Iterator[tuple[CodeKind, str]]:
    """What settings name, of the package or of a user."""
    for name, kind in _KINDS.items():
        value = getattr(settings, name, None)
        yield from ((kind, text) for text in ((value,) if isinstance(value, str) else value or ()))


def check_code_names(settings: Any) -> None:
    """Refuses what neither the package has nor names code. This imports nothing."""
    network = getattr(settings, "network", None)
    check_network(None if network == FIRST_NETWORK else network, settings.features)
    for kind, text in named_code(settings):
        if names_code(text) or kind is CALLBACK:
            check_code_name(kind, text)
        elif kind is REWARD:
            parse_reward(text)
        elif kind is ENCODER:
            writer_of(text, f"; or module:Class, such as {ENCODER.example}")


def check_own_code(settings: Any) -> None:
    """Imports what names code of a user, and refuses options that it does not have."""
    for kind, text in named_code(settings):
        if names_code(text):
            found, arguments = find_code(kind, text), int(kind is not CALLBACK)
            if kind is REWARD and not inspect.isclass(found.make):
                arguments = _ARGUMENTS
            found.read_options(arguments, widths=None)


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
