"""What a policy file says about its policy: the games it plays, its features and its network.

A policy file only names the code of a user. It is imported where the user names the same, and never
because a file names it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Self

from mindup_agents.features import ENCODER, FeatureShape, make_encoder
from mindup_agents.features.memory import MEMORY_MODELS, MemoryFeatures
from mindup_agents.features.raw import RawFeatures
from mindup_agents.policy.bidding import BIDDING, BiddingFacts, bidding_shapes
from mindup_agents.policy.compiled_network import tensor_shapes
from mindup_agents.policy.network import ACTIVATION, FIRST_NETWORK, NETWORK, Widths
from mindup_env.agent import check_code_name, code_name, names_code
from mindup_env.config import OPTION_FIELDS, GameConfig, ScoreOrder
from mindup_env.observation import layout_of
from mindup_env.settings.declaration import from_plain, option, settings

FORMAT, VERSION = "mindup-policy", 1
BIDDING_FEATURES = {RawFeatures.name: 1, MemoryFeatures.name: MEMORY_MODELS}
"""What the network bidding-1 can read, and how many models it then has of an opponent."""
MAX_WIDTH = 4096
_MAX_FEATURES = 2**20  # of the table, of a card, or slots: rows of more are megabytes long


@settings(kw_only=True)
class _Games:
    """The games of a policy in its file: each number of players with each of objectives."""

    num_players: tuple[int, ...]
    num_objectives: tuple[int, ...]
    num_rounds: int
    hand_size: int
    num_cards: int = GameConfig.num_cards
    deck: Literal["official"] = "official"  # the weights of this package have this entry
    score_order: ScoreOrder | None = None


@settings(kw_only=True)
class _Plain:
    """The description of a policy in its file."""

    format: Literal["mindup-policy"]
    version: Literal[1]
    config: _Games
    observation_sizes: tuple[int, ...]
    inputs: str
    activation: Literal["relu"]
    widths: Widths = option("", low=1, high=MAX_WIDTH)
    about: dict[str, str]
    network: str | None = None
    feature_shape: FeatureShape | None = option("", default=None, low=1, high=_MAX_FEATURES)


@dataclass(frozen=True)
class Description:
    """The description of a policy in the header of its file.

    Attributes:
        configs: the games that the policy plays; they differ at most in the number of players and
            of objectives.
        features: the id of the feature encoder, such as ``raw-1``, or the ``module:Class`` of a
            user.
        widths: the widths of the hidden layers.
        about: free text by name, such as the command of the training.
        network: ``bidding-1``, or the ``module:Class`` of a user's network; None for the first
            network of the package.
        own_shape: the shape of a row of a user's features; None for those of the package.
    """

    configs: tuple[GameConfig, ...]
    features: str
    widths: Widths = field(default_factory=Widths)
    about: Mapping[str, str] = field(default_factory=dict)
    network: str | None = None
    own_shape: FeatureShape | None = None

    def shapes(self) -> dict[str, tuple[int, ...]] | None:
        """The shape of each tensor of the policy; None for a network of a user."""
        if self.network is not None and names_code(self.network):
            return None
        return _SHAPES[self.network](self)

    def bidding_facts(self) -> BiddingFacts:
        """What the network ``bidding-1`` knows about the games of the policy."""
        return BiddingFacts.of(
            self.configs[0],
            BIDDING_FEATURES[self.features],
            self.feature_shape(),
        )

    def feature_shape(self) -> FeatureShape:
        """The shape of a row of features. This runs no code that the description names."""
        if self.own_shape is not None:
            return self.own_shape
        shapes = {make_encoder(self.features, config).shape for config in self.configs}
        if len(shapes) != 1:
            raise ValueError(
                f"one network cannot play all configs: their rows of the features "
                f"{self.features!r} have {len(shapes)} different sizes"
            )
        return shapes.pop()

    def check_plays(self, config: GameConfig) -> None:
        """Raises an error for a config that the policy was not trained for."""
        if config in self.configs:
            return
        for name in OPTION_FIELDS.values():
            trained = sorted({getattr(own, name) for own in self.configs})
            if getattr(config, name) not in trained:
                values = " or ".join(map(str, trained))
                raise ValueError(
                    f"the policy was trained for {name}={values}, not for "
                    f"{name}={getattr(config, name)}"
                )
        raise ValueError("the policy was trained with another order of the score cards")

    def to_dict(self) -> dict[str, Any]:
        """The description as plain data for JSON, with the games in ascending order."""
        configs = sorted({*self.configs}, key=lambda own: (own.num_players, own.num_objectives))
        config = configs[0].to_dict()
        for name in ("num_players", "num_objectives"):
            config[name] = sorted({getattr(own, name) for own in configs})
        plain = {
            "format": FORMAT,
            "version": VERSION,
            "config": config,
            "observation_sizes": [layout_of(own).size for own in configs],
            "inputs": self.features,
            "activation": ACTIVATION,
            "widths": self.widths._asdict(),
            "about": dict(self.about),
            "network": self.network,
            "feature_shape": None if self.own_shape is None else self.own_shape._asdict(),
        }
        return {name: value for name, value in plain.items() if value is not None}

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """The description that ``to_dict`` saved, checked."""
        found = from_plain(_Plain, plain)
        games = {name: value for name, value in vars(found.config).items() if name != "deck"}
        for name in ("num_players", "num_objectives"):
            games[name] = dict.fromkeys(games[name])
        configs = configs_for(**games)
        sizes = tuple(layout_of(config).size for config in configs)
        if found.observation_sizes != sizes or not configs:
            raise ValueError(
                f"the policy reads observations of the sizes {found.observation_sizes}, but the "
                f"sizes of its configs are {sizes}"
            )
        features = found.inputs
        check_network(found.network, features)
        if names_code(features):
            check_code_name(ENCODER, features)
        if names_code(features) != (found.feature_shape is not None):
            rule = "have a" if names_code(features) else "have no"
            raise ValueError(f"the features {features} must {rule} feature_shape")
        own = found.network, found.feature_shape
        return cls(configs, features, found.widths, found.about, *own)


_SHAPES: dict[str | None, Callable[[Description], dict[str, tuple[int, ...]]]] = {
    None: lambda own: tensor_shapes(own.feature_shape(), own.widths),
    BIDDING: lambda own: bidding_shapes(own.bidding_facts(), own.widths),
}
"""The shapes of the tensors of the networks of the package, by id."""


def check_network(network: str | None, features: str) -> None:
    """Refuses a network that neither is one of the package nor names code."""
    if network is not None and names_code(network):
        check_code_name(NETWORK, network)
    elif network not in _SHAPES:
        raise ValueError(
            f"unknown network {network!r}; available: {FIRST_NETWORK}, {BIDDING}, or module:Class, "
            f"such as {NETWORK.example}"
        )
    if network == BIDDING and features not in BIDDING_FEATURES:
        names = " or ".join(BIDDING_FEATURES)
        raise ValueError(f"network {BIDDING} reads the features {names}, not {features}")
    if network is None and features == MemoryFeatures.name:
        raise ValueError(
            f"features {MemoryFeatures.name} remember what a network predicts: network must be "
            f"{BIDDING} or module:Class, not {FIRST_NETWORK}"
        )


def configs_for(
    num_players: Iterable[int], num_objectives: Iterable[int], **same: Any
) -> tuple[GameConfig, ...]:
    """A config for each number of players and of objectives."""
    return tuple(
        GameConfig.from_dict({**same, "num_players": players, "num_objectives": objectives})
        for players in num_players
        for objectives in num_objectives
    )


class OwnCode(NamedTuple):
    """The code that the user names, as ``module:Class``; empty texts for that of the package."""

    features: str = ""
    network: str = ""

    @classmethod
    def named_by(cls, features: str, network: str | None) -> Self:
        """That of the features and the network in question, without their options."""
        return cls(
            code_name(features) if names_code(features) else "",
            code_name(network) if network is not None and names_code(network) else "",
        )

    @property
    def as_options(self) -> str:
        """The options of the bot ``policy`` that name this code."""
        return "".join(f",{name}={value}" for name, value in self._asdict().items() if value)

    def check(self, description: Description) -> None:
        """Raises an error if a policy needs other code than the user names."""
        needed = self.named_by(description.features, description.network)
        if self == needed:
            return
        parts = [
            f"the {name} {value or 'of the package'}"
            for name, value in needed._asdict().items()
            if value != getattr(self, name)
        ]
        raise ValueError(
            f"the policy was trained with {' and '.join(parts)}, and plays only where the user "
            f"names the same code: policy:FILE{needed.as_options}"
        )


NO_OWN_CODE = OwnCode()
