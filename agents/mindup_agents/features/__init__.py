"""The features that policy networks read, by id.

A policy file stores the id of its features. The meaning of an id never changes: an improved
version gets a new id.

- ``base``: the interface of encoders, what writes their rows, and the shape of a row
- ``plain``: plain-1, the observation and a few facts about each card; raw-1, the observation alone
- ``memory``: memory-1, the observation, and how well models of the opponents predicted them
- ``position``: position-1, expected values of cards without sampling, for any seat of any game;
  ``seat`` writes its parts, with the arrays and components of ``workspace``
- ``sampling``: forecast-1, the same from predicted cards; playout-1 and playout-2, with the results
  of playouts
- ``combined``: several of them side by side
- ``encoders``: the encoders by id, padded to a number of players; the
  features of seats of a ``BatchEnv``, for a training loop of one's own
"""

from mindup_agents.features.base import (
    FeatureEncoder,
    FeatureNames,
    FeatureShape,
    feature_names,
    remember_plays,
)
from mindup_agents.features.encoders import (
    ENCODER,
    ENCODERS,
    SeatFeatures,
    current_id,
    import_encoder,
    make_encoder,
    writer_of,
)

__all__ = [
    "ENCODER",
    "ENCODERS",
    "FeatureEncoder",
    "FeatureNames",
    "FeatureShape",
    "SeatFeatures",
    "current_id",
    "feature_names",
    "import_encoder",
    "make_encoder",
    "remember_plays",
    "writer_of",
]
