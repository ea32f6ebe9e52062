"""A network in training by self-play."""

import time
from abc import ABC, abstractmethod

import torch
from torch.optim import Optimizer

from mindup_agents.policy import Description, Policy
from mindup_training.network import Network
from mindup_training.self_play.config import SelfPlayConfig
from mindup_training.self_play.games import make_games


class SelfPlayLearner(ABC):
    """A network in training, and the games that it learns from.

    Attributes:
        name (str): the module that is run to train with it.
        config (SelfPlayConfig): the settings; a subclass has some of its own.
        games (SelfPlayGames): the games that it learns from.
        network (Network): the network in training.
        optimizer (torch.optim.Optimizer): the optimizer that a subclass makes; ``learn`` sets its
            learning rate.
    """

    name: str
    optimizer: Optimizer

    def __init__(self, config: SelfPlayConfig) -> None:
        self.config = config
        torch.manual_seed(config.seed)  # for the initial weights
        self.games = make_games(config)
        self.network = Network(self.games.shape, config.widths).to(self.games.device)
        self.rollout_size, self.timesteps = config.rollout_size, 0

    @abstractmethod
    def learn_from_games(self, remaining: float) -> dict[str, float]:
        """Plays one rollout and learns; returns metrics by name."""

    def learn(self, remaining: float) -> dict[str, float]:
        """Plays one rollout and learns; returns metrics by name.

        ``remaining`` decreases from 1 to 0 over the training, and the learning rate with it.
        """
        learning_rate = self.config.learning_rate * remaining
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        start = time.monotonic()
        metrics = self.learn_from_games(remaining)
        self.timesteps += self.rollout_size
        speed = self.rollout_size / (time.monotonic() - start)
        return {**metrics, "learning_rate": learning_rate, "decisions_per_second": speed}

    def policy(self) -> Policy:
        """The network as it is now."""
        config = self.config
        about = {"learner": self.name, "decisions": str(self.timesteps)}
        description = Description((config.game,), config.features, config.widths, about)
        tensors = {
            name: each.cpu().numpy().copy() for name, each in self.network.state_dict().items()
        }
        return Policy(description, tensors)
