"""Settings of a training run: everything that its result depends on, each with its help.

The command line, presets, run folders and the documentation read this one declaration.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Self

from mindup_agents.features import ENCODERS
from mindup_agents.policy import Description, Widths, check_size
from mindup_agents.policy.description import MAX_WIDTH, configs_for
from mindup_arena.settings import MAX_DEALS
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, GameConfig
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.options import check_ranges, option
from mindup_env.rewards import parse_reward
from mindup_env.thread_team import usable_cores
from mindup_training import limits
from mindup_training.envs import EnvConfig
from mindup_training.hyperparameters import PPOHyperparameters
from mindup_training.opponent_mix import parse_share
from mindup_training.plain_data import replace_fields, with_current_names

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
        "initial learning rate; decreases linearly to 0",
        default=1e-3,
        above=0,
        high=limits.MAX_LEARNING_RATE,
    )


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


@dataclass(frozen=True)
class TrainSettings:
    """The settings of a training run: everything that its result depends on.

    Attributes:
        game: fields of ``GameConfig`` that differ from the published game.
        self_play: settings of self-play; None trains against bots only.
        rllib: settings of RLlib; None trains with Stable-Baselines3.
        ppo: hyperparameters of PPO.
    """

    players: int = option("number of players", default=4, low=MIN_PLAYERS, high=MAX_PLAYERS)
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
        "sum of score, margin and win with weights, such as 0.1*margin+win",
        default="0.1*margin+win",
    )
    features: str = option(
        f"what the network reads: {', '.join(ENCODERS)}", default="plain-1", metavar="ID"
    )
    widths: Widths = option(
        "widths of the hidden layers: table, each card, value",
        default_factory=Widths,
        low=1,
        high=MAX_WIDTH,
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
    self_play: SelfPlaySettings | None = None
    rllib: RllibSettings | None = None
    ppo: PPOSettings = field(default_factory=PPOSettings)

    def __post_init__(self) -> None:
        check_ranges(self)
        check_ranges(self.ppo)
        if self.features not in ENCODERS:
            raise ValueError(
                f"unknown features {self.features!r}; available: {', '.join(ENCODERS)}"
            )
        for name in ("objectives", "opponents"):
            if not getattr(self, name):
                raise ValueError(f"{name} must not be empty")
        if self.rllib and self.rllib.learning_seats > self.players:
            raise ValueError(
                f"learning_seats must be 1 to {self.players}, not {self.rllib.learning_seats}"
            )
        if len(self.objectives) > self.ppo.num_envs:
            raise ValueError(
                f"num_envs must be at least {len(self.objectives)}, one for each of objectives"
            )
        parse_reward(self.reward)
        rollout = self.ppo.num_envs * self.ppo.rollout_games * self.configs[0].num_turns
        limits.check_rollout(rollout)
        if self.rllib is None:
            limits.check_minibatches(rollout, self.ppo.batch_size)
        check_size(Description(self.configs, self.features, self.widths))
        _ = self.env_config  # checks the game and the mix of opponents

    @cached_property
    def configs(self) -> tuple[GameConfig, ...]:
        """The game with each number of objectives."""
        return configs_for([self.players], list(self.objectives), **self.game)

    @property
    def env_config(self) -> EnvConfig:
        """The games that the learner plays, with their opponents."""
        mix = tuple(parse_share(text) for text in self.opponents)
        return EnvConfig(self.configs, mix, self.reward, self.features, self.ppo.num_envs)

    def with_threads(self) -> Self:
        """These settings with the number of threads filled in, so that the run can be repeated."""
        return self if self.threads else self.changed({"threads": usable_cores()})

    def checkpoints(self, timesteps: int) -> Iterator[int]:
        """The checkpoints after ``timesteps``, in timesteps, without an end."""
        every = self.checkpoint_every
        at = self.first_checkpoint or every
        while at < every and at <= timesteps:
            at += at
        if at <= timesteps:
            at += every * ((timesteps - at) // every + 1)
        while True:
            yield at
            at += min(at, every)

    def num_checkpoints(self, after: int, before: int) -> int:
        """The number of checkpoints between two timesteps, without those at both ends."""
        found = 0
        for at in self.checkpoints(after):
            if at >= before:
                break
            if at >= self.checkpoint_every:  # all others are equally far apart
                return found + (before - 1 - at) // self.checkpoint_every + 1
            found += 1
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "widths": self.widths._asdict()}

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """The settings that ``to_dict`` saved, checked; missing ones have their defaults."""
        return cls().changed(plain)

    def changed(self, plain: Any) -> Self:
        """These settings with some of them replaced by plain data, as from JSON or TOML."""
        changed: Self = replace_fields("settings", self, with_current_names(plain))
        return changed
