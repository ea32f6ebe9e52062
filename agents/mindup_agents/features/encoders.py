"""The feature encoders by id."""

from mindup_agents.features.base import (
    BatchedEncoder,
    DeclaredEncoder,
    FeatureEncoder,
    FeatureShape,
)
from mindup_agents.features.forecast import ForecastFeatures
from mindup_agents.features.padded import PaddedEncoder
from mindup_agents.features.plain import PlainFeatures
from mindup_agents.features.playout import PlayoutFeatures
from mindup_agents.features.position import PositionFeatures
from mindup_agents.features.raw import RawFeatures
from mindup_agents.features.threaded import ThreadedEncoder
from mindup_env.agent import CodeKind, find_code, names_code
from mindup_env.config import GameConfig
from mindup_env.threads.pool import NumThreads, check_num_threads

ENCODERS: dict[str, type[DeclaredEncoder]] = {
    PlainFeatures.name: PlainFeatures,
    RawFeatures.name: RawFeatures,
    PositionFeatures.name: PositionFeatures,
    ForecastFeatures.name: ForecastFeatures,
    PlayoutFeatures.name: PlayoutFeatures,
}

ENCODER = CodeKind("encoder", "myfeatures:Encoder")
"""An encoder of a user: a class of a config."""

_FORMER_IDS = {"foreseen-1": ForecastFeatures.name, "tried-1": PlayoutFeatures.name}
"""The ids in the first policy files and run folders."""


def current_id(name: str) -> str:
    """The id that replaces a former one; any other id as it is."""
    return _FORMER_IDS.get(name, name)


def make_encoder(
    name: str,
    config: GameConfig,
    num_threads: NumThreads = 1,
    pad_to_players: int | None = None,
) -> FeatureEncoder:
    """The encoder of an id such as ``plain-1``; ``SeatFeatures`` calls it for a ``BatchEnv``.

    No other code is run, whatever the name.

    Args:
        name: the id of the features.
        config: the rules.
        num_threads: how many threads encode the rows, each a part of them; ``"all"`` is one per
            core. The features are the same for every number; small batches need fewer threads.
        pad_to_players: pads the rows to so many players, so that they have the same shape in games
            of fewer players. The encoder reads observations without padding.
    """
    if name not in ENCODERS:
        raise ValueError(f"unknown features {name!r}; available: {', '.join(ENCODERS)}")

    def make() -> BatchedEncoder:
        encoder = ENCODERS[name](config)
        if pad_to_players is None:
            return encoder
        return PaddedEncoder(encoder, config, pad_to_players)

    if check_num_threads(num_threads) == 1:
        return make()
    return ThreadedEncoder(make, config, num_threads)


def import_encoder(
    features: str,
    config: GameConfig,
    num_threads: NumThreads = 1,
    pad_to_players: int | None = None,
) -> FeatureEncoder:
    """The encoder of an id, or of ``module:Class``, which is imported and has one thread.

    A user's own encoder pads its rows itself.

    Only for what the user names: text from a policy file must not run code.
    """
    if not names_code(features):
        return make_encoder(features, config, num_threads, pad_to_players)
    encoder: FeatureEncoder = find_code(ENCODER, features).build(config)
    shape = getattr(encoder, "shape", None)
    if not isinstance(shape, FeatureShape) or min(shape) < 1 or shape.slots < config.largest_hand:
        raise ValueError(
            f"the shape of encoder {features!r} must be a FeatureShape of at least 1 feature of "
            f"the table, 1 of each card and {config.largest_hand} slots, not {shape!r}"
        )
    return encoder
