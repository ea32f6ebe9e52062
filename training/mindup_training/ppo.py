"""Masked PPO by self-play in one file: read it from top to bottom, copy it, change it.

``python -m mindup_training.ppo`` trains a policy, and so does a copy of this file. With ``--critic
state`` it is MAPPO; with ``--kl-coef`` and several epochs, magnetic mirror descent.
"""

import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
import tyro
from torch import Tensor, nn
from torch.nn.functional import mse_loss
from torch.nn.utils import clip_grad_norm_
from torch.utils.tensorboard.writer import SummaryWriter

from mindup_arena import win_share_against
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.config import game_of
from mindup_env.exact import ExactGame
from mindup_env.files import atomic_write
from mindup_env.observation import state_layout_of
from mindup_training.network import BiddingNetwork
from mindup_training.policy_file import NetworkBot, empty_state, save_policy
from mindup_training.run import unused_folder
from mindup_training.torch_setup import prepare_torch

RUN, CHECKPOINT, POLICY = "run.json", "checkpoint.pt", "policy.onnx"
EVALUATION_SEED = 2**40
"""The seeds of rollouts are hashes of 64 bits: its deals are others."""
MAY_BE_0 = "objectives", "seed", "gamma", "gae_lambda", "clip_range"  # and all weights
FIXED = "players", "objectives", "game", "models", "widths", "critic", "device"
"""The settings that cannot change when a run goes on."""


@dataclass
class Settings:
    """Masked PPO by self-play. Each field is an option of the command."""

    players: int = 4
    """number of players"""
    objectives: int = 0
    """number of objectives shown together"""
    game: str | None = None
    """a small game instead, such as 2p-2t, whose exploitability is logged"""
    reward: str = "0.1*margin+win"
    """sum of score, margin and win with weights"""
    models: int = 1
    """models of an opponent; with several, the network remembers which of them fits"""
    widths: tuple[int, int, int] = (128, 64, 64)
    """widths of the layers that read the table, each card, and the value"""
    critic: Literal["policy", "state"] = "policy"
    """network that expects the returns: that of the policy, or one that sees all hands"""
    minutes: float = 5.0
    """minutes to train for"""
    timesteps: int | None = None
    """decisions to train for, instead of --minutes"""
    num_envs: int = 64
    """games played in parallel"""
    batch_size: int = 512
    """decisions in a minibatch"""
    epochs: int = 1
    """passes over a rollout; new games cost less than another pass over the old ones"""
    learning_rate: float = 4e-3
    """initial learning rate, which decreases linearly to 0"""
    gamma: float = 1.0
    """discount factor"""
    gae_lambda: float = 0.6
    """lambda of the advantage estimates; low, because later turns add much noise"""
    clip_range: float = 0.2
    """clip range of the probability ratio"""
    ent_coef: float = 0.02
    """weight of the entropy bonus"""
    vf_coef: float = 0.5
    """weight of the value loss"""
    aux_coef: float = 0.5
    """weight of the loss of the predicted cards"""
    kl_coef: float = 0.0
    """weight of the KL divergence from the policy that played the rollout"""
    max_grad_norm: float = 0.5
    """largest norm of a gradient"""
    device: Literal["cpu", "cuda"] = "cpu"
    """device of the games, the network and its updates"""
    threads: int = 1
    """threads of PyTorch; sums differ slightly with another number"""
    opponent: str = "planner"
    """bot to evaluate the policy against"""
    evaluations: int = 5
    """evaluations after the one at the start, each with a checkpoint"""
    evaluation_deals: int = 100
    """deals of an evaluation, each played from every seat"""
    half_precision: bool = False
    """store the weights in policy.onnx in half precision"""
    seed: int = 0
    """random seed"""
    out: Path | None = None
    """folder of the run (default: a new one in runs/)"""
    resume: Path | None = None
    """go on from the last checkpoint of the run in a folder; its settings are the defaults"""

    def config(self) -> GameConfig:
        return game_of(self.players, self.objectives, self.game)

    def check(self) -> None:
        """Refuses settings that cannot be trained with."""
        for name, value in asdict(self).items():
            rule = "of at least" if name in MAY_BE_0 or name.endswith("_coef") else "above"
            is_number = type(value) in (int, float)  # and no bool
            if is_number and not (0 <= value < math.inf and (value or rule != "above")):
                raise ValueError(f"{name} must be a finite number {rule} 0, not {value}")
        for name in ("gamma", "gae_lambda"):
            if getattr(self, name) > 1:
                raise ValueError(f"{name} must be at most 1, not {getattr(self, name)}")
        make_env(self)
        make_agent(self.opponent, self.config())
        if self.out not in (None, self.resume) and (self.out / RUN).exists():
            raise ValueError(f"{self.out} has a run: --resume {self.out} goes on, or choose --out")


class Rollout(NamedTuple):
    """T turns in S seats: the seats of all games, each game from its deal to its end."""

    states: tuple[Tensor, ...]  # (T, S, ...) the state of the network before each decision
    observations: Tensor  # (T, S, D) int8
    masks: Tensor  # (T, S, C) int8
    full_states: Tensor  # (T, S, F) int8, from the view of the seat; F is 0 without a state critic
    actions: Tensor  # (T, S)
    logprobs: Tensor  # (T, S, C) of all cards
    played: Tensor  # (T, S, P - 1) the card that each opponent played in the turn
    values: Tensor  # (T, S) the returns that the critic expected
    rewards: Tensor  # (T, S)


class StateCritic(nn.Module):
    """Expects the returns (B,) of full states (B, F), each entry scaled by its largest value."""

    def __init__(self, config: GameConfig, width: int) -> None:
        super().__init__()
        layout = state_layout_of(config)
        self.scales = nn.Buffer(torch.from_numpy(layout.scales), persistent=False)
        first, second = nn.Linear(layout.size, width), nn.Linear(width, width)
        self.layers = nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), nn.Linear(width, 1))

    def forward(self, states: Tensor) -> Tensor:
        values: Tensor = self.layers(states * self.scales).squeeze(1)
        return values


class PPO:
    """The games, the network, and how it learns from them.

    All seats of a game share one network, and each seat learns from its own rewards, with the other
    seats as a part of its environment.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings, self.config = settings, settings.config()
        self.env, device = make_env(settings), torch.device(settings.device)
        torch.manual_seed(settings.seed)  # for the first weights
        network: Any = BiddingNetwork(self.config, settings.models, settings.widths)
        self.network, self.critic = network.to(device), None
        self.modules: list[nn.Module] = [self.network]
        if settings.critic == "state":
            self.critic = StateCritic(self.config, 2 * settings.widths[2]).to(device)
            self.modules.append(self.critic)
        parameters = [each for module in self.modules for each in module.parameters()]
        self.optimizer = torch.optim.Adam(parameters, eps=1e-5, fused=True)
        self.generator = torch.Generator(device).manual_seed(settings.seed)
        self.rollouts, self.timesteps, self.seconds = 0, 0, 0.0

    @property
    def remaining(self) -> float:
        """The part of the training that is left, from 1 to 0."""
        if self.settings.timesteps is None:
            return max(0.0, 1 - self.seconds / (60 * self.settings.minutes))
        return max(0.0, 1 - self.timesteps / self.settings.timesteps)

    def learn(self) -> dict[str, float]:
        """Plays one game in every environment, and learns from them; returns metrics."""
        start = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * self.remaining
        rollout = self.collect_rollout()
        metrics = self.update(rollout)
        self.rollouts += 1
        self.timesteps += rollout.actions.numel()
        self.seconds += time.perf_counter() - start
        if not math.isfinite(metrics["loss"] + metrics["grad_norm"]):
            raise FloatingPointError("the loss is not finite: try a lower learning rate")
        return {**metrics, "decisions_per_second": self.timesteps / self.seconds}

    @torch.no_grad()
    def collect_rollout(self) -> Rollout:
        """Plays one game in every environment, with actions sampled from the policy."""
        players, turns = self.config.num_players, []
        opponents = (torch.arange(players)[:, None] + torch.arange(1, players)) % players
        seeds = np.random.SeedSequence([self.settings.seed, self.rollouts])
        seen, _ = self.env.reset(seed=int(seeds.generate_state(1, np.uint64)[0]))
        state = empty_state(self.network, self.settings.num_envs * players)
        for _ in range(self.config.num_turns):
            observations, masks = of_seats(seen["observation"]), of_seats(seen["action_mask"])
            logits, values, *next_state = self.network(observations, masks, *state)
            if not logits.isfinite().all():
                raise FloatingPointError("the logits are not finite: try a lower learning rate")
            full_states = observations[:, :0]
            if self.critic is not None:
                full_states = of_seats(self.env.state(per_seat=True))
                values = self.critic(full_states)
            logprobs = logits.log_softmax(1)
            uniform = torch.rand(logits.shape, generator=self.generator, device=logits.device)
            actions = (logits - uniform.log().neg().log()).argmax(1)  # as multinomial, but faster
            table = actions.view(-1, players)
            played = table[:, opponents].flatten(0, 1)
            seen, rewards, *_ = self.env.step(table if table.is_cuda else table.numpy())
            decision = full_states, actions, logprobs, played, values, of_seats(rewards)
            turns.append((*state, observations, masks, *decision))
            state = next_state
        stacked = [torch.stack(each) for each in zip(*turns, strict=True)]
        return Rollout(tuple(stacked[: len(state)]), *stacked[len(state) :])

    def update(self, rollout: Rollout) -> dict[str, float]:
        """Improves the network on a rollout; returns metrics, averaged over the minibatches."""
        settings, limit = self.settings, self.settings.max_grad_norm
        gamma, gae_lambda = settings.gamma, settings.gae_lambda
        advantages = compute_gae(rollout.rewards, rollout.values, gamma, gae_lambda)
        returns = advantages + rollout.values
        explained_variance = 1 - advantages.var() / returns.var()
        advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).flatten()
        returns = returns.flatten()
        states = [each.flatten(0, 1) for each in rollout.states]
        observations, masks, full_states, actions, old_logprobs, played, *_ = (
            each.flatten(0, 1) for each in rollout[1:]
        )
        metrics = []
        for _ in range(settings.epochs):
            for batch in self.minibatches(len(returns)):
                before = [each[batch] for each in states]
                logits, values, *after = self.network(observations[batch], masks[batch], *before)
                logprobs, chances = logits.log_softmax(1), logits.softmax(1)
                change = logprobs - old_logprobs[batch]
                logratio = change.gather(1, actions[batch].unsqueeze(1)).squeeze(1)
                ratio = logratio.exp()
                clipped = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
                pg_loss = -torch.min(ratio * advantages[batch], clipped * advantages[batch]).mean()
                v_loss = mse_loss(values, returns[batch])
                if self.critic is not None:  # the policy keeps values of its own, for its file
                    v_loss = v_loss + mse_loss(self.critic(full_states[batch]), returns[batch])
                entropy = -(chances * logprobs).sum(1).mean()
                kl = (chances * change).sum(1).mean()  # of the new policy from the old one
                aux_loss = self.network.auxiliary_loss(*after, played[batch])
                loss = pg_loss + settings.vf_coef * v_loss - settings.ent_coef * entropy
                loss = loss + settings.kl_coef * kl + settings.aux_coef * aux_loss
                self.optimizer.zero_grad()
                torch.autograd.backward(loss)
                norms = [clip_grad_norm_(each.parameters(), limit) for each in self.modules]
                self.optimizer.step()
                clipfrac = (ratio != clipped).float().mean()
                parts = loss, pg_loss, v_loss, entropy, aux_loss, kl, clipfrac, max(norms)
                metrics.append(torch.stack(parts).detach())
        names = "loss", "pg_loss", "v_loss", "entropy", "aux_loss", "kl", "clipfrac", "grad_norm"
        means = dict(zip(names, torch.stack(metrics).mean(dim=0).tolist(), strict=True))
        return {**means, "explained_variance": float(explained_variance)}

    def minibatches(self, decisions: int) -> Iterator[Tensor]:
        """The indices (B,) of the decisions in each minibatch of a rollout, in random order."""
        shuffled = torch.randperm(decisions, generator=self.generator, device=self.generator.device)
        yield from torch.split(shuffled, self.settings.batch_size)

    def save(self, path: Path) -> None:
        """Writes a checkpoint."""
        optimizer, generator = self.optimizer.state_dict(), self.generator.get_state()
        modules = [module.state_dict() for module in self.modules]
        counts = self.rollouts, self.timesteps, self.seconds
        saved = {"modules": modules, "optimizer": optimizer, "generator": generator}
        with atomic_write(path) as file:
            torch.save({**saved, "counts": counts}, file)

    def load(self, path: Path) -> None:
        """Goes on from a checkpoint; this runs no code from the file."""
        saved = torch.load(path, weights_only=True)
        for module, weights in zip(self.modules, saved["modules"], strict=True):
            module.load_state_dict(weights)
        self.optimizer.load_state_dict(saved["optimizer"])
        self.generator.set_state(saved["generator"])
        self.rollouts, self.timesteps, self.seconds = saved["counts"]


def compute_gae(rewards: Tensor, values: Tensor, gamma: float, gae_lambda: float) -> Tensor:
    """Generalized advantage estimates (T, S) of whole games; the value after the end is 0."""
    advantages = torch.zeros_like(rewards)
    next_values = next_advantages = torch.zeros_like(rewards[0])
    for turn in reversed(range(len(rewards))):
        delta = rewards[turn] + gamma * next_values - values[turn]
        next_advantages = delta + gamma * gae_lambda * next_advantages
        advantages[turn], next_values = next_advantages, values[turn]
    return advantages


def make_env(settings: Settings) -> Any:
    """All games; those of a GPU are the same, with tensors of PyTorch instead of arrays."""
    config, number, reward = settings.config(), settings.num_envs, settings.reward
    if settings.device == "cpu":
        return BatchEnv(config, number, reward=reward, autoreset=False, illegal_action="raise")
    from mindup_env.cuda import CudaBatchEnv  # noqa: PLC0415  # an extra

    return CudaBatchEnv(config, number, reward=reward, autoreset=False)


def of_seats(array: Any) -> Tensor:
    """A copy of an array of all games (N, P, ...) as a tensor of all seats (S, ...)."""
    return torch.as_tensor(array).flatten(0, 1).clone()


def train(settings: Settings, out: Path) -> None:
    """Trains a policy, and writes the files of the run; ``policy.onnx`` at the end."""
    prepare_torch(settings.threads)
    learner, exact, evaluated = PPO(settings), None, -1
    if settings.resume is not None:
        learner.load(settings.resume / CHECKPOINT)
    if settings.game is not None:
        exact = ExactGame(learner.config)
    plain = json.dumps(asdict(replace(settings, out=None, resume=None)), indent=2)
    with SummaryWriter(str(out), purge_step=learner.timesteps) as writer:

        def log(figures: dict[str, float]) -> None:
            for name, value in figures.items():
                writer.add_scalar(name, value, learner.timesteps)

        while True:
            if (due := int((1 - learner.remaining) * settings.evaluations)) > evaluated:
                evaluated = due
                log(evaluate(learner, exact))
                learner.save(out / CHECKPOINT)
                (out / RUN).write_text(plain, encoding="utf-8")
            if learner.remaining == 0:
                break
            log(learner.learn())
    about, half = {"settings": plain}, settings.half_precision
    save_policy(learner.network, learner.config, out / POLICY, about, half_precision=half)
    print(f"policy: {out / POLICY}, to be played as the bot policy:{out / POLICY}")


def evaluate(learner: PPO, exact: Any) -> dict[str, float]:
    """Prints and returns the win share of the policy, and in a small game its exploitability."""
    config, network, settings = learner.config, learner.network, learner.settings
    opponent, deals = settings.opponent, settings.evaluation_deals
    share = win_share_against(NetworkBot(network), opponent, config, deals, EVALUATION_SEED)
    figures, (value, low, high) = {"win_share": share.value}, share.times(100)
    text = f"win share in % against {opponent} {value:.1f} ({low:.1f} to {high:.1f})"
    if exact is not None:
        figures["exploitability"] = exact.exploitability(NetworkBot(network, temperature=1))
        text += f", exploitability {100 * figures['exploitability']:.2f}"
    print(f"{1 - learner.remaining:4.0%} {learner.timesteps:>12,} decisions; {text}", flush=True)
    return figures


def read_settings(words: Sequence[str] | None = None) -> Settings:
    """The settings that a command line gives; those of a run are the defaults if it goes on."""
    settings = tyro.cli(Settings, prog="ppo", args=words)
    if settings.resume is None:
        return settings
    try:
        plain = json.loads((settings.resume / RUN).read_text(encoding="utf-8"))
        plain |= {"widths": tuple(plain["widths"]), "out": settings.resume, "resume": None}
        saved = Settings(**plain)
    except (LookupError, OSError, TypeError, ValueError) as error:
        raise ValueError(f"no run of ppo in {settings.resume}: {error!r}") from None
    settings = tyro.cli(Settings, prog="ppo", args=words, default=saved)
    for name in FIXED:
        if getattr(settings, name) != getattr(saved, name):
            raise ValueError(f"{name} of a run cannot change: it is {getattr(saved, name)}")
    return settings


def main(words: Sequence[str] | None = None) -> None:
    try:
        settings = read_settings(words)
        settings.check()
    except ValueError as error:
        sys.exit(f"ppo: {error}")
    game = settings.game or f"{settings.players}p"
    out = settings.out or unused_folder(f"ppo-{game}-seed{settings.seed}")
    print(f"run folder: {out}", flush=True)
    try:
        train(settings, out)
    except (FloatingPointError, KeyboardInterrupt) as error:
        what = str(error) or "interrupted"
        sys.exit(f"ppo: {what}; --resume {out} goes on from the last evaluation")


if __name__ == "__main__":
    main()
