"""The bots.

- ``simple``, ``greedy``, ``planner``, ``predictor``, ``search``, ``champion``: one bot each
- ``mixture``: one of several bots in each game
- ``policy``: trained policies, and the bot that plays them
- ``heuristics``: what the bots that estimate and sample share, compiled
- ``features``: what policy networks read
- ``card_evaluation``: per-card evaluations that a bot exposes
- ``labels``: short names of bots

What has names here is loaded by its first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindup_agents.features import FeatureShape, SeatFeatures
    from mindup_agents.policy import load_policy

__all__ = ["FeatureShape", "SeatFeatures", "load_policy"]

_LOADED_LATER = {
    "FeatureShape": "features",
    "SeatFeatures": "features",
    "load_policy": "policy",
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LOADED_LATER[name]}"), name)
