"""What the learners by self-play in one file share: their settings, games and network.

All seats of a game share one network, and each seat learns from its own rewards, with the other
seats as a part of its environment. A rollout is one whole game in every environment.
"""

from dataclasses import field, replace
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from mindup_agents.features import FeatureShape, SeatFeatures
from mindup_env import BatchEnv, GameConfig
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_env.objectives import MAX_OBJECTIVES
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
from mindup_training.targets import TargetRecorder
from mindup_training.trainer.learner import Learner


@settings(kw_only=True)
class SelfPlayConfig(PlayedGames, Optimization, GameSettings):
    """The settings that these learners share, each also an option of the command line.

    Attributes:
        game: the rules of the game.
    """

    threads: int = 1
    game: GameConfig = field(default_factory=GameConfig)
    more_players: tuple[int, ...] = option(
        "other numbers of players, with equally many games of each: one policy for all",
        default=(),
        low=MIN_PLAYERS,
        high=MAX_PLAYERS,
        rare=True,
    )
    more_objectives: tuple[int, ...] = option(
        "other numbers of objectives shown, with equally many games of each",
        default=(),
        low=0,
        high=MAX_OBJECTIVES,
        rare=True,
    )
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
        if min(self.num_games.values()) == 0:
            raise ValueError(
                f"num_envs must be at least {len(self.configs)}, one for each number of players "
                "and of objectives"
            )
        if self.more_players and self.own_code.features:
            raise ValueError("more_players cannot be combined with features of your own")
        check_rollout(self.rollout_size)
        super().__post_init__()

    @property
    def rollout_size(self) -> int:
        """Decisions in a rollout."""
        seats = sum(number * game.num_players for game, number in self.num_games.items())
        return seats * self.game.num_turns

    @property
    def configs(self) -> tuple[GameConfig, ...]:
        players = dict.fromkeys((self.game.num_players, *self.more_players))
        objectives = dict.fromkeys((self.game.num_objectives, *self.more_objectives))
        return tuple(
            replace(self.game, num_players=number, num_objectives=shown)
            for number, shown in product(players, objectives)
        )

    @property
    def num_games(self) -> dict[GameConfig, int]:
        """How many of the parallel games each config has."""
        configs = self.configs
        parts = np.array_split(range(self.num_envs), len(configs))
        return dict(zip(configs, map(len, parts), strict=True))

    @property
    def padding(self) -> int | None:
        return max(self.tables) if self.more_players else None

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


class _Group(NamedTuple):
    """The games of one config."""

    env: BatchEnv
    features: SeatFeatures  # of their seats
    part: slice  # of the seats of all games
    seats: npt.NDArray[np.int64]  # (N, P) of each game, which all learn


class SelfPlayGames:
    """The games of a learner, with its S seats: those of game 0, then those of game 1, and so on.

    All games have equally many turns, so they end together, and the next ones are dealt.
    """

    def __init__(self, config: SelfPlayConfig) -> None:
        self._seed, self._config, self.num_seats = config.seed, config, 0
        self._groups = list[_Group]()
        for game, number in config.num_games.items():
            env = BatchEnv(
                game,
                number,
                reward=make_reward(config.reward, game),
                illegal_action="raise",
                pad_to_players=config.padding,
            )
            seats = np.tile(np.arange(game.num_players), (number, 1))
            part = slice(self.num_seats, self.num_seats + seats.size)
            self._groups.append(_Group(env, SeatFeatures(env, config.features), part, seats))
            self.num_seats = part.stop
        self.deal(0)
        self.shape: FeatureShape = self._groups[0].features.shape
        self.num_turns = config.game.num_turns
        self._recorder: TargetRecorder | None = None

    def deal(self, episode: int) -> None:
        """Deals the games of that number; each config has deals of its own."""
        for index, group in enumerate(self._groups):
            # Seeds of trainings are below 2**32, so no two of these are equal.
            deal_episode(group.env, self._seed + index * 2**32, episode)

    def read(self) -> Tensor:
        """What the seats read (S, features) for the next turn; the next call overwrites it."""
        rows = [torch.as_tensor(group.features.read()).flatten(0, 1) for group in self._groups]
        self._rows: Tensor = rows[0] if len(rows) == 1 else torch.cat(rows)
        return self._rows

    def remember(self, output: NetworkOutput) -> None:
        """Lets the features remember what the network hands on for these seats."""
        if output.remembered is not None:
            for group in self._groups:
                group.features.remember(output.remembered[group.part].numpy())

    def read_states(self) -> Tensor:
        """The full states (S, D) from the view of each seat."""
        states: list[Any] = [group.env.state(per_seat=True) for group in self._groups]
        return torch.cat([torch.as_tensor(each).flatten(0, 1) for each in states])

    def record_targets(self, network: nn.Module) -> dict[str, Tensor]:
        """Records the targets of a network from now on; each rollout overwrites them."""
        players, cards = max(self._config.tables), self._config.game.num_cards
        self._recorder = TargetRecorder(network, self.num_turns, self.num_seats, players, cards)
        return self._recorder.recorded

    def step(self, slots: Tensor) -> Tensor:
        """Plays the cards in these slots (S,) of the hands; returns the rewards (S,)."""
        *_, cards = self.shape.split(self._rows)
        chosen = cards.gather(1, slots.unsqueeze(1)).long()
        recorder, rewards = self._recorder, []
        for env, _, part, seats in self._groups:
            actions: Any = chosen[part].view(env.num_envs, -1)
            if recorder is not None:
                recorder.record(part, seats, actions.numpy(), env.seen["action_mask"])
            _, gained, terminations, _, info = env.step(actions)
            rewards.append(torch.as_tensor(gained).flatten())
            if recorder is not None and (over := bool(terminations.all())):
                recorder.finish(part, seats, info["scores"])
        if recorder is not None:
            recorder.next_turn(over=over)
        return torch.cat(rewards)


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
        self.generator = torch.Generator().manual_seed(config.seed)
        self.rollout_size = config.rollout_size

    def set_learning_rate(self, remaining: float) -> float:
        """Sets that of the optimizer where ``remaining`` of the training is left; returns it."""
        rate = self.config.learning_rate_at(remaining)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        return rate

    def restored(self, plain: dict[str, Any]) -> None:  # noqa: ARG002  # the rollouts are counted
        self.games.deal(self.timesteps // self.rollout_size)
