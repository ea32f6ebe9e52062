"""The settings that learners by self-play share."""

from dataclasses import field
from fractions import Fraction

from mindup_agents.policy import check_size
from mindup_agents.policy.own_code import NO_OWN_CODE
from mindup_env import GameConfig
from mindup_env.batch_env.devices import CPU
from mindup_env.settings.declaration import option, settings
from mindup_training.settings import GameSettings
from mindup_training.settings.checkpoint_times import CheckpointTimes
from mindup_training.settings.hyperparameters import (
    MAX_MINUTES,
    MAX_TIMESTEPS,
    Optimization,
    PlayedGames,
    check_rollout,
)


@settings(kw_only=True)
class SelfPlayConfig(PlayedGames, Optimization, GameSettings):
    """The settings that these learners share, each also an option of the command line.

    Attributes:
        device (str): where the games and the network are; an option of the learners that work on
            other devices than the CPU.
        game: the rules of the game.
    """

    device = CPU

    threads: int = 1
    game: GameConfig = field(default_factory=GameConfig)
    minutes: float = option("minutes to train for", default=5.0, above=0, high=MAX_MINUTES)
    timesteps: int | None = option(
        "decisions to train for, instead of --minutes", default=None, low=1, high=MAX_TIMESTEPS
    )
    opponent: str = option("bot to evaluate the policy against", default="greedy")
    evaluations: int = option(
        "evaluations after the one at the start", default=5, low=1, high=10_000
    )
    evaluation_deals: int = 100

    def __post_init__(self) -> None:
        check_rollout(self.rollout_size)
        super().__post_init__()
        if self.own_code == NO_OWN_CODE:
            check_size(self.describe_policy())

    @property
    def rollout_size(self) -> int:
        """Decisions in a rollout."""
        return self.num_envs * self.game.num_players * self.game.num_turns

    @property
    def configs(self) -> tuple[GameConfig, ...]:
        return (self.game,)

    @property
    def end(self) -> int | None:
        return self.timesteps

    @property
    def checkpoint_times(self) -> CheckpointTimes:
        total = Fraction(self.seconds) if self.timesteps is None else self.timesteps
        every = Fraction(total) / self.evaluations
        return CheckpointTimes(0, every, in_seconds=self.timesteps is None)

    @property
    def evaluation_bots(self) -> tuple[str, ...]:
        return (self.opponent,)
