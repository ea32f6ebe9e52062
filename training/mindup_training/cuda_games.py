"""The games of a learner on a GPU: neither they nor what the network reads is on the host."""

from typing import Any

import torch
from torch import Tensor

from mindup_agents.cuda import CudaFeatures
from mindup_env import BatchEnv
from mindup_training.envs import deal_episode
from mindup_training.self_play import SelfPlayConfig


class CudaSelfPlayGames:
    """Games with the methods of ``SelfPlayGames``, and all tensors on the device."""

    def __init__(self, env: BatchEnv, config: SelfPlayConfig) -> None:
        self.env, game = env, env.config
        self._seed = config.seed
        self.deal(0)
        self._features = CudaFeatures(env, config.features)
        self.shape = self._features.shape
        self.num_turns, self.num_seats = game.num_turns, env.num_envs * game.num_players
        self.device: torch.device = self.read().device

    def deal(self, episode: int) -> None:
        """Deals the games of that number."""
        deal_episode(self.env, self._seed, episode)

    def read(self) -> Tensor:
        """What the seats read (S, features) for the next turn; the next call overwrites it."""
        rows: Tensor = self._features.read().flatten(0, 1)
        self._rows = rows
        return rows

    def read_states(self) -> Tensor:
        """The full states (S, D) from the view of each seat; the next call overwrites them."""
        states: Any = self.env.state(per_seat=True)
        return torch.as_tensor(states).flatten(0, 1)

    def step(self, slots: Tensor) -> Tensor:
        """Plays the cards in these slots (S,) of the hands; returns the rewards (S,)."""
        *_, cards = self.shape.split(self._rows)
        actions: Any = cards.gather(1, slots.unsqueeze(1)).long().view(self.env.num_envs, -1)
        _, rewards, *_ = self.env.step(actions)
        return torch.as_tensor(rewards).flatten()
