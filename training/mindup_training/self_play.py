"""The games of a learner by self-play: all seats of all games learn."""

import numpy as np
import torch
from torch import Tensor, nn

from mindup_agents.features import SeatFeatures
from mindup_env import BatchEnv
from mindup_training.envs import deal_episode
from mindup_training.network import NetworkOutput
from mindup_training.own_code import make_reward
from mindup_training.settings import RunSettings
from mindup_training.targets import TargetRecorder


class SelfPlayGames:
    """N games with S seats: those of game 0, then those of game 1, and so on.

    All games have equally many turns, so they end together, and the next ones are dealt.

    Attributes:
        shape (FeatureShape): the sizes of the parts of a row of features.
        num_turns (int): of a game.
        num_seats (int): of all games.
    """

    def __init__(self, settings: RunSettings, num_games: int) -> None:
        self._seed, game = settings.seed, settings.game
        reward = make_reward(settings.reward, game)
        self._env = BatchEnv(game, num_games, reward=reward, illegal_action="raise")
        self._features = SeatFeatures(self._env, settings.features)
        self.shape, self.num_turns = self._features.shape, game.num_turns
        self._seats = np.tile(np.arange(game.num_players), (num_games, 1))
        self.num_seats = self._seats.size
        self.deal(0)

    def deal(self, episode: int) -> None:
        """Deals the games of that number."""
        deal_episode(self._env, self._seed, episode)

    def read(self) -> Tensor:
        """What the seats read (S, size) for the next turn; the next call overwrites it."""
        self._rows = torch.from_numpy(self._features.read()).flatten(0, 1)
        return self._rows

    def remember(self, output: NetworkOutput) -> None:
        """Lets the features remember what the network hands on for these seats."""
        if output.remembered is not None:
            self._features.remember(output.remembered.numpy())

    def read_states(self) -> Tensor:
        """The full states (S, D) from the view of each seat."""
        return torch.from_numpy(self._env.state(per_seat=True)).flatten(0, 1)

    def record_targets(self, network: nn.Module) -> dict[str, Tensor]:
        """Records the targets of a network from now on; each game overwrites them."""
        self._recorder = TargetRecorder(network, self.num_seats, self._env.config)
        return self._recorder.recorded

    def step(self, slots: Tensor) -> Tensor:
        """Plays the cards in these slots (S,) of the hands; returns the rewards (S,)."""
        *_, cards = self.shape.split(self._rows)
        chosen = cards.gather(1, slots.unsqueeze(1)).long()
        actions = chosen.view(self._env.num_envs, -1).numpy()
        self._recorder.record(self._seats, actions, self._env.seen["action_mask"])
        _, rewards, terminations, _, info = self._env.step(actions)
        over = bool(terminations.all())
        self._recorder.end_turn(self._seats, info["scores"] if over else None)
        return torch.from_numpy(rewards).flatten()
