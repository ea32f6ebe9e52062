"""The feature encoders by id, and those of a user."""

from mindup_agents.features.base import FeatureEncoder, FeatureShape, RowEncoder
from mindup_agents.features.memory import MemoryFeatures
from mindup_agents.features.position import PositionFeatures
from mindup_agents.features.raw import RawFeatures
from mindup_env.agent import CodeKind, find_code, names_code
from mindup_env.config import GameConfig

ENCODERS: dict[str, type[RowEncoder]] = {
    encoder.name: encoder for encoder in (RawFeatures, MemoryFeatures, PositionFeatures)
}
"""The encoders of the package, by the id of the features."""

ENCODER = CodeKind("encoder", "myfeatures:Encoder")
"""An encoder of a user: a class of a config."""


def encoder_of(name: str) -> type[RowEncoder]:
    """The encoder of an id such as ``raw-1``. No other code is run, whatever the name."""
    if name not in ENCODERS:
        raise ValueError(
            f"unknown features {name!r}; available: {', '.join(ENCODERS)}, or module:Class, such "
            f"as {ENCODER.example}"
        )
    return ENCODERS[name]


def make_encoder(name: str, config: GameConfig) -> RowEncoder:
    """An encoder of the package."""
    return encoder_of(name)(config)


def import_encoder(features: str, config: GameConfig) -> FeatureEncoder:
    """The encoder of an id, or of ``module:Class``, which is imported.

    Only for what the user names: text from a policy file must not run code.
    """
    if not names_code(features):
        return make_encoder(features, config)
    encoder: FeatureEncoder = find_code(ENCODER, features).build(config)
    shape = getattr(encoder, "shape", None)
    if not isinstance(shape, FeatureShape) or min(shape) < 1 or shape.slots < config.largest_hand:
        raise ValueError(
            f"the shape of encoder {features!r} must be a FeatureShape of at least 1 feature of "
            f"the table, 1 of each card and {config.largest_hand} slots, not {shape!r}"
        )
    return encoder
