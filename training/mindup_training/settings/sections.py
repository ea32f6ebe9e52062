"""The sections of the settings: PPO, self-play and RLlib."""

from dataclasses import dataclass

from mindup_env.config import MAX_PLAYERS
from mindup_env.settings.options import check_ranges, option
from mindup_training import limits
from mindup_training.hyperparameters import PPOHyperparameters
from mindup_training.settings.learning_rates import LEARNING_RATES

SNAPSHOT_RULE = (
    "At every checkpoint, the policy plays against the newest snapshot of the pool; both sample "
    "their cards. If the policy wins at least an equal share, or if the pool is empty, a snapshot "
    "of it enters the pool. A full pool drops its second oldest snapshot: the oldest stays and "
    "shows what the policy forgets. All snapshots play equally often. Until the first snapshot "
    "enters, the bots play all seats."
)


@dataclass(frozen=True)
class PPOSettings(PPOHyperparameters):
    """Hyperparameters of the PPO of Stable-Baselines3 and RLlib."""

    num_envs: int = option("games played in parallel", default=256, low=1, high=limits.MAX_ENVS)
    rollout_games: int = option(
        "games per environment in a rollout", default=1, low=1, high=limits.MAX_ROLLOUT_GAMES
    )
    batch_size: int = option(
        "decisions in a minibatch", default=1024, low=2, high=limits.MAX_ROLLOUT
    )
    epochs: int = option("passes over each rollout", default=3, low=1, high=limits.MAX_EPOCHS)
    learning_rate: float = option(
        "initial learning rate",
        default=1e-3,
        above=0,
        high=limits.MAX_LEARNING_RATE,
    )
    learning_rate_schedule: str = option(
        "linear or cosine: the learning rate decreases to 0 at the end; or constant",
        default="linear",
        choices=tuple(LEARNING_RATES),
    )
    clip_range_vf: float | None = option(
        "clip range of the values (default: not clipped; not with RLlib)",
        default=None,
        above=0,
        high=limits.MAX_CLIP_RANGE,
    )
    normalize_advantage: bool = option(
        "normalize the advantages in each minibatch (always with RLlib)", default=True
    )
    target_kl: float | None = option(
        "end the passes over a rollout where the KL divergence from the policy that played it "
        "exceeds 1.5 times this (default: never; not with RLlib)",
        default=None,
        above=0,
        high=limits.MAX_TARGET_KL,
    )

    def __post_init__(self) -> None:
        check_ranges(self)
        if self.learning_rate_schedule not in LEARNING_RATES:
            raise ValueError(
                f"learning_rate_schedule must be {', '.join(LEARNING_RATES)}, not "
                f"{self.learning_rate_schedule!r}"
            )

    def learning_rate_at(self, remaining: float) -> float:
        """The learning rate where ``remaining``, from 1 to 0, of the training is left."""
        return self.learning_rate * LEARNING_RATES[self.learning_rate_schedule](remaining)

    @property
    def only_of_sb3(self) -> list[str]:
        """The settings that differ from their defaults, and that RLlib does not have."""
        default = PPOSettings()
        names = ("clip_range_vf", "normalize_advantage", "target_kl")
        return [name for name in names if getattr(self, name) != getattr(default, name)]


@dataclass(frozen=True)
class SelfPlaySettings:
    """Snapshots of the policy in training that play as opponents."""

    snapshot_share: float = option(
        "share of the opponents' seats that snapshots play; bots play the others",
        default=0.5,
        above=0,
        high=1,
    )
    # At least the oldest snapshot and the newest.
    pool_size: int = option(
        "number of snapshots in the pool", default=6, low=2, high=limits.MAX_SNAPSHOTS
    )

    def __post_init__(self) -> None:
        check_ranges(self)


@dataclass(frozen=True)
class RllibSettings:
    """How RLlib spreads the games over processes, and how many seats of a game learn."""

    env_runners: int = option(
        "processes that play, each its share of the games; results depend on it",
        default=2,
        low=1,
        high=limits.MAX_PROCESSES,
    )
    learning_seats: int = option(
        "seats of each game that learn, drawn anew in every game",
        default=2,
        low=1,
        high=MAX_PLAYERS,
    )

    def __post_init__(self) -> None:
        check_ranges(self)
