"""Masked DQN by self-play in one file: read it from top to bottom, copy it, change it.

``python -m mindup_training.dqn --minutes 5`` trains a policy: Double DQN with a dueling network and
n-step targets. The logits of its policy file order the cards of a hand as the Q values do, and its
values are those of the best cards. Games, settings, the loop and its folder come from
``mindup_training``.
"""

import copy
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import smooth_l1_loss

from mindup_env.settings.declaration import option, settings
from mindup_training import SelfPlayConfig, SelfPlayLearner, run_learner
from mindup_training.network import MASKED, NetworkOutput
from mindup_training.settings.hyperparameters import MAX_EPOCHS, MAX_ROLLOUT, check_rollout


@settings(kw_only=True)
class DQNConfig(SelfPlayConfig):
    """Hyperparameters, each also an option of the command line."""

    learner: str = "dqn"
    # Fewer than for PPO: the network improves, and so the games do, more often.
    num_envs: int = 64
    batch_size: int = 512
    learning_rate: float = 2e-3
    max_grad_norm: float = 10.0
    n_steps: int = option(
        "turns whose rewards a target adds up before the target network values the rest; as many "
        "as a game has, or more, for Monte Carlo returns",
        default=3,
        low=1,
        high=MAX_ROLLOUT,
    )
    replay_rollouts: int = option(
        "number of rollouts that are kept to learn from", default=8, low=1, high=MAX_ROLLOUT
    )
    replay_ratio: float = option(
        "how often a decision is learned from on average", default=1.0, above=0, high=MAX_EPOCHS
    )
    final_epsilon: float = option(
        "probability of a random card, after it has decreased from 1", default=0.05, low=0, high=1
    )
    exploration: float = option(
        "share of the training over which this probability decreases", default=0.5, above=0, high=1
    )
    target_rollouts: int = option(
        "rollouts between copies of the network to the target network",
        default=2,
        low=1,
        high=MAX_ROLLOUT,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rollout(self.replay_rollouts * self.rollout_size)


class Replay(NamedTuple):
    """The last K rollouts of T turns in S seats."""

    obs: Tensor  # (K, T, S, features)
    actions: Tensor  # (K, T, S) indices of slots
    returns: Tensor  # (K, T, S) of the next n turns


class DQN(SelfPlayLearner):
    """Double DQN, from a replay memory of whole games that were played epsilon-greedily."""

    settings_class = DQNConfig
    config: DQNConfig

    def __init__(self, config: DQNConfig) -> None:
        super().__init__(config)
        games = self.games
        self._q_network = self.make_q_network()
        self._target_network = copy.deepcopy(self._q_network).requires_grad_(requires_grad=False)
        # Of both networks; each counts once if they are the same.
        self._parameters = [*nn.ModuleList([self.network, self._q_network]).parameters()]
        self.optimizer = torch.optim.Adam(
            self._parameters, lr=config.learning_rate, eps=1e-5, fused=True
        )
        of_all = config.replay_rollouts, games.num_turns, games.num_seats
        self._replay = Replay(
            obs=torch.zeros(*of_all, games.shape.size),
            actions=torch.zeros(of_all, dtype=torch.int64),
            returns=torch.zeros(of_all),
        )
        self._collected = 0

    def make_q_network(self) -> nn.Module:
        """The network of the Q values, which also is that of the policy."""
        return self.network

    def learn(self, remaining: float) -> dict[str, float]:
        """Plays one rollout and learns; ``remaining`` decreases from 1 to 0 over the training."""
        config, learning_rate = self.config, self.set_learning_rate(remaining)
        explored = (1 - remaining) / config.exploration
        epsilon = max(config.final_epsilon, 1 - explored * (1 - config.final_epsilon))
        if self._collected % config.target_rollouts == 0:
            self._target_network.load_state_dict(self._q_network.state_dict())
        self.collect_rollout(epsilon)
        batches = max(1, round(config.replay_ratio * self.rollout_size / config.batch_size))
        means = torch.stack([self.update() for _ in range(batches)]).mean(dim=0).tolist()
        self.timesteps += self.rollout_size
        figures = dict(zip(("loss", "q_value"), means, strict=True))
        return {**figures, "epsilon": epsilon, "learning_rate": learning_rate}

    def kept_modules(self) -> dict[str, nn.Module]:
        return {"target": self._target_network}

    def kept_tensors(self) -> dict[str, Tensor]:
        return self._replay._asdict()

    def restored(self, plain: dict[str, Any]) -> None:
        super().restored(plain)
        self._collected = self.timesteps // self.rollout_size

    @torch.no_grad()
    def collect_rollout(self, epsilon: float) -> None:
        """Plays one game in every environment; it replaces the oldest rollout in the replay."""
        replay, games = self._replay, self.games
        place = self._collected % len(replay.obs)
        rewards = torch.zeros(games.num_turns, games.num_seats)
        for turn, obs in enumerate(replay.obs[place]):
            obs[:] = games.read()
            actions = self.choose(obs, epsilon)
            replay.actions[place, turn] = actions
            rewards[turn] = games.step(actions)
        replay.returns[place] = n_step_returns(rewards, self.config.gamma, self.config.n_steps)
        self._collected += 1

    def choose(self, obs: Tensor, epsilon: float) -> Tensor:
        """The slots (S,) of random cards with probability epsilon, or of the best."""
        output = self._q_network(obs)
        in_hand = (output.cards >= 0).float()
        anything = torch.multinomial(in_hand, 1, generator=self.generator).squeeze(1)
        explores = torch.rand(self.games.num_seats, generator=self.generator) < epsilon
        return torch.where(explores, anything, q_values(output).argmax(dim=1))

    def update(self) -> Tensor:
        """Learns from a random minibatch; returns the loss and the mean of the Q values."""
        loss, value = self.loss()
        self.optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self._parameters, self.config.max_grad_norm)
        self.optimizer.step()
        return torch.stack([loss.detach(), value.detach()])

    def loss(self) -> tuple[Tensor, Tensor]:
        """The loss of a random minibatch, and the mean of its Q values."""
        config, seats = self.config, self.games.num_seats
        obs, actions, targets = (each.flatten(0, 2) for each in self._replay)
        filled = min(self._collected, config.replay_rollouts) * self.rollout_size
        batch = torch.randint(filled, (config.batch_size,), generator=self.generator)
        targets = targets[batch]
        with torch.no_grad():
            goes_on = batch // seats % self.games.num_turns + config.n_steps < self.games.num_turns
            later = obs.index_select(0, batch[goes_on] + config.n_steps * seats)
            best = q_values(self._q_network(later)).argmax(dim=1)
            rest = of_actions(q_values(self._target_network(later)), best)
            targets[goes_on] += config.gamma**config.n_steps * rest
        chosen = of_actions(q_values(self._q_network(obs.index_select(0, batch))), actions[batch])
        return smooth_l1_loss(chosen, targets), chosen.mean()


def q_values(output: NetworkOutput) -> Tensor:
    """The Q values (B, slots): the best card has the value of the state, the others less."""
    logits = output.logits.masked_fill(output.cards < 0, MASKED)
    return logits + (output.values - logits.amax(dim=1)).unsqueeze(1)


def of_actions(values: Tensor, actions: Tensor) -> Tensor:
    """The values (B,) of actions (B,), from those of all slots (B, slots)."""
    return values.gather(1, actions.unsqueeze(1)).squeeze(1)


def n_step_returns(rewards: Tensor, gamma: float, n_steps: int) -> Tensor:
    """Discounted sums (T, S) of the rewards of each turn and of the next ones, n in all."""
    returns = torch.zeros_like(rewards)
    for step in range(min(n_steps, len(rewards))):
        returns[: len(rewards) - step] += gamma**step * rewards[step:]
    return returns


def main(words: Sequence[str] | None = None) -> None:
    run_learner(DQN, words)


if __name__ == "__main__":
    main()
