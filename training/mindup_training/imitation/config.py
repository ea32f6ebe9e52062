"""The settings of an imitation."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from mindup_agents.features import writer_of
from mindup_agents.features.combined import JOINT
from mindup_agents.features.memory import MemoryFeatures
from mindup_agents.policy import Widths, load_policy
from mindup_env.agent import full_spec
from mindup_env.config import GameConfig
from mindup_env.settings.declaration import option, settings
from mindup_training.own_code import check_code_names
from mindup_training.settings import RunSettings
from mindup_training.settings.hyperparameters import Passes

CARD_VALUES = "card-values"
POLICY_TARGETS = CARDS, _ = "cards", CARD_VALUES
VALUE_TARGETS = RETURN, _ = "return", CARD_VALUES


@settings(kw_only=True)
class ImitationConfig(Passes, RunSettings):
    """All that the policy of an imitation depends on."""

    imitate: tuple[str, ...] = option(
        "folders of the datasets to fit a policy to", default=(), metavar="DIR"
    )
    bots: tuple[str, ...] = option(
        "bots of the datasets to imitate (default: all)", default=(), metavar="BOT"
    )
    start: str | None = option(
        "policy file to start from; it keeps its features, network and widths",
        default=None,
        metavar="POLICY",
    )
    held_out: float = option(
        "share of the deals that is not learned from, to measure the errors on",
        default=0.1,
        above=0,
        high=0.5,
    )
    policy_target: str = option(
        "what the policy is fitted to: the bots' cards, by their cross-entropy, or the card_values "
        "of all cards, which must be win probabilities, by the regret: how far a card drawn from "
        "the policy is from the best one, on average",
        default=CARDS,
        choices=POLICY_TARGETS,
    )
    policy_coef: float = option(
        "weight of the cross-entropy or the regret; 0 fits the values alone",
        default=1.0,
        low=0,
        high=100.0,
    )
    value_target: str = option(
        "what the values are fitted to: the return of a decision, or the highest of its "
        "card_values, which must be win probabilities, minus an equal share",
        default=RETURN,
        choices=VALUE_TARGETS,
    )
    learner: str = "imitation"
    threads: int = 1
    epochs: int = 10
    batch_size: int = 512
    learning_rate: float = 2e-3
    features: str = "forecast-1"
    widths: Widths = Widths(128, 128, 128)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bots", tuple(map(full_spec, self.bots)))
        writer_of(self.features)
        check_code_names(self)
        if MemoryFeatures.name in self.features.split(JOINT):
            raise ValueError(
                f"features {MemoryFeatures.name} remember what the network itself predicts during "
                "a game; an imitation computes all features before it learns"
            )
        if self.policy_coef == self.vf_coef == 0:
            raise ValueError("policy_coef and vf_coef must not both be 0")

    @cached_property
    def configs(self) -> tuple[GameConfig, ...]:
        """The games of the datasets, or all those of the policy to start from if it plays them."""
        from mindup_training.dataset.settings import read_settings  # noqa: PLC0415  # for the arena

        found = {read_settings(Path(path)).config for path in self.imitate}
        if len({replace(config, num_objectives=0) for config in found}) > 1:
            raise ValueError(
                "the games of the datasets may differ in the number of objectives alone"
            )
        plays = load_policy(self.start).description.configs if self.start else ()
        if found <= {*plays}:
            return plays
        return tuple(sorted(found, key=lambda config: config.num_objectives))

    def changed(self, plain: Any) -> Self:
        """With features, network and widths of a policy to start from, unless others are given."""
        if isinstance(plain, Mapping) and plain.get("start"):
            found = load_policy(plain["start"]).description
            own = {name: getattr(found, name) for name in ("features", "network", "widths")}
            plain = {**own, **plain}
        return super().changed(plain)
