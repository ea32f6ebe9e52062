"""The feature encoders by id."""

from collections.abc import Callable

from mindup_agents.features.base import FeatureEncoder
from mindup_agents.features.forecast import ForecastFeatures
from mindup_agents.features.plain import PlainFeatures
from mindup_agents.features.playout import PlayoutFeatures
from mindup_agents.features.position import PositionFeatures
from mindup_env.config import GameConfig

ENCODERS: dict[str, Callable[[GameConfig], FeatureEncoder]] = {
    PlainFeatures.name: PlainFeatures,
    PositionFeatures.name: PositionFeatures,
    ForecastFeatures.name: ForecastFeatures,
    PlayoutFeatures.name: PlayoutFeatures,
}

_FORMER_IDS = {"foreseen-1": ForecastFeatures.name, "tried-1": PlayoutFeatures.name}
"""The ids in the first policy files and run folders."""


def current_id(name: str) -> str:
    """The id that replaces a former one; any other id as it is."""
    return _FORMER_IDS.get(name, name)


def make_encoder(name: str, config: GameConfig) -> FeatureEncoder:
    """The encoder of an id such as ``plain-1``; ``SeatFeatures`` calls it for a ``BatchEnv``."""
    if name not in ENCODERS:
        raise ValueError(f"unknown features {name!r}; available: {', '.join(ENCODERS)}")
    return ENCODERS[name](config)
