"""What the settings of all learners have."""

import os
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property
from statistics import fmean
from typing import Any, ClassVar, Self

from mindup_agents.features import ENCODERS, FeatureShape, import_encoder
from mindup_agents.policy import Description, Widths, check_size
from mindup_agents.policy.description import MAX_WIDTH, NO_OWN_CODE, OwnCode
from mindup_agents.policy.network import FIRST_NETWORK
from mindup_arena.settings import MAX_DEALS
from mindup_env.config import OPTION_FIELDS, GameConfig
from mindup_env.settings.checks import check_int
from mindup_env.settings.declaration import changed, from_plain, option, settings, to_plain
from mindup_env.variants import VARIANTS
from mindup_training.own_code import check_code_names
from mindup_training.settings.hyperparameters import (
    MAX_MINUTES,
    MAX_TIMESTEPS,
    SIZES,
    Optimization,
    Passes,
    PlayedGames,
    PPOHyperparameters,
)
from mindup_training.settings.schedule import CheckpointTimes, Stage

SNAPSHOT_RULE = (
    "At every checkpoint, the policy plays against the newest snapshot of the pool; both sample "
    "their cards. If the policy wins at least an equal share, or if the pool is empty, a snapshot "
    "of it enters the pool. A full pool drops its second oldest snapshot: the oldest stays and "
    "shows what the policy forgets. All snapshots play equally often. Until the first snapshot "
    "enters, the bots play all seats."
)


@settings(kw_only=True)
class SelfPlaySettings:
    """Snapshots of the policy in training that play as opponents."""

    switch: ClassVar[str] = "let snapshots of the policy play some of the opponents' seats"
    """The help of the switch that adds these settings."""

    snapshot_share: float = option(
        f"share of the opponents' seats that snapshots play; bots play the others. {SNAPSHOT_RULE}",
        default=0.5,
        above=0,
        high=1,
        rare=True,
    )
    # At least the oldest snapshot and the newest; each is a bot of its own in memory.
    pool_size: int = option(
        "number of snapshots in the pool", default=6, low=2, high=1000, rare=True
    )


@settings(kw_only=True)
class RunSettings:
    """The settings of a run: everything that its result depends on.

    A learner has a subclass. What is no option has a default here, which a subclass overrides.
    """

    learner: str = option(
        "learner: a registered name, such as sb3 or ppo, or module:Class",
        default="sb3",
        metavar="NAME",
    )
    features: str = option(
        f"what the network reads: {', '.join(ENCODERS)}, or several joined by +; or module:Class",
        default="plain-1",
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
    seed: int = option("random seed", default=0, low=0, high=2**32 - 1)
    threads: int = option(
        "number of threads of PyTorch, 0 for one per core; its sums differ slightly with another "
        "number",
        default=0,
        low=0,
        high=1024,
    )
    callbacks: tuple[str, ...] = option(
        "callbacks, each as module:Class", default=(), metavar="MODULE:CLASS", rare=True
    )
    loggers: tuple[str, ...] = option(
        "what records the metrics beside CSV files: tensorboard, wandb, mlflow, or module:Class; "
        "csv for these files alone",
        default=("tensorboard",),
        metavar="LOGGER",
    )

    @property
    def learner_name(self) -> str:
        """The learner that has these settings."""
        return self.learner

    @property
    def configs(self) -> tuple[GameConfig, ...]:
        """The games that are learned from, as far as the settings have them."""
        return ()

    @property
    def tables(self) -> dict[int, GameConfig]:
        """The first game with each number of players, by this number."""
        found: dict[int, GameConfig] = {}
        for config in self.configs:
            found.setdefault(config.num_players, config)
        return found

    @property
    def equal_share(self) -> float:
        """The win share of equal players: the mean over the games."""
        return fmean(1 / config.num_players for config in self.configs)

    @property
    def end(self) -> int | None:
        """The timesteps to learn; None if ``seconds`` limit the training, or the data do."""
        return None

    @property
    def seconds(self) -> float:
        """The time to learn, if there is no ``end``."""
        return 0.0

    @property
    def checkpoint_times(self) -> CheckpointTimes:
        """When the run has checkpoints; by default after each rollout."""
        return CheckpointTimes(0, 1)

    @property
    def evaluation_bots(self) -> tuple[str, ...]:
        """The bots that the policy is evaluated against."""
        return ()

    @property
    def evaluation_deals(self) -> int:
        """The deals of an evaluation against each bot."""
        return 0

    @property
    def init(self) -> str | None:
        """The policy file whose weights the training starts from."""
        return None

    @property
    def padding(self) -> int | None:
        """The number of players that the features are padded to; None without padding."""
        return None

    @property
    def self_play(self) -> SelfPlaySettings | None:
        """The snapshots of the policy that play as opponents, if any."""
        return None

    @property
    def stages(self) -> tuple[Stage, ...]:
        """What changes during the training."""
        return ()

    @property
    def own_code(self) -> OwnCode:
        """The user's own code that the policy consists of."""
        return OwnCode.named_by(self.features, self.network)

    def about(self, command: str, timesteps: int) -> dict[str, str]:  # noqa: ARG002
        """What a policy file says about the training by name, in place of its learner."""
        return {}

    def describe_policy(self, about: Mapping[str, str] | None = None) -> Description:
        """What a policy file says; this imports features of the user's own."""
        own_shape: FeatureShape | None = None
        if self.own_code.features:
            shapes = {import_encoder(self.features, each).shape for each in self.configs}
            if len(shapes) != 1:
                raise ValueError(f"the features {self.features!r} differ in size between configs")
            (own_shape,) = shapes
        names = self.configs, self.features, self.widths
        network = None if self.network == FIRST_NETWORK else self.network
        return Description(*names, about or {}, network, own_shape, self.padding)

    @cached_property
    def stage_settings(self) -> tuple[Self, ...]:
        """The settings during each stage: those of the run with its changes."""
        found, begin, last = [], -1, (self.end or MAX_TIMESTEPS) - 1
        for number, stage in enumerate(self.stages, start=1):
            try:
                check_int("after", stage.after, begin + 1, last)
                self._check_changes(stage.changes)
                found.append(self.changed({**stage.changes, "stages": []}))
            except ValueError as error:
                raise ValueError(f"stage {number}: {error}") from None
            begin = stage.after
        return tuple(found)

    def stage_at(self, timesteps: int) -> int:
        """The number of the stage at these timesteps; 0 before the first."""
        return sum(stage.after <= timesteps for stage in self.stages)

    @classmethod
    def changeable(cls) -> list[str]:
        """What a stage can change: settings, or those of a section as ``ppo.epochs``."""
        shared = (Optimization, Passes, PlayedGames, PPOHyperparameters)
        found = (each.name for base in shared if issubclass(cls, base) for each in fields(base))
        return ["reward", *(name for name in dict.fromkeys(found) if name not in SIZES)]

    def folder_name(self, label: str) -> str:
        """The name of a new folder in ``runs``."""
        return f"{label}-{'-'.join(map(str, self.tables))}p-seed{self.seed}"

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

        ``ppo.learning_rate`` names a setting of a section too.
        """
        return changed(self, plain)

    def _check_changes(self, changes: Mapping[str, Any]) -> None:
        """Refuses a stage that changes nothing, or what no stage can change."""
        changeable = ", ".join(self.changeable())
        if not changes:
            raise ValueError(f"it must change some of {changeable}")
        for name, value in changes.items():
            inside = [f"{name}.{key}" for key in value] if isinstance(value, Mapping) else [name]
            if wrong := {*inside} - {*self.changeable()}:
                raise ValueError(f"a stage cannot change {min(wrong)}; it can change {changeable}")


@settings(kw_only=True)
class GameSettings(RunSettings):
    """The settings of a learner that learns from games which it plays.

    Attributes:
        stages: what changes during the training.
    """

    # Environments pay win by default, the aim of the game. It comes at the end alone: points say
    # earlier what a card brought, and with a weight of 0.1 they seldom outweigh the win.
    reward: str = option(
        "sum of score, margin and win with weights, such as 0.1*margin+win; or module:Class",
        default="0.1*margin+win",
    )
    init: str | None = option(
        "policy file whose weights to start from", default=None, metavar="POLICY"
    )
    timesteps: int | None = option(
        "decisions to learn from", default=None, low=1, high=MAX_TIMESTEPS
    )
    minutes: float = option(
        "minutes to train for, instead of --timesteps if above 0; such a run cannot be repeated "
        "exactly",
        default=0.0,
        low=0,
        high=MAX_MINUTES,
    )
    evaluation_deals: int = option(
        "deals per bot in an evaluation, each played from every seat",
        default=200,
        low=1,
        high=MAX_DEALS,
        rare=True,
    )
    first_checkpoint: int = option(
        "timesteps of the first checkpoint; each next one comes at twice the timesteps, until the "
        "steps are as large as the regular ones (0: equal steps from the start)",
        default=0,
        low=0,
        high=MAX_TIMESTEPS,
        rare=True,
    )
    stages: tuple[Stage, ...] = ()

    def changed(self, plain: Any) -> Self:
        """As of ``RunSettings``; ``game`` can also be the name of one of the small games."""
        if isinstance(plain, Mapping) and isinstance(name := plain.get("game"), str):
            if name not in VARIANTS:
                raise ValueError(f"game must be one of {', '.join(VARIANTS)}, not {name!r}")
            rules, options = VARIANTS[name].to_dict(), (each.name for each in fields(self))
            own = {each: rules.pop(OPTION_FIELDS[each]) for each in OPTION_FIELDS.keys() & options}
            plain = {**plain, **own, "game": rules}
        return super().changed(plain)

    def __post_init__(self) -> None:
        check_code_names(self)
        if self.end is None and not self.seconds:
            raise ValueError("timesteps or minutes must be given")
        for number, stage in enumerate(self.stage_settings, start=1):
            if not {*stage.configs} <= {*self.configs}:
                raise ValueError(f"the games of stage {number} must be some of those of the run")
        if self.own_code == NO_OWN_CODE:
            check_size(self.describe_policy())

    @property
    def end(self) -> int | None:
        return None if self.minutes > 0 else self.timesteps

    @property
    def seconds(self) -> float:
        return 60 * self.minutes


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
