"""What a policy file says about its policy: the games it plays, its features and its network."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from mindup_agents.features import ENCODER, FeatureShape, current_id, make_encoder
from mindup_agents.policy.network import ACTIVATION, NETWORK, Widths, tensor_shapes
from mindup_env.agent import check_code_name, names_code
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_env.observation.vector_layout import count_blocks
from mindup_env.settings.checks import as_list, check_entries, check_int

FORMAT, VERSION = "mindup-policy", 1
MAX_WIDTH = 4096
_MAX_FEATURES = 2**20  # of the table, of a card, or slots: rows of more are megabytes long
_MOST_NUMBERS = 6  # of players or objectives: no list without repetitions is longer


@dataclass(frozen=True)
class Description:
    """The description of a policy in the header of its file.

    Attributes:
        configs: the games that the policy plays; they differ at most in the number of players and
            of objectives.
        features: the id of the feature encoder, such as ``plain-1``, or the ``module:Class`` of a
            user.
        widths: the widths of the hidden layers.
        about: free text by name, such as the command of the training.
        network: the ``module:Class`` of a user's network; None for that of the package.
        own_shape: the shape of a row of a user's features; None for those of the package.
        pad_to_players: the number of players that the features are padded to, so that one network
            plays with different numbers; None for features of the players at the table alone.
    """

    configs: tuple[GameConfig, ...]
    features: str
    widths: Widths = field(default_factory=Widths)
    about: Mapping[str, str] = field(default_factory=dict)
    network: str | None = None
    own_shape: FeatureShape | None = None
    pad_to_players: int | None = None

    def shapes(self) -> dict[str, tuple[int, ...]] | None:
        """The shape of each tensor of the policy; None for a network of a user."""
        shape = self.feature_shape()
        return tensor_shapes(shape, self.widths) if self.network is None else None

    def feature_shape(self) -> FeatureShape:
        """The shape of a row of features. This runs no code that the description names."""
        if self.own_shape is not None:
            return self.own_shape
        shapes = {
            make_encoder(self.features, config, pad_to_players=self.pad_to_players).shape
            for config in self.configs
        }
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
        for name in ("num_players", "num_objectives", "num_rounds", "hand_size"):
            trained = sorted({getattr(own, name) for own in self.configs})
            if getattr(config, name) not in trained:
                values = " or ".join(map(str, trained))
                raise ValueError(
                    f"the policy was trained for {name}={values}, not for "
                    f"{name}={getattr(config, name)}"
                )
        raise ValueError("the policy was trained with another deck")

    def to_dict(self) -> dict[str, Any]:
        """The description as plain data for JSON, with the games in ascending order."""
        configs = sorted({*self.configs}, key=lambda own: (own.num_players, own.num_objectives))
        config = configs[0].to_dict()
        config["num_players"] = sorted({own.num_players for own in self.configs})
        config["num_objectives"] = sorted({own.num_objectives for own in self.configs})
        own: dict[str, Any] = {} if self.network is None else {"network": self.network}
        if self.own_shape is not None:
            own["feature_shape"] = self.own_shape._asdict()
        if self.pad_to_players is not None:
            own["pad_to_players"] = self.pad_to_players
        return {
            "format": FORMAT,
            "version": VERSION,
            "config": config,
            "observation_sizes": [layout_of(own).size for own in configs],
            "inputs": self.features,
            "activation": ACTIVATION,
            "widths": self.widths._asdict(),
            "about": dict(self.about),
            **own,
        }

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """The description that ``to_dict`` saved, checked."""
        if not isinstance(plain, Mapping) or plain.get("format") != FORMAT:
            raise ValueError(f"the description must be a dict with the format {FORMAT!r}")
        if plain.get("version") != VERSION:
            raise ValueError(f"the version must be {VERSION}, not {plain.get('version')!r}")
        entries = ("config", "observation_sizes", "inputs", "activation", "widths", "about")
        own = ("network", "feature_shape", "pad_to_players")
        check_entries("the description", plain, ("format", "version", *entries), own)
        if plain["activation"] != ACTIVATION:
            raise ValueError(f"the activation must be {ACTIVATION!r}, not {plain['activation']!r}")
        configs, about = _configs(plain["config"]), plain["about"]
        sizes = [layout_of(config).size for config in configs]
        if plain["observation_sizes"] != sizes:
            raise ValueError(
                f"the policy reads observations of the sizes {plain['observation_sizes']!r}, but "
                f"the sizes of its configs are {sizes}"
            )
        if not isinstance(about, Mapping) or not all(
            isinstance(each, str) for each in about.values()
        ):
            raise ValueError(f"about must be a dict of texts, not {about!r}")
        features = current_id(str(plain["inputs"]))
        network, own_shape, padding = (plain.get(name) for name in own)
        if network is not None:
            check_code_name(NETWORK, str(network))
        if names_code(features):
            check_code_name(ENCODER, features)
            own_shape = _numbers("feature_shape", own_shape, FeatureShape, _MAX_FEATURES)
        elif own_shape is not None:
            raise ValueError(f"the features {features} must have no feature_shape")
        for config in configs:
            count_blocks(config, padding)
        widths = _numbers("widths", plain["widths"], Widths, MAX_WIDTH)
        return cls(configs, features, widths, dict(about), network, own_shape, padding)


def configs_for(players: list[int], objectives: list[int], **same: Any) -> tuple[GameConfig, ...]:
    """A config for each number of players and of objectives."""
    return tuple(
        GameConfig.from_dict({**same, "num_players": number, "num_objectives": shown})
        for number in players
        for shown in objectives
    )


def _configs(plain: Any) -> tuple[GameConfig, ...]:
    names = ("num_players", "num_objectives")
    check_entries("config", plain, (*names, "num_rounds", "hand_size", "deck"))
    players, objectives = (as_list(name, plain[name]) for name in names)
    for name, numbers in zip(names, (players, objectives), strict=True):
        if len(numbers) > _MOST_NUMBERS:
            raise ValueError(f"{name} must have at most {_MOST_NUMBERS} numbers")
    configs = configs_for(players, objectives, **{k: v for k, v in plain.items() if k not in names})
    if not configs:
        raise ValueError("num_players and num_objectives must not be empty")
    return configs


def _numbers(name: str, plain: Any, kind: Any, high: int) -> Any:
    """A named tuple of numbers from 1 on."""
    check_entries(name, plain, kind._fields)
    return kind(**{field: check_int(field, plain[field], 1, high) for field in kind._fields})
