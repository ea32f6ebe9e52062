"""What the settings of all learners have."""

import os
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Self

from mindup_agents.features import ENCODERS, import_encoder
from mindup_agents.policy import Description, Widths, check_size
from mindup_agents.policy.description import MAX_WIDTH, NO_OWN_CODE, OwnCode
from mindup_agents.policy.network import FIRST_NETWORK
from mindup_arena.settings import MAX_DEALS
from mindup_env.config import GameConfig
from mindup_env.settings.declaration import changed, from_plain, option, settings, to_plain
from mindup_env.variants import VARIANTS
from mindup_training.own_code import check_code_names

MAX_TIMESTEPS = 10**12  # years of training
MAX_MINUTES = 365 * 24 * 60  # a year


@settings(kw_only=True)
class RunSettings:
    """The settings of a run: everything that its result depends on.

    A learner has a subclass, which may override defaults.

    Attributes:
        game: the rules of the game.
    """

    learner: str = option("learner: sb3, ppo or module:Class", default="sb3", metavar="NAME")
    game: GameConfig = field(default_factory=GameConfig)
    # Environments pay win by default, the aim of the game. It comes at the end alone: points say
    # earlier what a card brought, and with a weight of 0.1 they seldom outweigh the win.
    reward: str = option(
        "sum of score, margin and win with weights, such as 0.1*margin+win; or module:Class",
        default="0.1*margin+win",
    )
    features: str = option(
        f"what the network reads: {', '.join(ENCODERS)}; or module:Class",
        default="raw-1",
        metavar="ID",
    )
    network: str | None = option(
        "network: cards-1, the default; bidding-1, which reads raw-1 or memory-1 and predicts the "
        "opponents' cards; or a PyTorch network, as module:Class",
        default=None,
        metavar="NETWORK",
    )
    widths: Widths = option(
        "widths of the hidden layers: table, each card, value",
        default_factory=Widths,
        low=1,
        high=MAX_WIDTH,
        rare=True,
    )
    init: str | None = option(
        "policy file whose weights to start from", default=None, metavar="POLICY"
    )
    timesteps: int = option("decisions to learn from", default=1_000_000, low=1, high=MAX_TIMESTEPS)
    minutes: float = option(
        "minutes to train for, instead of --timesteps if above 0; such a run cannot be repeated "
        "exactly",
        default=0.0,
        low=0,
        high=MAX_MINUTES,
    )
    seed: int = option("random seed", default=0, low=0, high=2**32 - 1)
    threads: int = option(
        "number of threads of PyTorch, 0 for one per core; its sums differ slightly with another "
        "number",
        default=0,
        low=0,
        high=1024,
    )
    evaluations: int = option(
        "evaluations after the one at the start, each with a checkpoint",
        default=10,
        low=1,
        high=10_000,
    )
    evaluate_against: tuple[str, ...] = option(
        "bots to evaluate the policy against", default=("random",), metavar="BOT"
    )
    evaluation_deals: int = option(
        "deals per bot in an evaluation, each played from every seat",
        default=200,
        low=1,
        high=MAX_DEALS,
        rare=True,
    )
    callbacks: tuple[str, ...] = option(
        "callbacks, each as module:Class", default=(), metavar="MODULE:CLASS", rare=True
    )

    def __post_init__(self) -> None:
        check_code_names(self)
        if self.own_code == NO_OWN_CODE:
            check_size(self.describe_policy())

    @property
    def own_code(self) -> OwnCode:
        """The user's own code that the policy consists of."""
        return OwnCode.named_by(self.features, self.network)

    def describe_policy(self, about: Mapping[str, str] | None = None) -> Description:
        """What a policy file says; this imports features of the user's own."""
        has_own = bool(self.own_code.features)
        own_shape = import_encoder(self.features, self.game).shape if has_own else None
        network = None if self.network == FIRST_NETWORK else self.network
        names = (self.game,), self.features, self.widths
        return Description(*names, about or {}, network, own_shape)

    def with_threads(self) -> Self:
        """These settings with the number of threads filled in, so that the run can be repeated."""
        return self if self.threads else self.changed({"threads": usable_cores()})

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return to_plain(self)

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """The settings that ``to_dict`` saved, checked; missing ones have their defaults."""
        return from_plain(cls, plain)

    def changed(self, plain: Any) -> Self:
        """These settings with some of them replaced by plain data, as from JSON or TOML.

        ``game`` can have some of its fields, or be the name of one of the small games.
        """
        if isinstance(plain, Mapping) and isinstance(name := plain.get("game"), str):
            if name not in VARIANTS:
                raise ValueError(f"game must be one of {', '.join(VARIANTS)}, not {name!r}")
            plain = {**plain, "game": VARIANTS[name].to_dict()}
        return changed(self, plain)


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
