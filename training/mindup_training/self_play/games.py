"""The games that a learner by self-play learns from."""

from importlib import import_module

import torch
from torch import Tensor

from mindup_agents.features import SeatFeatures
from mindup_env import BatchEnv
from mindup_env.batch_env.devices import CPU
from mindup_training.envs import deal_episode
from mindup_training.own_code import make_reward
from mindup_training.self_play.config import SelfPlayConfig


class SelfPlayGames:
    """The games of a learner, with its S seats: those of game 0, then those of game 1, and so on.

    All games have equally many turns, so they end together, and the next ones are dealt.
    """

    device = torch.device(CPU)

    def __init__(self, config: SelfPlayConfig) -> None:
        self.env = BatchEnv(
            config.game,
            config.num_envs,
            reward=make_reward(config.reward, config.game),
            illegal_action="raise",
            num_threads=config.threads,
        )
        self._seed = config.seed
        self.deal(0)
        self._features = SeatFeatures(self.env, config.features, num_threads=config.threads)
        self.shape = self._features.shape
        self.num_turns = config.game.num_turns
        self.num_seats = config.num_envs * config.game.num_players

    def deal(self, episode: int) -> None:
        """Deals the games of that number."""
        deal_episode(self.env, self._seed, episode)

    def read(self) -> Tensor:
        """What the seats read (S, features) for the next turn; the next call overwrites it."""
        return torch.from_numpy(self._features.read()).flatten(0, 1)

    def read_states(self) -> Tensor:
        """The full states (S, D) from the view of each seat; the next call overwrites them."""
        return torch.from_numpy(self.env.state(per_seat=True)).flatten(0, 1)

    def step(self, slots: Tensor) -> Tensor:
        """Plays the cards in these slots (S,) of the hands; returns the rewards (S,)."""
        by_game = slots.view(self.env.num_envs, -1)
        _, rewards, *_ = self.env.step(self._features.to_actions(by_game.numpy()))
        return torch.from_numpy(rewards).flatten()


def make_games(config: SelfPlayConfig) -> SelfPlayGames:
    """The dealt games of a learner, on its device."""
    if config.device == CPU:
        return SelfPlayGames(config)
    # What only a GPU needs is loaded for it alone.
    make = import_module("mindup_training.self_play.cuda_games").CudaSelfPlayGames
    env = BatchEnv(config.game, config.num_envs, reward=config.reward, device=config.device)
    games: SelfPlayGames = make(env, config)
    return games
