"""Masked PPO by self-play in one file: read it from top to bottom, copy it, change it.

``python -m mindup_training.ppo --minutes 5`` trains a policy. A rollout is one whole game in every
environment. All seats of a game share one network, and each seat learns from its own rewards, with
the other seats as a part of its environment.
"""

import argparse
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from mindup_agents.features import ENCODERS, make_encoder
from mindup_agents.policy import Description, Policy, PolicyAgent, Widths, check_size, save_policy
from mindup_agents.policy.description import MAX_WIDTH
from mindup_arena.estimate import Estimate
from mindup_arena.match import win_share_against
from mindup_arena.settings import MAX_DEALS
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.cli import advising, exit_status
from mindup_env.envs.random_bits import draw_random_bits
from mindup_env.folder_lock import lock_folder
from mindup_env.options import add_options, check_ranges, given_options, option
from mindup_training import limits
from mindup_training.evaluation import EVALUATION_SEED
from mindup_training.hyperparameters import PPOHyperparameters, RandomnessOptions
from mindup_training.learner import limit_threads
from mindup_training.metrics import Metrics
from mindup_training.network import Network, log_probs
from mindup_training.plain_data import replace_fields
from mindup_training.plots import plot_learning_curve
from mindup_training.progress import duration
from mindup_training.run_folder import RunPaths


@dataclass(frozen=True)
class PPOConfig(PPOHyperparameters, RandomnessOptions):
    """Hyperparameters, each also an option of the command line.

    Attributes:
        game: the rules of the game.
    """

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
    # New games cost less than another pass over the old ones.
    epochs: int = option("passes over each rollout", default=1, low=1, high=limits.MAX_EPOCHS)
    learning_rate: float = option(
        "initial learning rate; decreases linearly to 0",
        default=3e-3,
        above=0,
        high=limits.MAX_LEARNING_RATE,
    )
    bfloat16: bool = option(
        "compute the update in bfloat16, which is faster where the processor supports it",
        default=False,
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
        limits.check_rollout(self.num_envs * self.game.num_players * self.game.num_turns)
        check_size(Description((self.game,), self.features, self.widths))


class Rollout(NamedTuple):
    """T turns in S seats: the seats of all games, each game from its deal to its end."""

    obs: Tensor  # (T, S, features)
    actions: Tensor  # (T, S) indices of slots: the cards of the hand in ascending order
    logprobs: Tensor  # (T, S) of the actions
    values: Tensor  # (T, S) the returns that the network expected
    rewards: Tensor  # (T, S)


class PPO:
    """A network in training, and the games that it learns from."""

    def __init__(self, config: PPOConfig) -> None:
        self.config = config
        game = config.game
        torch.manual_seed(config.seed)  # for the initial weights
        self._generator = torch.Generator().manual_seed(config.seed)
        self._encoder = make_encoder(config.features, game, config.threads)
        self.network = Network(self._encoder.shape, config.widths)
        self._optimizer = torch.optim.Adam(
            self.network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True
        )
        self._env = BatchEnv(
            game,
            config.num_envs,
            reward=config.reward,
            illegal_action="raise",
            num_threads=config.threads,
        )
        self._env.reset(seed=config.seed)
        # Buffers are allocated once. All games have equally many turns, so they end together.
        turns, seats = game.num_turns, config.num_envs * game.num_players
        self._rollout = Rollout(
            obs=torch.zeros(turns, seats, self._encoder.shape.size),
            actions=torch.zeros(turns, seats, dtype=torch.int64),
            logprobs=torch.zeros(turns, seats),
            values=torch.zeros(turns, seats),
            rewards=torch.zeros(turns, seats),
        )
        self.rollout_size = turns * seats
        self.timesteps = 0

    def learn(self, remaining: float) -> dict[str, float]:
        """Plays one rollout and learns from it; returns metrics by name.

        ``remaining`` decreases from 1 to 0 over the training, and the learning rate with it.
        """
        learning_rate = self.config.learning_rate * remaining
        for group in self._optimizer.param_groups:
            group["lr"] = learning_rate
        start = time.monotonic()
        metrics = self.update(self.collect_rollout())
        self.timesteps += self.rollout_size
        speed = self.rollout_size / (time.monotonic() - start)
        return {**metrics, "learning_rate": learning_rate, "decisions_per_second": speed}

    @torch.no_grad()
    def collect_rollout(self) -> Rollout:
        """Plays one game in every environment, with actions sampled from the policy."""
        env, rollout = self._env, self._rollout
        num_players, num_seats = env.config.num_players, rollout.obs.shape[1]
        seats, random_bits = np.arange(num_seats), np.zeros(num_seats, np.uint64)
        seen = env.seen
        for turn, obs in enumerate(rollout.obs):
            observation = seen["observation"].reshape(num_seats, -1)
            action_mask = seen["action_mask"].reshape(num_seats, -1)
            episode_start = np.full(num_seats, turn == 0)
            draw_random_bits(env.keys, seats, num_players, turn, random_bits)
            self._encoder.fill(observation, action_mask, episode_start, random_bits, obs.numpy())
            output = self.network(obs)
            logprobs = log_probs(output)  # of the cards in the hand: this is the action mask
            actions = torch.multinomial(logprobs.exp(), 1, generator=self._generator)
            cards = output.cards.gather(1, actions).view(env.num_envs, num_players)
            seen, rewards, *_ = env.step(cards.numpy())
            rollout.actions[turn] = actions.squeeze(1)
            rollout.logprobs[turn] = logprobs.gather(1, actions).squeeze(1)
            rollout.values[turn] = output.values
            rollout.rewards[turn] = torch.from_numpy(rewards).flatten()
        return rollout

    def update(self, rollout: Rollout) -> dict[str, float]:
        """Improves the network on a rollout; returns metrics, averaged over the minibatches."""
        config = self.config
        advantages = compute_gae(rollout.rewards, rollout.values, config.gamma, config.gae_lambda)
        returns = advantages + rollout.values
        explained_variance = 1 - (returns - rollout.values).var() / returns.var()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        advantages, returns = advantages.flatten(), returns.flatten()
        obs, actions, old_logprobs, *_ = (each.flatten(0, 1) for each in rollout)
        metrics = []
        for _ in range(config.epochs):
            shuffled = torch.randperm(self.rollout_size, generator=self._generator)
            for batch in torch.split(shuffled, config.batch_size):
                with torch.autocast("cpu", torch.bfloat16, enabled=config.bfloat16):
                    output = self.network(obs.index_select(0, batch))
                logits, values = output.logits.float(), output.values.float()
                all_logprobs = log_probs(output._replace(logits=logits))
                logprobs = all_logprobs.gather(1, actions[batch].unsqueeze(1)).squeeze(1)
                logratio = logprobs - old_logprobs[batch]
                ratio = logratio.exp()
                clipped = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
                pg_loss = -torch.min(ratio * advantages[batch], clipped * advantages[batch]).mean()
                v_loss = mse_loss(values, returns[batch])
                entropy = -(all_logprobs.exp() * all_logprobs).sum(dim=1).mean()
                loss = pg_loss + config.vf_coef * v_loss - config.ent_coef * entropy
                self._optimizer.zero_grad()
                torch.autograd.backward(loss)
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
                self._optimizer.step()
                with torch.no_grad():
                    approx_kl = (ratio - 1 - logratio).mean()
                    clipfrac = (ratio != clipped).float().mean()
                    metrics.append(torch.stack([pg_loss, v_loss, entropy, approx_kl, clipfrac]))
        names = ("pg_loss", "v_loss", "entropy", "approx_kl", "clipfrac")
        means = dict(zip(names, torch.stack(metrics).mean(dim=0).tolist(), strict=True))
        return {**means, "explained_variance": float(explained_variance)}

    def policy(self) -> Policy:
        config = self.config
        about = {"learner": "mindup_training.ppo", "decisions": str(self.timesteps)}
        description = Description((config.game,), config.features, config.widths, about)
        tensors = {name: each.numpy().copy() for name, each in self.network.state_dict().items()}
        return Policy(description, tensors)


def compute_gae(rewards: Tensor, values: Tensor, gamma: float, gae_lambda: float) -> Tensor:
    """Generalized advantage estimates (T, S) of whole games; the value after the end is 0."""
    advantages = torch.zeros_like(rewards)
    next_values = next_advantages = torch.zeros_like(rewards[0])
    for turn in reversed(range(len(rewards))):
        delta = rewards[turn] + gamma * next_values - values[turn]
        next_advantages = delta + gamma * gae_lambda * next_advantages
        advantages[turn], next_values = next_advantages, values[turn]
    return advantages


def evaluate(policy: Policy, config: PPOConfig) -> Estimate:
    """The win share of the policy's most likely cards against copies of the opponent."""
    agent = PolicyAgent.of(policy, config.game, num_threads=config.threads)
    return win_share_against(
        agent, config.opponent, config.game, config.evaluation_deals, EVALUATION_SEED
    )


def train(config: PPOConfig, paths: RunPaths) -> None:
    """Trains to the end; saves and evaluates the policy at the start and at even intervals."""
    check_unused(paths)
    limit_threads(config.threads)
    ppo = PPO(config)
    with lock_folder(paths.path):
        check_unused(paths)
        start, progress, evaluations = time.monotonic(), 0.0, 0
        metrics = Metrics(paths)
        while True:
            if progress * config.evaluations >= evaluations:
                evaluations = int(progress * config.evaluations) + 1
                policy = ppo.policy()
                save_policy(policy, paths.policy)
                share = evaluate(policy, config)
                metrics.add_evaluation(ppo.timesteps, {config.opponent: share})
                left = time_left(config, progress, time.monotonic() - start)
                print(
                    f"{ppo.timesteps:>11,} decisions, win share against {config.opponent} "
                    f"{share.value:.3f} ({share.low:.3f} to {share.high:.3f}); {left}",
                    flush=True,
                )
            if progress >= 1:
                break
            figures = ppo.learn(1 - progress)
            metrics.add_rollout(ppo.timesteps, figures)
            if config.timesteps is None:
                progress = (time.monotonic() - start) / (60 * config.minutes)
            else:
                progress = ppo.timesteps / config.timesteps
        plot_learning_curve(paths, config.game.num_players)


def check_unused(paths: RunPaths) -> None:
    if paths.policy.exists():
        raise ValueError(f"{paths.policy} already exists: give another folder with --out")


def time_left(config: PPOConfig, progress: float, seconds: float) -> str:
    if config.timesteps is None:
        return f"{duration(max(0.0, 60 * config.minutes - seconds))} left"
    if progress == 0:
        return "time left not known yet"
    return f"{duration(seconds * max(0.0, 1 / progress - 1))} left"


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m mindup_training.ppo", description="Train a policy by self-play with PPO."
    )
    parser.add_argument("--players", type=int, default=4, help="number of players (default 4)")
    parser.add_argument(
        "--objectives", type=int, default=0, help="number of objectives shown (default 0)"
    )
    add_options(parser, PPOConfig)
    parser.add_argument(
        "--out", type=Path, help="folder of the run (default runs/ppo-PLAYERSp-seedSEED)"
    )
    arguments = parser.parse_args(words)
    if status := exit_status(partial(run, arguments)):
        sys.exit(status)


def run(arguments: argparse.Namespace) -> int:
    game = GameConfig(arguments.players, arguments.objectives)
    config = replace_fields("PPO", PPOConfig(game), given_options(arguments, PPOConfig))
    make_agent(config.opponent, game)
    paths = RunPaths(arguments.out or Path(f"runs/ppo-{game.num_players}p-seed{config.seed}"))
    with advising(lambda: "this run cannot be resumed: start it again with another --out"):
        train(config, paths)
    print(f"policy: {paths.policy}, to be played as the bot policy:{paths.policy}")
    return 0


if __name__ == "__main__":
    main()
