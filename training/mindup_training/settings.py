"""What a training with MaskablePPO is told."""

import math
from dataclasses import asdict, dataclass

from mindup_env.checks import InputError, check_int
from mindup_env.config import GameConfig, game_of
from mindup_env.rewards import parse_reward


@dataclass
class TrainSettings:
    """The settings of a training."""

    players: int = 4
    """number of players"""
    objectives: int = 0
    """number of objectives shown together"""
    game: str | None = None
    """a small game instead, such as 2p-2t"""
    opponents: tuple[str, ...] = ("1:random", "1:greedy", "1:planner")
    """bots to train against, each with an optional weight; drawn for each seat of each game"""
    reward: str = "0.1*margin+win"
    """sum of score, margin and win with weights"""
    models: int = 3
    """models of an opponent; the network remembers which of them fits each opponent"""
    widths: tuple[int, int, int] = (128, 64, 64)
    """widths of the layers that read the table, each card, and the value"""
    timesteps: int = 250_000
    """decisions to learn from"""
    minutes: float = 0.0
    """minutes to train for, instead of --timesteps if above 0"""
    num_envs: int = 128
    """games played in parallel"""
    batch_size: int = 512
    """decisions in a minibatch"""
    epochs: int = 1
    """passes over a rollout, which is one game in each environment"""
    learning_rate: float = 4e-3
    """initial learning rate, which decreases linearly to 0"""
    gamma: float = 1.0
    """discount factor"""
    gae_lambda: float = 0.6
    """lambda of the advantage estimates; low, because later turns add much noise"""
    clip_range: float = 0.2
    """clip range of the probability ratio"""
    ent_coef: float = 0.02
    """weight of the entropy bonus"""
    vf_coef: float = 0.5
    """weight of the value loss"""
    aux_coef: float = 0.5
    """weight of the loss of the predicted cards"""
    max_grad_norm: float = 0.5
    """largest norm of a gradient"""
    evaluate_against: tuple[str, ...] = ("random", "greedy", "planner")
    """bots to evaluate the policy against, and to rank it with"""
    evaluations: int = 25
    """evaluations after the one at the start, each with a checkpoint"""
    evaluation_deals: int = 100
    """deals per bot in an evaluation, each played from every seat"""
    seed: int = 0
    """random seed"""
    threads: int = 1
    """threads of PyTorch; sums differ slightly with another number"""

    def config(self) -> GameConfig:
        return game_of(self.players, self.objectives, self.game)

    def check(self) -> None:
        """Refuses settings that cannot be trained with."""
        for name, value in asdict(self).items():
            if isinstance(value, float) and not 0 <= value < math.inf:
                raise InputError(f"{name} must be a finite number of at least 0, not {value}")
        for name in ("learning_rate", "max_grad_norm"):
            if getattr(self, name) == 0:
                raise InputError(f"{name} must be above 0: nothing is learned otherwise")
        for name in ("gamma", "gae_lambda"):
            if getattr(self, name) > 1:
                raise InputError(f"{name} must be at most 1, not {getattr(self, name)}")
        counts = "models", "timesteps", "num_envs", "batch_size", "epochs", "evaluations", "threads"
        for name in counts:
            check_int(name, getattr(self, name), 1)
        for width in self.widths:
            check_int("a width", width, 1)
        check_int("evaluation_deals", self.evaluation_deals, 2)  # an interval needs two
        check_int("seed", self.seed, 0, 2**32 - 1)
        parse_reward(self.reward)
        self._check_bots_and_batch()

    def _check_bots_and_batch(self) -> None:
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
