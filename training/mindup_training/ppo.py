"""Masked PPO by self-play in one file: read it from top to bottom, copy it, change it.

``python -m mindup_training.ppo --minutes 5`` trains a policy; with ``--critic state`` this is
MAPPO: the critic, which only training needs, sees all hands. ``--kl-coef`` makes it magnetic mirror
descent. A copy of this file runs as well: ``python my_ppo.py``. Games, settings, the loop and its
folder come from ``mindup_training``.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import mse_loss

from mindup_env import StateLayout
from mindup_env.settings.declaration import option, settings
from mindup_training.launch import run_learner
from mindup_training.network import log_probs
from mindup_training.self_play import SelfPlayGames
from mindup_training.settings import PPOHyperparameters, RunSettings
from mindup_training.settings.hyperparameters import check_rollout
from mindup_training.targets import auxiliary_loss
from mindup_training.torch_policy import make_network
from mindup_training.trainer.learner import Learner

CRITICS = FEATURES, STATE = "features", "state"


@settings(kw_only=True)
class PPOConfig(PPOHyperparameters, RunSettings):
    """Settings, each also an option of the command line."""

    learner: str = "ppo"
    timesteps: int = 10_000_000
    threads: int = 1
    evaluate_against: tuple[str, ...] = ("greedy",)
    evaluation_deals: int = 100
    critic: str = option(
        "what the critic reads: the features of the policy, or the full state with all hands",
        default=FEATURES,
        choices=CRITICS,
    )
    kl_coef: float = option(
        "weight of the KL divergence from the policy that played the rollout; with the entropy "
        "bonus and several epochs, this is magnetic mirror descent",
        default=0.0,
        low=0,
        high=100.0,
    )

    def __post_init__(self) -> None:
        check_rollout(self.rollout_size)
        super().__post_init__()

    @property
    def rollout_size(self) -> int:
        """Decisions in a rollout, one whole game in every environment."""
        return self.num_envs * self.game.num_players * self.game.num_turns


class Rollout(NamedTuple):
    """T turns in S seats: the seats of all games, each game from its deal to its end."""

    obs: Tensor  # (T, S, features)
    states: Tensor  # (T, S, D) of the game from the view of the seat; D is 0 if no critic reads it
    actions: Tensor  # (T, S) indices of slots: the cards of the hand in ascending order
    logprobs: Tensor  # (T, S) of the actions
    policies: Tensor  # (T, S, slots) log probabilities of all cards; slots are 0 without kl_coef
    values: Tensor  # (T, S) the returns that the critic expected
    rewards: Tensor  # (T, S)


class StateCritic(nn.Module):
    """Expects the returns (B,) of full states (B, D), each entry scaled by its largest value."""

    def __init__(self, layout: StateLayout, width: int) -> None:
        super().__init__()
        self.scale = nn.Buffer(torch.from_numpy(layout.scales))
        first, second = nn.Linear(layout.size, width), nn.Linear(width, width)
        self.layers = nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), nn.Linear(width, 1))

    def forward(self, states: Tensor) -> Tensor:
        values: Tensor = self.layers(states * self.scale).squeeze(1)
        return values


class PPO(Learner):
    """PPO, by the gradient of a clipped objective over the games of a rollout.

    All seats of a game share one network, and each seat learns from its own rewards, with the other
    seats as a part of its environment.

    Attributes:
        config (PPOConfig): the settings; a subclass can have some of its own.
        games (SelfPlayGames): the games that it learns from.
        generator (torch.Generator): all its random numbers after those of the first weights.
    """

    settings_class = PPOConfig
    generator: torch.Generator

    def __init__(self, config: PPOConfig) -> None:
        super().__init__(config)
        self.config, self.rollout_size = config, config.rollout_size
        torch.manual_seed(config.seed)  # for the first weights
        self.games = games = SelfPlayGames(config, config.num_envs)
        self.network = make_network(config.describe_policy())
        self.generator = torch.Generator().manual_seed(config.seed)
        self._critic, state_size = None, 0
        parameters = [*self.network.parameters()]
        if config.critic == STATE:
            layout = StateLayout(config.game)
            self._critic, state_size = StateCritic(layout, 2 * config.widths.value), layout.size
            parameters += self._critic.parameters()
        self.optimizer = torch.optim.Adam(parameters, lr=config.learning_rate, eps=1e-5, fused=True)
        # Buffers are allocated once.
        self._targets = games.record_targets(self.network)  # (T, S, ...) by name
        of_all = games.num_turns, games.num_seats
        self._rollout = Rollout(
            obs=torch.zeros(*of_all, games.shape.size),
            states=torch.zeros(*of_all, state_size, dtype=torch.int8),
            actions=torch.zeros(of_all, dtype=torch.int64),
            logprobs=torch.zeros(of_all),
            policies=torch.zeros(*of_all, games.shape.slots if config.kl_coef else 0),
            values=torch.zeros(of_all),
            rewards=torch.zeros(of_all),
        )

    def learn(self, remaining: float) -> dict[str, float]:
        """Plays one rollout and learns; ``remaining`` decreases from 1 to 0 over the training."""
        learning_rate = self.config.learning_rate_at(remaining)
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate
        metrics = self.update(self.collect_rollout())
        self.timesteps += self.rollout_size
        return {**metrics, "learning_rate": learning_rate}

    def kept_modules(self) -> dict[str, nn.Module]:
        return {} if self._critic is None else {"critic": self._critic}

    def restored(self, plain: dict[str, Any]) -> None:  # noqa: ARG002  # the rollouts are counted
        self.games.deal(self.timesteps // self.rollout_size)

    @torch.no_grad()
    def collect_rollout(self) -> Rollout:
        """Plays one game in every environment, with actions sampled from the policy."""
        rollout = self._rollout
        for turn, obs in enumerate(rollout.obs):
            obs[:] = self.games.read()
            output = self.network(obs)
            self.games.remember(output)
            rollout.values[turn] = output.values
            if self._critic is not None:
                rollout.states[turn] = self.games.read_states()
                rollout.values[turn] = self._critic(rollout.states[turn])
            logprobs = log_probs(output)  # of the cards in the hand: this is the action mask
            rollout.policies[turn] = logprobs[:, : rollout.policies.shape[2]]
            actions = torch.multinomial(logprobs.exp(), 1, generator=self.generator)
            rollout.actions[turn] = actions.squeeze(1)
            rollout.logprobs[turn] = logprobs.gather(1, actions).squeeze(1)
            rollout.rewards[turn] = self.games.step(rollout.actions[turn])
        return rollout

    def minibatches(self) -> Sequence[Tensor]:
        """The indices (B,) of the decisions in each minibatch of a rollout, in random order.

        A subclass can have indices of any shape: its network then gets rows (*shape, features), and
        returns its outputs in their order.
        """
        shuffled = torch.randperm(self.rollout_size, generator=self.generator)
        return torch.split(shuffled, self.config.batch_size)

    def update(self, rollout: Rollout) -> dict[str, float]:
        """Improves the network on a rollout; returns metrics, averaged over the minibatches."""
        config = self.config
        advantages = compute_gae(rollout.rewards, rollout.values, config.gamma, config.gae_lambda)
        returns = advantages + rollout.values
        explained_variance = 1 - (returns - rollout.values).var() / returns.var()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        advantages, returns = advantages.flatten(), returns.flatten()
        obs, states, actions, old_logprobs, old_policies, *_ = (
            each.flatten(0, 1) for each in rollout
        )
        targets = {name: each.flatten(0, 1) for name, each in self._targets.items()}
        metrics = []
        for _ in range(config.epochs):
            for indices in self.minibatches():
                batch = indices.flatten()
                output = self.network(obs.index_select(0, batch).view(*indices.shape, -1))
                all_logprobs = log_probs(output)
                logprobs = all_logprobs.gather(1, actions[batch].unsqueeze(1)).squeeze(1)
                logratio = logprobs - old_logprobs[batch]
                ratio = logratio.exp()
                clipped = ratio.clamp(1 - config.clip_range, 1 + config.clip_range)
                pg_loss = -torch.min(ratio * advantages[batch], clipped * advantages[batch]).mean()
                v_loss = mse_loss(output.values, returns[batch])
                if self._critic is not None:  # the policy keeps values of its own, for its file
                    v_loss = v_loss + mse_loss(self._critic(states[batch]), returns[batch])
                entropy = -(all_logprobs.exp() * all_logprobs).sum(dim=1).mean()
                loss = pg_loss + config.vf_coef * v_loss - config.ent_coef * entropy
                if config.kl_coef:
                    from_old = all_logprobs - old_policies[batch]
                    divergence = (all_logprobs.exp() * from_old).sum(dim=1).mean()
                    loss = loss + config.kl_coef * divergence
                if targets:  # what a network predicts beside values, such as the opponents' cards
                    known = {name: each[batch] for name, each in targets.items()}
                    loss = loss + config.aux_coef * auxiliary_loss(self.network, output, known)
                self.optimizer.zero_grad()
                torch.autograd.backward(loss)
                for network in filter(None, (self.network, self._critic)):
                    nn.utils.clip_grad_norm_(network.parameters(), config.max_grad_norm)
                self.optimizer.step()
                with torch.no_grad():
                    approx_kl = (ratio - 1 - logratio).mean()
                    clipfrac = (ratio != clipped).float().mean()
                    metrics.append(torch.stack([pg_loss, v_loss, entropy, approx_kl, clipfrac]))
        names = ("pg_loss", "v_loss", "entropy", "approx_kl", "clipfrac")
        means = dict(zip(names, torch.stack(metrics).mean(dim=0).tolist(), strict=True))
        return {**means, "explained_variance": float(explained_variance)}


def compute_gae(rewards: Tensor, values: Tensor, gamma: float, gae_lambda: float) -> Tensor:
    """Generalized advantage estimates (T, S) of whole games; the value after the end is 0."""
    advantages = torch.zeros_like(rewards)
    next_values = next_advantages = torch.zeros_like(rewards[0])
    for turn in reversed(range(len(rewards))):
        delta = rewards[turn] + gamma * next_values - values[turn]
        next_advantages = delta + gamma * gae_lambda * next_advantages
        advantages[turn], next_values = next_advantages, values[turn]
    return advantages


def main(words: Sequence[str] | None = None) -> None:
    run_learner(PPO, words)


if __name__ == "__main__":
    main()
