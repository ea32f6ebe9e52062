"""The settings of a training run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from statistics import fmean
from typing import Any, Self

from mindup_agents.features import ENCODERS, FeatureShape
from mindup_agents.policy import Description, Widths, check_size
from mindup_agents.policy.description import MAX_WIDTH, configs_for
from mindup_agents.policy.own_code import NO_OWN_CODE, OwnCode
from mindup_arena.settings import MAX_DEALS
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, GameConfig
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.observation.vector_layout import count_blocks
from mindup_env.settings.options import check_ranges, option
from mindup_env.threads.pool import usable_cores
from mindup_training import limits
from mindup_training.envs import EnvConfig
from mindup_training.opponent_mix import parse_share
from mindup_training.own_code import check_code_names
from mindup_training.plain_data import replace_fields, with_current_names
from mindup_training.settings.checkpoint_times import CheckpointTimes
from mindup_training.settings.sections import PPOSettings, RllibSettings, SelfPlaySettings
from mindup_training.settings.stages import Stage, check_order


@dataclass(frozen=True)
class TrainSettings:
    """The settings of a training run: everything that its result depends on.

    Attributes:
        game: fields of ``GameConfig`` that differ from the published game.
        self_play: settings of self-play; None trains against bots only.
        rllib: settings of RLlib; None trains with Stable-Baselines3.
        ppo: hyperparameters of PPO.
        stages: what changes during the training.
    """

    players: tuple[int, ...] = option(
        "number of players; with several numbers, one policy for all of them, and equally many "
        "games of each",
        default=(4,),
        low=MIN_PLAYERS,
        high=MAX_PLAYERS,
    )
    objectives: tuple[int, ...] = option(
        "number of objectives shown; with several numbers, equally many games of each",
        default=(0,),
        low=0,
        high=MAX_OBJECTIVES,
    )
    game: Mapping[str, Any] = field(default_factory=dict)
    opponents: tuple[str, ...] = option(
        "bots to train against, each with an optional weight, such as 2:greedy 1:random",
        default=("random",),
        metavar="[WEIGHT:]BOT",
    )
    reward: str = option(
        "sum of score, margin and win with weights, such as 0.1*margin+win; or module:Class",
        default="0.1*margin+win",
    )
    features: str = option(
        f"what the network reads: {', '.join(ENCODERS)}; or module:Class",
        default="plain-1",
        metavar="ID",
    )
    pad_to_players: int | None = option(
        "players that the features are padded to (default: with several numbers of players, the "
        "largest; else they are not padded)",
        default=None,
        low=MIN_PLAYERS,
        high=MAX_PLAYERS,
    )
    network: str | None = option(
        "PyTorch network, as module:Class (default: that of the package)",
        default=None,
        metavar="MODULE:CLASS",
    )
    widths: Widths = option(
        "widths of the hidden layers: table, each card, value",
        default_factory=Widths,
        low=1,
        high=MAX_WIDTH,
    )
    init: str | None = option(
        "policy file whose weights to start from",
        default=None,
        metavar="POLICY",
    )
    timesteps: int = option(
        "decisions to learn from", default=1_000_000, low=1, high=limits.MAX_TIMESTEPS
    )
    minutes: float = option(
        "minutes to train for, instead of --timesteps if above 0; such a run cannot be repeated "
        "exactly",
        default=0.0,
        low=0,
        high=limits.MAX_MINUTES,
    )
    seed: int = option("random seed", default=0, low=0, high=2**32 - 1)
    threads: int = option(
        "number of threads, 0 for one per core; games and features are the same with every number, "
        "but sums of PyTorch differ slightly",
        default=0,
        low=0,
        high=limits.MAX_THREADS,
    )
    checkpoint_every: int = option(
        "timesteps between checkpoints; the policy is evaluated at each",
        default=100_000,
        low=1,
        high=limits.MAX_TIMESTEPS,
    )
    first_checkpoint: int = option(
        "timesteps of the first checkpoint; each next one comes at twice the timesteps, until "
        "checkpoints are --checkpoint-every apart (0: equal steps from the start)",
        default=0,
        low=0,
        high=limits.MAX_TIMESTEPS,
    )
    evaluate_against: tuple[str, ...] = option(
        "bots to evaluate the policy against", default=("random",), metavar="BOT"
    )
    evaluation_deals: int = option(
        "deals per bot in an evaluation, each played from every seat",
        default=200,
        low=1,
        high=MAX_DEALS,
    )
    callbacks: tuple[str, ...] = option(
        "callbacks, each as module:Class", default=(), metavar="MODULE:CLASS"
    )
    loggers: tuple[str, ...] = option(
        "what records the metrics beside CSV files: tensorboard, wandb, mlflow, or module:Class; "
        "csv for these files alone",
        default=("tensorboard",),
        metavar="LOGGER",
    )
    self_play: SelfPlaySettings | None = None
    rllib: RllibSettings | None = None
    ppo: PPOSettings = field(default_factory=PPOSettings)
    stages: tuple[Stage, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.players, int):
            object.__setattr__(self, "players", (self.players,))
        check_ranges(self)
        for name in ("players", "objectives", "opponents"):
            if not getattr(self, name):
                raise ValueError(f"{name} must not be empty")
        if self.rllib:
            self._check_rllib(self.rllib)
        games = len(self.players) * len(self.objectives)
        if games > self.ppo.num_envs:
            raise ValueError(
                f"num_envs must be at least {games}, one for each number of players "
                "and of objectives"
            )
        for config in self.configs:
            count_blocks(config, self.pad_to_players)
        check_code_names(self.reward, self.features, self.network, self.callbacks)
        rollout = self.ppo.num_envs * self.ppo.rollout_games * self.configs[0].num_turns
        limits.check_rollout(rollout)
        if self.rllib is None:
            limits.check_minibatches(rollout, self.ppo.batch_size)
        if self.pad_to_players is not None and self.own_code.features:
            raise ValueError(
                "pad_to_players cannot be combined with features of your own: their encoder pads "
                "its rows itself"
            )
        if self.own_code == NO_OWN_CODE:
            check_size(self.describe_policy())
        _ = self.env_config  # checks the game and the mix of opponents
        self._check_stages()

    def _check_rllib(self, rllib: RllibSettings) -> None:
        if len(self.players) > 1:
            raise ValueError(
                f"rllib takes one number of players, not {' '.join(map(str, self.players))}"
            )
        if rllib.learning_seats > self.players[0]:
            raise ValueError(
                f"learning_seats must be 1 to {self.players[0]}, not {rllib.learning_seats}"
            )
        if self.ppo.only_of_sb3:
            raise ValueError(f"{', '.join(self.ppo.only_of_sb3)} cannot be combined with rllib")

    def _check_stages(self) -> None:
        check_order(self.stages, None if self.minutes > 0 else self.timesteps)
        for number, settings in enumerate(self.stage_settings, start=1):
            if not {*settings.objectives} <= {*self.objectives}:
                raise ValueError(
                    f"the objectives of stage {number} must be some of "
                    f"{' '.join(map(str, self.objectives))}, those of the run"
                )

    @cached_property
    def configs(self) -> tuple[GameConfig, ...]:
        """The game with each number of players and of objectives."""
        return configs_for(list(self.players), list(self.objectives), **self.game)

    @property
    def tables(self) -> dict[int, GameConfig]:
        """The first game with each number of players, by this number."""
        found: dict[int, GameConfig] = {}
        for config in self.configs:
            found.setdefault(config.num_players, config)
        return found

    @property
    def padding(self) -> int | None:
        """The number of players that the features are padded to; None without padding."""
        if self.pad_to_players is None and len(self.players) > 1 and not self.own_code.features:
            return max(self.players)
        return self.pad_to_players

    @property
    def equal_share(self) -> float:
        """The win share of equal players: the mean over the games."""
        return fmean(1 / config.num_players for config in self.configs)

    @property
    def env_config(self) -> EnvConfig:
        """The games that the learner plays, with their opponents."""
        mix = tuple(parse_share(text) for text in self.opponents)
        return EnvConfig(
            self.configs,
            mix,
            self.reward,
            self.features,
            self.ppo.num_envs,
            self.own_code,
            self.padding,
        )

    @property
    def own_code(self) -> OwnCode:
        """The user's own code that the policy consists of."""
        return OwnCode.named_by(self.features, self.network)

    def describe_policy(self, about: Mapping[str, str] | None = None) -> Description:
        """What a policy file says; this imports features of the user's own."""
        own_shape: FeatureShape | None = None
        if self.own_code.features:
            own_shape = self.env_config.feature_shape()
        return Description(
            self.configs,
            self.features,
            self.widths,
            about or {},
            self.network,
            own_shape,
            self.padding,
        )

    @cached_property
    def stage_settings(self) -> tuple[Self, ...]:
        """The settings during each stage: those of the run with its changes."""
        found = []
        for number, stage in enumerate(self.stages, start=1):
            try:
                found.append(self.changed({**stage.changes, "stages": []}))
            except ValueError as error:
                raise ValueError(f"stage {number}: {error}") from None
        return tuple(found)

    def stage_at(self, timesteps: int) -> int:
        """The number of the stage at these timesteps; 0 before the first."""
        return sum(stage.after <= timesteps for stage in self.stages)

    def with_threads(self) -> Self:
        """These settings with the number of threads filled in, so that the run can be repeated."""
        return self if self.threads else self.changed({"threads": usable_cores()})

    @property
    def checkpoint_times(self) -> CheckpointTimes:
        """When the run has checkpoints."""
        return CheckpointTimes(self.first_checkpoint, self.checkpoint_every)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; one number of players is a number, as in the first run folders."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        if len(self.players) == 1:
            (plain["players"],) = self.players
        for name in ("self_play", "rllib", "ppo"):
            plain[name] = asdict(plain[name]) if plain[name] else None
        plain["game"] = dict(self.game)
        plain["widths"] = self.widths._asdict()
        plain["stages"] = [stage.to_dict() for stage in self.stages]
        return plain

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """The settings that ``to_dict`` saved, checked; missing ones have their defaults."""
        return cls().changed(plain)

    def changed(self, plain: Any) -> Self:
        """These settings with some of them replaced by plain data, as from JSON or TOML."""
        changed: Self = replace_fields("settings", self, with_current_names(plain))
        return changed
