"""The features that policy networks read, by id.

A policy file stores the id of its features.

- ``base``: the interface of encoders, and the shape of a row
- ``raw``: raw-1, the observation
- ``memory``: memory-1, the observation, and how well models of the opponents predicted them
- ``position``: position-1, expected values of cards, for any seat of any game; ``seat`` writes its
  parts, with the arrays and components of ``workspace``
- ``encoders``: the encoders by id, and those of a user
- ``seats``: the features of seats of a ``BatchEnv``, for a training loop of one's own
"""

from mindup_agents.features.base import FeatureEncoder, FeatureShape, remember_plays
from mindup_agents.features.encoders import (
    ENCODER,
    ENCODERS,
    encoder_of,
    import_encoder,
    make_encoder,
)
from mindup_agents.features.seats import SeatFeatures

__all__ = [
    "ENCODER",
    "ENCODERS",
    "FeatureEncoder",
    "FeatureShape",
    "SeatFeatures",
    "encoder_of",
    "import_encoder",
    "make_encoder",
    "remember_plays",
]
