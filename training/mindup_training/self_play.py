"""What the learners by self-play in one file share: their settings, games and network.

All seats of a game share one network, and each seat learns from its own rewards, with the other
seats as a part of its environment. A rollout is one whole game in every environment.
"""

from dataclasses import field
from fractions import Fraction
from importlib import import_module
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from mindup_agents.features import FeatureShape, SeatFeatures
from mindup_env import BatchEnv, GameConfig
from mindup_env.batch_env.devices import CPU
from mindup_env.settings.declaration import option, settings
from mindup_training.envs import deal_episode
from mindup_training.network import NetworkOutput, make_network
from mindup_training.own_code import make_reward
from mindup_training.settings import GameSettings, RunSettings
from mindup_training.settings.hyperparameters import (
    MAX_MINUTES,
    MAX_TIMESTEPS,
    Optimization,
    PlayedGames,
    check_rollout,
)
from mindup_training.settings.schedule import CheckpointTimes
from mindup_training.targets import TargetRecorder, targets_of
from mindup_training.trainer.learner import Learner


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
        total = self.timesteps or Fraction(self.seconds)
        every = Fraction(total) / self.evaluations
        if self.timesteps is None:
            return CheckpointTimes(0, every, in_seconds=True)
        return CheckpointTimes(self.first_checkpoint, every)

    @property
    def evaluation_bots(self) -> tuple[str, ...]:
        return (self.opponent,)


class SelfPlayGames:
    """The games of a learner, with its S seats: those of game 0, then those of game 1, and so on.

    All games have equally many turns, so they end together, and the next ones are dealt. On a GPU,
    neither they nor what the network reads is on the host.
    """

    def __init__(self, config: SelfPlayConfig) -> None:
        reward, self._seed = make_reward(config.reward, config.game), config.seed
        how: dict[str, Any] = {"reward": reward, "device": config.device}
        if config.device == CPU:
            how |= {"illegal_action": "raise", "num_threads": config.threads}
        self.env = BatchEnv(config.game, config.num_envs, **how)
        self.deal(0)
        self._features: Any
        if config.device == CPU:
            self._features = SeatFeatures(self.env, config.features, num_threads=config.threads)
            self.device = torch.device(CPU)
        else:
            # What only a GPU needs is loaded for it alone.
            make_features = import_module("mindup_agents.cuda").CudaFeatures
            self._features = make_features(self.env, config.features)
            self.device = self.read().device
        self.shape: FeatureShape = self._features.shape
        self.num_turns = config.game.num_turns
        self.num_seats = config.num_envs * config.game.num_players
        self._recorder: TargetRecorder | None = None
        self._seats = np.tile(np.arange(config.game.num_players), (config.num_envs, 1))

    def deal(self, episode: int) -> None:
        """Deals the games of that number."""
        deal_episode(self.env, self._seed, episode)

    def read(self) -> Tensor:
        """What the seats read (S, features) for the next turn; the next call overwrites it."""
        self._rows: Tensor = torch.as_tensor(self._features.read()).flatten(0, 1)
        return self._rows

    def remember(self, output: NetworkOutput) -> None:
        """Lets the features remember what the network hands on for these seats."""
        if output.remembered is not None:
            self._features.remember(output.remembered.numpy())

    def read_states(self) -> Tensor:
        """The full states (S, D) from the view of each seat; the next call overwrites them."""
        states: Any = self.env.state(per_seat=True)
        return torch.as_tensor(states).flatten(0, 1)

    def record_targets(self, network: nn.Module) -> dict[str, Tensor]:
        """Records the targets of a network from now on; each rollout overwrites them."""
        if self.env.device == CPU:
            config = self.env.config
            sizes = self.num_turns, self.num_seats, config.num_players, config.num_cards
            self._recorder = TargetRecorder(network, *sizes)
            return self._recorder.recorded
        if names := targets_of(network):
            raise ValueError(f"the targets {', '.join(names)} of a network need --device cpu")
        return {}

    def step(self, slots: Tensor) -> Tensor:
        """Plays the cards in these slots (S,) of the hands; returns the rewards (S,)."""
        *_, cards = self.shape.split(self._rows)
        actions: Any = cards.gather(1, slots.unsqueeze(1)).long().view(self.env.num_envs, -1)
        recorder, every = self._recorder, slice(None)
        if recorder is not None:
            recorder.record(every, self._seats, actions.numpy(), self.env.seen["action_mask"])
        _, rewards, terminations, _, info = self.env.step(actions)
        if recorder is not None:
            if over := bool(terminations.all()):
                recorder.finish(every, self._seats, info["scores"])
            recorder.next_turn(over=over)
        return torch.as_tensor(rewards).flatten()


class SelfPlayLearner(Learner):
    """A network in training, and the games that it learns from.

    A rollout is one whole game in every environment, so the games are known by their number.

    Attributes:
        config (SelfPlayConfig): the settings; a subclass has some of its own.
        games (SelfPlayGames): the games that it learns from.
        generator (torch.Generator): all its random numbers after those of the first weights.
    """

    settings_class: ClassVar[type[RunSettings]] = SelfPlayConfig
    generator: torch.Generator

    def __init__(self, config: SelfPlayConfig) -> None:
        super().__init__(config)
        self.config = config
        torch.manual_seed(config.seed)  # for the initial weights
        self.games = SelfPlayGames(config)
        self.network = make_network(config.describe_policy())
        self.network.to(self.games.device)
        self.generator = torch.Generator(self.games.device).manual_seed(config.seed)
        self.rollout_size = config.rollout_size

    def set_learning_rate(self, remaining: float) -> float:
        """Sets that of the optimizer where ``remaining`` of the training is left; returns it."""
        rate = self.config.learning_rate_at(remaining)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        return rate

    def restored(self, plain: dict[str, Any]) -> None:  # noqa: ARG002  # the rollouts are counted
        self.games.deal(self.timesteps // self.rollout_size)
