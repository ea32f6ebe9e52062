"""What a training is told: what both learners have in common, and MaskablePPO alone."""

import math
from dataclasses import asdict, dataclass
from inspect import formatannotation
from typing import Annotated, Any, get_type_hints

import tyro
from typeguard import CollectionCheckStrategy, TypeCheckError, check_type

from mindup_env.checks import InputError, check_int, shown
from mindup_env.config import GameConfig, game_of
from mindup_env.rewards import parse_reward

EVALUATION_SEED = 2**40
"""The seeds of trainings are hashes of 64 bits: evaluations have other deals."""
MEASUREMENT_SEED = 2**41
"""The deals that measure a policy in the end occur in no training or evaluation."""
MOST: dict[str, int | None] = {
    "models": 100,
    "num_envs": 2**16,
    "threads": 1024,
    "batch_size": None,
    "epochs": None,
    "evaluations": None,
}
"""Counts from 1, each with its bound."""
MAX_WIDTH = 4096
POSITIVE = "learning_rate", "max_grad_norm", "minutes", "timesteps"
FRACTIONS = "gamma", "gae_lambda"


@dataclass
class LearnerSettings:
    """The settings of a training by PPO. The first limit that is reached ends it.

    Without a limit, it is 5 minutes.
    """

    num_players: Annotated[int, tyro.conf.arg(name="players")] = 4  # number of players
    num_objectives: Annotated[int, tyro.conf.arg(name="objectives")] = 0
    """number of objectives shown together"""
    game: str | None = None  # a small game instead, such as 2p-2t
    reward: str = "0.1*margin+win"  # sum of score, margin and win with weights
    models: int = 1  # models of an opponent; with several, the network remembers which of them fits
    widths: tuple[int, int, int] = (128, 64, 64)
    """widths of the layers that read the table, each card, and the value"""
    timesteps: int | None = None  # decisions to learn from, in whole rollouts
    minutes: float | None = None  # minutes to train for
    num_envs: int = 64  # games played in parallel
    batch_size: int = 512  # decisions in a minibatch
    epochs: int = 1  # passes over a rollout, which is a whole game in each environment
    learning_rate: float = 4e-3  # initial learning rate, which decreases linearly to 0
    gamma: float = 1.0  # discount factor
    gae_lambda: float = 0.6
    """lambda of the advantage estimates; low, because later turns add much noise"""
    clip_range: float = 0.2  # clip range of the probability ratio
    ent_coef: float = 0.02  # weight of the entropy bonus
    vf_coef: float = 0.5  # weight of the value loss
    aux_coef: float = 0.5  # weight of the loss of the predicted cards
    max_grad_norm: float = 0.5  # largest norm of a gradient
    evaluations: int = 5  # evaluations after the one at the start, each with a checkpoint
    evaluation_deals: int = 100  # deals per bot in an evaluation, each played from every seat
    seed: int = 0  # random seed
    threads: int = 1  # threads of PyTorch; sums differ slightly with another number

    def __post_init__(self) -> None:
        if self.timesteps is None and self.minutes is None:
            self.minutes = 5.0

    def config(self) -> GameConfig:
        return game_of(self.num_players, self.num_objectives, self.game)

    def done(self, timesteps: int, seconds: float) -> float:
        """The part of the training that is done, from 0 to 1."""
        parts = [0.0]
        if self.timesteps is not None:
            parts.append(timesteps / self.timesteps)
        if self.minutes is not None:
            parts.append(seconds / (60 * self.minutes))
        return min(1.0, max(parts))

    def check(self) -> None:
        """Refuses settings that cannot be trained with."""
        check_types(self)
        for name, most in MOST.items():
            check_int(name, getattr(self, name), 1, most)
        for width in self.widths:
            check_int("a width", width, 1, MAX_WIDTH)
        check_int("evaluation_deals", self.evaluation_deals, 2)  # an interval needs two
        check_int("seed", self.seed, 0, 2**32 - 1)
        for name, value in asdict(self).items():
            if not isinstance(value, int | float):
                continue
            if not 0 <= value < math.inf:
                raise InputError(f"{name} must be a finite number of at least 0, not {value}")
            if name in POSITIVE and value == 0:
                raise InputError(f"{name} must be above 0")
            if name in FRACTIONS and value > 1:
                raise InputError(f"{name} must be at most 1, not {value}")
        parse_reward(self.reward)
        self.config()


@dataclass
class TrainSettings(LearnerSettings):
    """The settings of a training with MaskablePPO against bots; by default of 250000 decisions."""

    opponents: tuple[str, ...] = ("1:random", "1:greedy", "1:planner")
    """bots to train against, each with an optional weight; drawn for each seat of each game"""
    models: int = 3  # models of an opponent; the network remembers which of them fits each opponent
    num_envs: int = 128  # games played in parallel
    evaluate_against: tuple[str, ...] = ("random", "greedy", "planner")
    """bots to evaluate the policy against, and to rank it with"""
    evaluations: int = 25  # evaluations after the one at the start, each with a checkpoint

    def __post_init__(self) -> None:
        if self.timesteps is None and self.minutes is None:
            self.timesteps = 250_000

    def check(self) -> None:
        super().check()
        if not self.opponents:
            raise InputError("opponents must name at least one bot")
        if len({*self.evaluate_against}) < len(self.evaluate_against):
            raise InputError("evaluate_against must name each bot once")
        rollout = self.num_envs * self.config().num_turns
        if 1 in (self.batch_size, rollout % self.batch_size):  # its advantage has no deviation
            raise InputError(
                f"batch_size must not leave a minibatch of a single decision: a rollout has "
                f"{rollout} decisions, in minibatches of {self.batch_size}"
            )


PRESETS = {
    "quick": TrainSettings(),
    "small": TrainSettings(
        game="2p-2t",
        opponents=("random",),
        reward="win",
        widths=(32, 32, 32),
        timesteps=50_000,
        num_envs=64,
        evaluate_against=("random", "greedy"),
    ),
}


def check_types(settings: Any) -> None:
    """Refuses values of other types than those of the fields of a dataclass."""
    for name, kind in get_type_hints(type(settings)).items():
        value = getattr(settings, name)
        try:
            check_type(value, kind, collection_check_strategy=CollectionCheckStrategy.ALL_ITEMS)
        except TypeCheckError:
            told = f"{name} must be of type {formatannotation(kind)}, not {shown(value)}"
            raise InputError(told) from None
