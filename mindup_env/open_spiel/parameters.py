"""The config, score cards and reward as parameters of an OpenSpiel game: numbers and strings."""

from collections.abc import Mapping
from typing import Any

from mindup_env.config import OPTION_FIELDS, GameConfig
from mindup_env.rewards import RewardWeights, parse_reward

_RANDOM = "random"


def read_parameters(plain: Mapping[str, Any]) -> tuple[GameConfig, RewardWeights]:
    """The rules and the reward of an OpenSpiel game."""
    numbers = {field: plain[name] for name, field in OPTION_FIELDS.items()}
    values = [int(each) if each.isdecimal() else each for each in plain["score_cards"].split("/")]
    order: Any = None if values == [_RANDOM] else values
    return GameConfig(**numbers, score_order=order), parse_reward(plain["reward"])


def to_parameters(config: GameConfig, reward: str) -> dict[str, Any]:
    """The inverse of ``read_parameters``; score cards such as 2/4/1/5/3 stay in every round."""
    order = config.score_order
    return {
        **{name: getattr(config, field) for name, field in OPTION_FIELDS.items()},
        "score_cards": _RANDOM if order is None else "/".join(map(str, order)),
        "reward": reward,
    }


DEFAULTS = to_parameters(GameConfig(), "win")
"""OpenSpiel takes the type of a parameter from its default."""
