"""Masked PPO by self-play in one file: read it from top to bottom, copy it, change it.

``python -m mindup_training.ppo`` trains a policy, and so does a copy of this file. With ``--critic
state`` it is MAPPO; with ``--kl-coef`` and several epochs, magnetic mirror descent.
"""

import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
import tyro
from torch import Tensor, nn
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_
from torch.utils.tensorboard.writer import SummaryWriter

import mindup_cli
from mindup_agents.policy import POLICY_FILE
from mindup_arena import win_share_against
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.exact import ExactGame
from mindup_env.observation import state_layout_of
from mindup_training.any_network import auxiliary_loss, check_finite, check_network, empty_state
from mindup_training.network import BiddingNetwork
from mindup_training.policy_file import NetworkBot, save_policy
from mindup_training.progress import CURVE, Evaluation, Progress
from mindup_training.run import (
    RunOptions,
    last_checkpoint,
    open_run,
    read_options,
    resumable,
    save_checkpoint,
)
from mindup_training.settings import EVALUATION_SEED, LearnerSettings
from mindup_training.torch_setup import prepare_torch


@dataclass
class Settings(LearnerSettings):
    """Masked PPO by self-play. Each field is an option of the command."""

    critic: Literal["policy", "state"] = "policy"
    """network that expects the returns: that of the policy, or one that sees all hands"""
    kl_coef: float = 0.0  # weight of the KL divergence from the policy that played the rollout
    device: Literal["cpu", "cuda"] = "cpu"
    """device of the games, the network and its updates"""
    opponent: str = "planner"  # bot to evaluate the policy against
    half_precision: bool = False  # store the weights in policy.onnx in half precision


class Rollout(NamedTuple):
    """T turns in S seats: those of all games, each from its deal to its end."""

    states: tuple[Tensor, ...]  # (T, S, ...) of the network before each decision
    observations: Tensor  # (T, S, D) int8
    masks: Tensor  # (T, S, C) int8
    full_states: Tensor  # (T, S, F) int8; F is 0 without a state critic
    actions: Tensor  # (T, S)
    logprobs: Tensor  # (T, S, C) of all cards
    played: Tensor  # (T, S, P - 1) the card that each opponent played in the turn
    values: Tensor  # (T, S) the returns that the critic expected
    rewards: Tensor  # (T, S)

    def flat(self) -> "Rollout":
        """The same decisions, with one dimension for T and S."""
        states = tuple(each.flatten(0, 1) for each in self.states)
        return Rollout(states, *(each.flatten(0, 1) for each in self[1:]))


class StateCritic(nn.Module):
    """Expects the returns (B,) of full states (B, F), scaled by their largest values."""

    def __init__(self, config: GameConfig, width: int) -> None:
        super().__init__()
        layout = state_layout_of(config)
        self.scales = nn.Buffer(torch.from_numpy(layout.scales), persistent=False)
        first = nn.Linear(layout.size, width)
        second = nn.Linear(width, width)
        self.layers = nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), nn.Linear(width, 1))

    def forward(self, states: Tensor) -> Tensor:
        values: Tensor = self.layers(states * self.scales).squeeze(1)
        return values


class PPO:
    """The games, the network, and how it learns from them.

    All seats share one network. Each learns from its own rewards, with the other seats as a part
    of its environment.

    Args:
        settings: the settings.
        network: one of your own, see ``mindup_training.network``; else a ``BiddingNetwork``.
    """

    def __init__(self, settings: Settings, network: Any = None) -> None:
        settings.check()
        make_agent(settings.opponent, settings.config())
        prepare_torch(settings.threads)
        self.settings = settings
        self.config = settings.config()
        self.env = make_env(settings)
        device = torch.device(settings.device)
        torch.manual_seed(settings.seed)  # for the first weights
        if network is None:
            network = BiddingNetwork(self.config, settings.models, settings.widths)
        check_network(network, self.config)
        self.network = network.to(device).eval()  # but in updates
        self.critic = None
        self.modules: list[nn.Module] = [self.network]
        if settings.critic == "state":
            self.critic = StateCritic(self.config, 2 * settings.widths[2]).to(device)
            self.modules.append(self.critic)
        parameters = [each for module in self.modules for each in module.parameters()]
        self.optimizer = torch.optim.Adam(parameters, eps=1e-5, fused=True)
        self.generator = torch.Generator(device).manual_seed(settings.seed)
        self.rollouts = 0
        self.timesteps = 0
        self.seconds = 0.0

    @property
    def remaining(self) -> float:
        """The part of the training that is left, from 1 to 0."""
        return 1 - self.settings.done(self.timesteps, self.seconds)

    def learn(self) -> dict[str, float]:
        """Plays a rollout, and learns from it; returns metrics."""
        start = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * self.remaining
        rollout = self.collect_rollout()
        metrics = self.update(rollout)
        self.rollouts += 1
        self.timesteps += rollout.actions.numel()
        self.seconds += time.perf_counter() - start
        check_finite(torch.tensor([metrics["loss"], metrics["grad_norm"]]), self.timesteps)
        return {**metrics, "decisions_per_second": self.timesteps / self.seconds}

    @torch.no_grad()
    def collect_rollout(self) -> Rollout:
        """Plays one game in every environment, with actions sampled from the policy."""
        players = self.config.num_players
        opponents = (torch.arange(players)[:, None] + torch.arange(1, players)) % players
        sequence = np.random.SeedSequence([self.settings.seed, self.rollouts])
        (seed,) = sequence.generate_state(1, np.uint64)
        seen, _ = self.env.reset(seed=int(seed))
        state = empty_state(self.network, self.settings.num_envs * players)
        turns = []
        for _ in range(self.config.num_turns):
            observations = of_seats(seen["observation"])
            masks = of_seats(seen["action_mask"])
            logits, values, *next_state = self.network(observations, masks, *state)
            check_finite(logits, self.timesteps)
            full_states = observations[:, :0]
            if self.critic is not None:
                full_states = of_seats(self.env.state(per_seat=True))
                values = self.critic(full_states)
            logprobs = logits.log_softmax(1)
            uniform = torch.rand(logits.shape, generator=self.generator, device=logits.device)
            # Gumbel noise: this samples as multinomial does, but faster.
            actions = (logits - uniform.log().neg().log()).argmax(1)
            table = actions.view(-1, players)
            played = table[:, opponents].flatten(0, 1)
            seen, rewards, *_ = self.env.step(table if table.is_cuda else table.numpy())
            shown = state, observations, masks, full_states
            turns.append((*shown, actions, logprobs, played, values, of_seats(rewards)))
            state = next_state
        states, *others = zip(*turns, strict=True)
        stacked = tuple(torch.stack(each) for each in zip(*states, strict=True))
        return Rollout(stacked, *(torch.stack(each) for each in others))

    def update(self, rollout: Rollout) -> dict[str, float]:
        """Learns from a rollout; returns metrics, means of the minibatches."""
        settings = self.settings
        limit = settings.max_grad_norm
        advantages = compute_gae(
            rollout.rewards, rollout.values, settings.gamma, settings.gae_lambda
        )
        returns = advantages + rollout.values
        explained_variance = 1 - advantages.var() / returns.var()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        advantages = advantages.flatten()
        returns = returns.flatten()
        old = rollout.flat()
        metrics = []
        self.network.train()
        for _ in range(settings.epochs):
            for batch in self.minibatches(len(returns)):
                state = [each[batch] for each in old.states]
                logits, values, *next_state = self.network(
                    old.observations[batch], old.masks[batch], *state
                )
                logprobs = logits.log_softmax(1)
                chances = logits.softmax(1)
                change = logprobs - old.logprobs[batch]
                actions = old.actions[batch].unsqueeze(1)
                ratio = change.gather(1, actions).squeeze(1).exp()
                clipped = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
                gains = torch.min(ratio * advantages[batch], clipped * advantages[batch])
                pg_loss = -gains.mean()
                v_loss = mse_loss(values, returns[batch])
                if self.critic is not None:
                    # The policy keeps values of its own, for its file.
                    expected = self.critic(old.full_states[batch])
                    v_loss = v_loss + mse_loss(expected, returns[batch])
                entropy = -(chances * logprobs).sum(1).mean()
                # From the policy that played the rollout.
                kl = (chances * change).sum(1).mean()
                aux_loss = auxiliary_loss(self.network, next_state, old.played[batch])
                loss = pg_loss + settings.vf_coef * v_loss - settings.ent_coef * entropy
                loss = loss + settings.kl_coef * kl + settings.aux_coef * aux_loss
                self.optimizer.zero_grad()
                torch.autograd.backward(loss)
                norms = [clip_grad_norm_(each.parameters(), limit) for each in self.modules]
                self.optimizer.step()
                clipfrac = (ratio != clipped).float().mean()
                parts = loss, pg_loss, v_loss, entropy, aux_loss, kl, clipfrac, max(norms)
                metrics.append(torch.stack(parts).detach())
        self.network.eval()
        names = "loss", "pg_loss", "v_loss", "entropy", "aux_loss", "kl", "clipfrac", "grad_norm"
        values = torch.stack(metrics).mean(dim=0).tolist()
        means = dict(zip(names, values, strict=True))
        return {**means, "explained_variance": float(explained_variance)}

    def minibatches(self, decisions: int) -> Iterator[Tensor]:
        """The indices (B,) of the decisions of each minibatch, in random order."""
        device = self.generator.device
        shuffled = torch.randperm(decisions, generator=self.generator, device=device)
        yield from torch.split(shuffled, self.settings.batch_size)

    def save(self, folder: Path, evaluations: Sequence[Evaluation] = ()) -> None:
        """Writes a checkpoint."""
        saved = {
            "modules": [module.state_dict() for module in self.modules],
            "optimizer": self.optimizer.state_dict(),
            "generators": (self.generator.get_state(), torch.get_rng_state()),
            "counts": (self.rollouts, self.timesteps, self.seconds),
            "evaluations": [tuple(each) for each in evaluations],
        }
        save_checkpoint(folder, saved)

    def restore(self, folder: Path) -> list[Evaluation]:
        """Goes back to the checkpoint of the folder, if there is one; returns its evaluations."""
        with last_checkpoint(folder) as saved:
            if saved is None:
                return []
            for module, weights in zip(self.modules, saved["modules"], strict=True):
                module.load_state_dict(weights)
            self.optimizer.load_state_dict(saved["optimizer"])
            self.generator.set_state(saved["generators"][0])
            torch.set_rng_state(saved["generators"][1])  # by which a network may drop units
            self.rollouts, self.timesteps, self.seconds = saved["counts"]
            return [Evaluation(*each) for each in saved["evaluations"]]


def compute_gae(rewards: Tensor, values: Tensor, gamma: float, gae_lambda: float) -> Tensor:
    """Generalized advantage estimates (T, S); values after the end are 0."""
    advantages = torch.zeros_like(rewards)
    next_values = next_advantages = torch.zeros_like(rewards[0])
    for turn in reversed(range(len(rewards))):
        delta = rewards[turn] + gamma * next_values - values[turn]
        next_advantages = delta + gamma * gae_lambda * next_advantages
        next_values = values[turn]
        advantages[turn] = next_advantages
    return advantages


def make_env(settings: Settings) -> Any:
    """All games; on a GPU they have tensors of PyTorch instead of arrays."""
    config = settings.config()
    games = settings.num_envs
    reward = settings.reward
    if settings.device == "cpu":
        return BatchEnv(config, games, reward=reward, autoreset=False)
    from mindup_env.cuda import CudaBatchEnv  # noqa: PLC0415  # an extra

    return CudaBatchEnv(config, games, reward=reward, autoreset=False)


def of_seats(array: Any) -> Tensor:
    """A copy of an array of all games (N, P, ...) as a tensor of all seats (S, ...)."""
    return torch.as_tensor(array).flatten(0, 1).clone()


def train(learner: PPO, out: Path, *, resume: bool = False) -> None:
    """Trains a policy, and writes the files of the run; ``policy.onnx`` at the end."""
    settings = learner.settings
    open_run(out, settings, resume=resume)
    exact = None if settings.game is None else ExactGame(learner.config)
    measures = [] if exact is None else ["exploitability"]
    progress = Progress(out, [settings.opponent], learner.config.num_players, measures)
    if resume:
        progress.made = learner.restore(out)[:-1]  # the last one is made again
    progress.begin()
    evaluated = -1
    with SummaryWriter(str(out), purge_step=learner.timesteps) as writer:

        def log(figures: dict[str, float]) -> None:
            for name, value in figures.items():
                writer.add_scalar(name, value, learner.timesteps)

        while True:
            due = int((1 - learner.remaining) * settings.evaluations)
            if due > evaluated:
                evaluated = due
                log(evaluate(learner, progress, exact))
                learner.save(out, progress.made)
            if learner.remaining == 0:
                break
            log(learner.learn())
    half = settings.half_precision
    save_policy(learner.network, learner.config, out / POLICY_FILE, half_precision=half)
    print(f"policy: {out / POLICY_FILE}\nlearning curve: {out / CURVE}")
    print(f"watch it play: mindup watch bots {shlex.quote(str(out))} {settings.opponent}")


def evaluate(learner: PPO, progress: Progress, exact: Any) -> dict[str, float]:
    """Shows and returns the win share, and in a small game the exploitability."""
    opponent = learner.settings.opponent
    deals = learner.settings.evaluation_deals
    bot = NetworkBot(learner.network)
    share = win_share_against(bot, opponent, learner.config, deals, EVALUATION_SEED)
    figures = {"win_share": share.value}
    more = []
    if exact is not None:
        sampled = NetworkBot(learner.network, temperature=1)
        figures["exploitability"] = exact.exploitability(sampled)
        more.append(f"{100 * figures['exploitability']:.2f}")
    progress.add(learner.timesteps, learner.remaining, learner.seconds, [share], *more)
    return figures


@dataclass
class Options(RunOptions):
    """The options of the command."""

    settings: tyro.conf.OmitArgPrefixes[Settings]


def main(words: Sequence[str]) -> int:
    given = read_options(words, "ppo", "Masked PPO by self-play.", Options(Settings()))
    settings = given.settings
    folder = given.folder(f"ppo-{settings.game or f'{settings.num_players}p'}-seed{settings.seed}")
    with resumable(f"python {sys.argv[0]}", folder):
        train(PPO(settings), folder, resume=given.resume is not None)
    return 0


if __name__ == "__main__":
    sys.exit(mindup_cli.reported(main, sys.argv[1:]))
