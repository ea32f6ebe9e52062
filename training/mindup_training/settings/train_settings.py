"""The settings of MaskablePPO of Stable-Baselines3 and of RLlib's PPO."""

from collections.abc import Mapping
from dataclasses import field, fields
from functools import cached_property
from typing import Any, ClassVar

from mindup_agents.mixture import parse_share
from mindup_agents.policy.description import configs_for
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, GameConfig
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.observation.vector_layout import count_blocks
from mindup_env.settings.checks import check_entries
from mindup_env.settings.declaration import option, settings
from mindup_env.settings.rare_help import RareHelp
from mindup_training.settings.hyperparameters import (
    MAX_TIMESTEPS,
    SIZES,
    PPOHyperparameters,
    check_rollout,
)
from mindup_training.settings.run_settings import GameSettings, SelfPlaySettings
from mindup_training.settings.schedule import CheckpointTimes


@settings(kw_only=True)
class PPOSettings(PPOHyperparameters):
    """Hyperparameters of the PPO of Stable-Baselines3 and RLlib."""

    of_sb3: ClassVar[tuple[str, ...]] = ("clip_range_vf", "normalize_advantage", "target_kl")
    """What RLlib does not have."""

    epochs: int = 3
    learning_rate: float = 1e-3
    rollout_games: int = option(
        "games per environment in a rollout", default=1, low=1, high=2**10, rare=True
    )
    clip_range_vf: float | None = option(
        "clip range of the values (default: not clipped; not with RLlib)",
        default=None,
        above=0,
        high=10.0,
        rare=True,
    )
    normalize_advantage: bool = option(
        "normalize the advantages in each minibatch (always with RLlib)", default=True, rare=True
    )
    target_kl: float | None = option(
        "end the passes over a rollout where the KL divergence from the policy that played it "
        "exceeds 1.5 times this (default: never; not with RLlib)",
        default=None,
        above=0,
        high=100.0,
        rare=True,
    )


@settings(kw_only=True)
class RllibSettings:
    """How RLlib spreads the games over processes, and how many seats of a game learn."""

    switch: ClassVar[str] = RareHelp(
        "train with RLlib's PPO instead of Stable-Baselines3; the seats that learn share one "
        "policy (needs mindup-env[rllib])"
    )
    """The help of the switch that adds these settings."""

    env_runners: int = option(
        "processes that play, each its share of the games; results depend on it",
        default=2,
        low=1,
        high=1024,
        rare=True,
    )
    learning_seats: int = option(
        "seats of each game that learn, drawn anew in every game",
        default=2,
        low=1,
        high=MAX_PLAYERS,
        rare=True,
    )


@settings(kw_only=True)
class TrainSettings(GameSettings):
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
        "bots to train against, each with an optional weight, such as 2:greedy 1:random; they are "
        "drawn anew for each seat of each game",
        default=("random",),
        metavar="[WEIGHT:]BOT",
    )
    pad_to_players: int | None = option(
        "players that the features are padded to (default: with several numbers of players, the "
        "largest; else they are not padded)",
        default=None,
        low=MIN_PLAYERS,
        high=MAX_PLAYERS,
        rare=True,
    )
    timesteps: int | None = 1_000_000
    checkpoint_every: int = option(
        "timesteps between checkpoints; the policy is evaluated at each",
        default=100_000,
        low=1,
        high=MAX_TIMESTEPS,
    )
    evaluate_against: tuple[str, ...] = option(
        "bots to evaluate the policy against", default=("random",), metavar="BOT"
    )
    ppo: PPOSettings = field(default_factory=PPOSettings)
    self_play: SelfPlaySettings | None = None
    rllib: RllibSettings | None = None

    def __post_init__(self) -> None:
        for name in ("players", "objectives", "opponents"):
            if not getattr(self, name):
                raise ValueError(f"{name} must not be empty")
        rules = ("num_rounds", "hand_size", "num_cards", "score_order")
        check_entries("game", self.game, (), rules)
        object.__setattr__(self, "game", dict(self.game))
        if self.rllib:
            self._check_rllib(self.rllib)
        if len(self.configs) > self.ppo.num_envs:
            raise ValueError(
                f"num_envs must be at least {len(self.configs)}, one for each number of players "
                "and of objectives"
            )
        for config in self.configs:
            count_blocks(config, self.pad_to_players)
        for text in self.opponents:
            parse_share(text)
        rollout = self.ppo.num_envs * self.ppo.rollout_games * self.configs[0].num_turns
        check_rollout(rollout)
        # The advantage of a single decision cannot be normalized.
        if not self.rllib and 1 in (self.ppo.batch_size, rollout % self.ppo.batch_size):
            raise ValueError(
                f"batch_size must not leave a minibatch of a single decision: a rollout has "
                f"{rollout} decisions, in minibatches of {self.ppo.batch_size}"
            )
        if self.pad_to_players is not None and self.own_code.features:
            raise ValueError(
                "pad_to_players cannot be combined with features of your own: their encoder pads "
                "its rows itself"
            )
        super().__post_init__()

    @classmethod
    def changeable(cls) -> list[str]:
        ppo = [each.name for each in fields(PPOSettings) if each.name not in SIZES]
        return ["opponents", "reward", "objectives", *(f"ppo.{name}" for name in ppo)]

    def _check_rllib(self, rllib: RllibSettings) -> None:
        if len(self.players) > 1:
            raise ValueError(
                f"rllib takes one number of players, not {' '.join(map(str, self.players))}"
            )
        if rllib.learning_seats > self.players[0]:
            raise ValueError(
                f"learning_seats must be 1 to {self.players[0]}, not {rllib.learning_seats}"
            )
        default = PPOSettings()
        wrong = [
            name for name in PPOSettings.of_sb3 if getattr(self.ppo, name) != getattr(default, name)
        ]
        if wrong:
            raise ValueError(f"{', '.join(wrong)} cannot be combined with rllib")

    @property
    def learner_name(self) -> str:
        return "rllib" if self.rllib and self.learner == "sb3" else self.learner

    @cached_property
    def configs(self) -> tuple[GameConfig, ...]:
        """The game with each number of players and of objectives."""
        return configs_for(list(self.players), list(self.objectives), **self.game)

    @property
    def padding(self) -> int | None:
        if self.pad_to_players is None and len(self.players) > 1 and not self.own_code.features:
            return max(self.players)
        return self.pad_to_players

    @property
    def checkpoint_times(self) -> CheckpointTimes:
        return CheckpointTimes(self.first_checkpoint, self.checkpoint_every)

    @property
    def evaluation_bots(self) -> tuple[str, ...]:
        return self.evaluate_against

    def about(self, command: str, timesteps: int) -> dict[str, str]:
        opponents = " ".join(self.opponents)
        if self.self_play:
            opponents += f", and snapshots in {self.self_play.snapshot_share:.0%} of the seats"
        return {"command": command, "opponents": opponents, "decisions": str(timesteps)}
