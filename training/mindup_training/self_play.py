"""What the learners by self-play in one file share: options, games, the training and the command.

All seats of a game share one network, and each seat learns from its own rewards, with the other
seats as a part of its environment. A rollout is one whole game in every environment.
"""

import argparse
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import torch
from torch import Tensor
from torch.optim import Optimizer

from mindup_agents.features import ENCODERS, SeatFeatures
from mindup_agents.policy import Description, Policy, PolicyAgent, Widths, check_size, save_policy
from mindup_agents.policy.description import MAX_WIDTH
from mindup_arena.estimate import Estimate
from mindup_arena.match import win_share_against
from mindup_arena.settings import MAX_DEALS
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.batch_env.devices import CPU
from mindup_env.cli import advising, exit_status
from mindup_env.folder_lock import lock_folder
from mindup_env.options import add_options, check_ranges, given_options, option
from mindup_training import limits
from mindup_training.evaluation import EVALUATION_SEED
from mindup_training.hyperparameters import RandomnessOptions
from mindup_training.learner import limit_threads
from mindup_training.metrics import Metrics
from mindup_training.network import Network
from mindup_training.plain_data import replace_fields
from mindup_training.plots import plot_learning_curve
from mindup_training.progress import duration
from mindup_training.run_folder import RunPaths


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


class SelfPlayGames:
    """The games of a learner, with its S seats: those of game 0, then those of game 1, and so on.

    All games have equally many turns, so they end together, and the next ones are dealt.
    """

    device = torch.device(CPU)

    def __init__(self, config: SelfPlayConfig) -> None:
        self.env = BatchEnv(
            config.game,
            config.num_envs,
            reward=config.reward,
            illegal_action="raise",
            num_threads=config.threads,
        )
        self.env.reset(seed=config.seed)
        self._features = SeatFeatures(self.env, config.features, num_threads=config.threads)
        self.shape = self._features.shape
        self.num_turns = config.game.num_turns
        self.num_seats = config.num_envs * config.game.num_players

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
    make = import_module("mindup_training.cuda_games").CudaSelfPlayGames
    env = BatchEnv(config.game, config.num_envs, reward=config.reward, device=config.device)
    env.reset(seed=config.seed)
    games: SelfPlayGames = make(env, config.features)
    return games


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


def evaluate(policy: Policy, config: SelfPlayConfig) -> Estimate:
    """The win share of the policy's most likely cards against copies of the opponent."""
    agent = PolicyAgent.of(policy, config.game, num_threads=config.threads)
    return win_share_against(
        agent, config.opponent, config.game, config.evaluation_deals, EVALUATION_SEED
    )


def train(make: type[SelfPlayLearner], config: SelfPlayConfig, paths: RunPaths) -> None:
    """Trains to the end; saves and evaluates the policy at the start and at even intervals."""
    check_unused(paths)
    limit_threads(config.threads)
    learner = make(config)
    with lock_folder(paths.path):
        check_unused(paths)
        start, progress, evaluations = time.monotonic(), 0.0, 0
        metrics = Metrics(paths)
        while True:
            if progress * config.evaluations >= evaluations:
                evaluations = int(progress * config.evaluations) + 1
                policy = learner.policy()
                save_policy(policy, paths.policy)
                share = evaluate(policy, config)
                metrics.add_evaluation(learner.timesteps, {config.opponent: share})
                left = time_left(config, progress, time.monotonic() - start)
                print(
                    f"{learner.timesteps:>11,} decisions, win share against {config.opponent} "
                    f"{share.value:.3f} ({share.low:.3f} to {share.high:.3f}); {left}",
                    flush=True,
                )
            if progress >= 1:
                break
            figures = learner.learn(1 - progress)
            metrics.add_rollout(learner.timesteps, figures)
            if config.timesteps is None:
                progress = (time.monotonic() - start) / (60 * config.minutes)
            else:
                progress = learner.timesteps / config.timesteps
        plot_learning_curve(paths, config.game.num_players)


def check_unused(paths: RunPaths) -> None:
    if paths.policy.exists():
        raise ValueError(f"{paths.policy} already exists: give another folder with --out")


def time_left(config: SelfPlayConfig, progress: float, seconds: float) -> str:
    if config.timesteps is None:
        return f"{duration(max(0.0, 60 * config.minutes - seconds))} left"
    if progress == 0:
        return "time left not known yet"
    return f"{duration(seconds * max(0.0, 1 / progress - 1))} left"


def run_command(
    make: type[SelfPlayLearner], settings: type[SelfPlayConfig], words: list[str] | None
) -> None:
    """``python -m NAME``: trains with the options of ``settings`` in ``words``."""
    label = make.name.rpartition(".")[2]
    parser = argparse.ArgumentParser(
        prog=f"python -m {make.name}",
        description=f"Train a policy by self-play with {make.__name__}.",
    )
    parser.add_argument("--players", type=int, default=4, help="number of players (default 4)")
    parser.add_argument(
        "--objectives", type=int, default=0, help="number of objectives shown (default 0)"
    )
    add_options(parser, settings)
    parser.add_argument(
        "--out", type=Path, help=f"folder of the run (default runs/{label}-PLAYERSp-seedSEED)"
    )
    arguments = parser.parse_args(words)

    def run() -> int:
        game = GameConfig(arguments.players, arguments.objectives)
        given = given_options(arguments, settings)
        config = replace_fields(make.__name__, settings(game=game), given)
        make_agent(config.opponent, game)
        out = arguments.out or Path(f"runs/{label}-{game.num_players}p-seed{config.seed}")
        paths = RunPaths(out)
        with advising(lambda: "this run cannot be resumed: start it again with another --out"):
            train(make, config, paths)
        print(f"policy: {paths.policy}, to be played as the bot policy:{paths.policy}")
        return 0

    if status := exit_status(run):
        sys.exit(status)
