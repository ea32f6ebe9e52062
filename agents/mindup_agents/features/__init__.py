"""The features that policy networks read, by id.

A policy file stores the id of its features. The meaning of an id never changes: an improved
version gets a new id.

- ``base``: the interface of encoders, and the shape of a row
- ``raw``: raw-1, the observation itself
- ``plain``: plain-1, the observation, and a few facts about each card of the hand
- ``position``: position-1, expected values of cards without sampling, for any seat of any game;
  ``table`` and ``hand`` write its parts, ``prize_components`` the components of a card's value
- ``forecast``: forecast-1, the same from predicted cards
- ``playout``: playout-1, forecast-1 and the results of playouts
- ``padded``: the same features in the same places for different numbers of players
- ``encoders``: the encoders by id
- ``seats``: the features of seats of a ``BatchEnv``, for a training loop of one's own
- ``threaded``: the same features in several threads
"""

from mindup_agents.features.base import (
    FeatureEncoder,
    FeatureNames,
    FeatureShape,
    feature_names,
)
from mindup_agents.features.encoders import (
    ENCODER,
    ENCODERS,
    current_id,
    import_encoder,
    make_encoder,
)
from mindup_agents.features.seats import SeatFeatures

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
]
