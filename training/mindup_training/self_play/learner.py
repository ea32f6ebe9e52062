"""A network in training by self-play."""

from typing import ClassVar

import torch

from mindup_training.network import make_network
from mindup_training.self_play.config import SelfPlayConfig
from mindup_training.self_play.games import make_games
from mindup_training.settings import RunSettings
from mindup_training.train.checkpoint import LearnerState
from mindup_training.train.learner import Learner

_GENERATOR = "generator"


class SelfPlayLearner(Learner):
    """A network in training, and the games that it learns from.

    A rollout is one whole game in every environment, so the games are known by their number.

    Attributes:
        config (SelfPlayConfig): the settings; a subclass has some of its own.
        games (SelfPlayGames): the games that it learns from.
        generator (torch.Generator): all its random numbers after those of the first weights.
    """

    settings_class: ClassVar[type[RunSettings]] = SelfPlayConfig

    def __init__(self, config: SelfPlayConfig) -> None:
        super().__init__(config)
        self.config = config
        torch.manual_seed(config.seed)  # for the initial weights
        self.games = make_games(config)
        self.network = make_network(self.games.shape, config.widths, config.network)
        self.network.to(self.games.device)
        self.generator = torch.Generator(self.games.device).manual_seed(config.seed)
        self.rollout_size = config.rollout_size

    def set_learning_rate(self, remaining: float) -> float:
        """Sets that of the optimizer where ``remaining`` of the training is left; returns it."""
        rate = self.config.learning_rate_at(remaining)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        return rate

    def state(self) -> LearnerState:
        tensors, plain = super().state()
        return LearnerState({**tensors, _GENERATOR: self.generator.get_state()}, plain)

    def restore(self, state: LearnerState) -> None:
        super().restore(state)
        self.generator.set_state(state.tensors[_GENERATOR])
        self.games.deal(self.timesteps // self.rollout_size)
