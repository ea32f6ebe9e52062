"""What policy networks read, by id.

A policy file stores the id of its features. The meaning of an id never changes: an improved
version takes a new id.
"""

from collections.abc import Callable

from mindup_agents.features.base import FeatureEncoder
from mindup_agents.features.forecast import ForecastFeatures
from mindup_agents.features.plain import PlainFeatures
from mindup_agents.features.playout import PlayoutFeatures
from mindup_env.config import GameConfig

__all__ = ["ENCODERS", "FeatureEncoder", "current_id", "make_encoder"]

ENCODERS: dict[str, Callable[[GameConfig], FeatureEncoder]] = {
    PlainFeatures.name: PlainFeatures,
    ForecastFeatures.name: ForecastFeatures,
    PlayoutFeatures.name: PlayoutFeatures,
}

_FORMER_IDS = {"foreseen-1": ForecastFeatures.name, "tried-1": PlayoutFeatures.name}
"""Policy files and run folders of the first versions have them."""


def current_id(name: str) -> str:
    return _FORMER_IDS.get(name, name)


def make_encoder(name: str, config: GameConfig) -> FeatureEncoder:
    if name not in ENCODERS:
        raise ValueError(f"unknown features {name!r}; available: {', '.join(ENCODERS)}")
    return ENCODERS[name](config)
