"""The settings that learners by self-play share."""

from dataclasses import dataclass, field

from mindup_agents.features import ENCODERS
from mindup_agents.policy import Description, Widths, check_size
from mindup_agents.policy.description import MAX_WIDTH
from mindup_arena.settings import MAX_DEALS
from mindup_env import GameConfig
from mindup_env.batch_env.devices import CPU
from mindup_env.settings.options import check_ranges, option
from mindup_training import limits
from mindup_training.hyperparameters import RandomnessOptions


@dataclass(frozen=True)
class SelfPlayConfig(RandomnessOptions):
    """The settings that these learners share, each also an option of the command line.

    Attributes:
        device (str): where the games and the network are; an option of the learners that work on
            other devices than the CPU.
        game: the rules of the game.
    """

    device = CPU

    game: GameConfig = field(default_factory=GameConfig)
    minutes: float = option("minutes to train for", default=5.0, above=0, high=limits.MAX_MINUTES)
    timesteps: int | None = option(
        "decisions to train for, instead of --minutes",
        default=None,
        low=1,
        high=limits.MAX_TIMESTEPS,
    )
    features: str = option(
        "what the network reads", default="plain-1", choices=tuple(ENCODERS), metavar="ID"
    )
    widths: Widths = option(
        "widths of the hidden layers: table, each card, value",
        default_factory=Widths,
        low=1,
        high=MAX_WIDTH,
    )
    reward: str = option("sum of score, margin and win with weights", default="0.1*margin+win")
    num_envs: int = option("games played in parallel", default=256, low=1, high=limits.MAX_ENVS)
    batch_size: int = option(
        "decisions in a minibatch", default=1024, low=1, high=limits.MAX_ROLLOUT
    )
    learning_rate: float = option(
        "initial learning rate; decreases linearly to 0",
        default=3e-3,
        above=0,
        high=limits.MAX_LEARNING_RATE,
    )
    opponent: str = option("bot to evaluate the policy against", default="greedy")
    evaluations: int = option(
        "evaluations after the one at the start", default=5, low=1, high=limits.MAX_EVALUATIONS
    )
    evaluation_deals: int = option(
        "deals in an evaluation, each played from every seat", default=100, low=2, high=MAX_DEALS
    )

    def __post_init__(self) -> None:
        check_ranges(self)
        limits.check_rollout(self.rollout_size)
        check_size(Description((self.game,), self.features, self.widths))

    @property
    def rollout_size(self) -> int:
        """Decisions in a rollout."""
        return self.num_envs * self.game.num_players * self.game.num_turns
