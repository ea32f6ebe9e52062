"""The hyperparameters of an imitation, each also an option of the command."""

from dataclasses import dataclass

from mindup_agents.features import ENCODERS
from mindup_agents.policy import Widths
from mindup_agents.policy.description import MAX_WIDTH
from mindup_env.agent import numbered_spec
from mindup_env.settings.options import check_ranges, option
from mindup_training import limits
from mindup_training.hyperparameters import RandomnessOptions

CARD_VALUES = "card-values"
POLICY_TARGETS = CARDS, _ = "cards", CARD_VALUES
VALUE_TARGETS = RETURN, _ = "return", CARD_VALUES


@dataclass(frozen=True)
class ImitationConfig(RandomnessOptions):
    """Hyperparameters of ``fit``: all that its policy depends on, besides the datasets."""

    bots: tuple[str, ...] = option(
        "bots of the datasets to imitate (default: all)", default=(), metavar="BOT"
    )
    start: str | None = option(
        "policy file to start from; it keeps its features and widths",
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
        high=limits.MAX_VF_COEF,
    )
    vf_coef: float = option(
        "weight of the squared error of the values", default=0.5, low=0, high=limits.MAX_VF_COEF
    )
    value_target: str = option(
        "what the values are fitted to: the return of a decision, or the highest of its "
        "card_values, which must be win probabilities, minus an equal share",
        default=RETURN,
        choices=VALUE_TARGETS,
    )
    epochs: int = option("passes over the decisions", default=10, low=1, high=limits.MAX_EPOCHS)
    batch_size: int = option(
        "decisions in a minibatch", default=512, low=1, high=limits.MAX_ROLLOUT
    )
    learning_rate: float = option(
        "initial learning rate; decreases linearly to 0",
        default=2e-3,
        above=0,
        high=limits.MAX_LEARNING_RATE,
    )
    features: str = option(
        "what the network reads", default="forecast-1", choices=tuple(ENCODERS), metavar="ID"
    )
    widths: Widths = option(
        "widths of the hidden layers: table, each card, value",
        default_factory=lambda: Widths(128, 128, 128),
        low=1,
        high=MAX_WIDTH,
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "bots", tuple(map(numbered_spec, self.bots)))
        check_ranges(self)
        if self.features not in ENCODERS:
            raise ValueError(
                f"unknown features {self.features!r}; available: {', '.join(ENCODERS)}"
            )
        for name, choices in (("policy_target", POLICY_TARGETS), ("value_target", VALUE_TARGETS)):
            if getattr(self, name) not in choices:
                raise ValueError(
                    f"{name} must be {' or '.join(choices)}, not {getattr(self, name)!r}"
                )
        if self.policy_coef == self.vf_coef == 0:
            raise ValueError("policy_coef and vf_coef must not both be 0")
