"""PPO of your own in plain PyTorch: one network plays all seats and learns from all of them.

Run ``python own_ppo.py --rollouts 100``. A rollout is one whole game on every table; the features
"position-1" describe table and hand.
"""

import argparse
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor, nn

from mindup_agents.features import SeatFeatures, make_encoder
from mindup_arena import win_share_against
from mindup_env import BatchEnv, GameConfig

Array = npt.NDArray[Any]
CONFIG, FEATURES = GameConfig(num_players=4), "position-1"
ENCODER = make_encoder(FEATURES, CONFIG)
SLOTS = ENCODER.shape.slots
GAMES, MINIBATCH, LEARNING_RATE = 256, 1024, 3e-3
GAE_LAMBDA, CLIP_RANGE, ENTROPY_WEIGHT, VALUE_WEIGHT = 0.5, 0.2, 0.02, 0.5


class Policy(nn.Module):
    """Scores the slots of the hand: slot i holds the i-th lowest card."""

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        first = nn.Linear(ENCODER.shape.size - SLOTS, width)
        self.body = nn.Sequential(first, nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.logits, self.value = nn.Linear(width, SLOTS), nn.Linear(width, 1)

    def forward(self, rows: Tensor) -> tuple[torch.distributions.Categorical, Tensor]:
        hidden = self.body(rows[:, :-SLOTS])
        logits = self.logits(hidden).masked_fill(rows[:, -SLOTS:] < 0, -1e8)
        return torch.distributions.Categorical(logits=logits), self.value(hidden).squeeze(1)

    @torch.no_grad()
    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        rows = torch.zeros(len(observation), ENCODER.shape.size)
        ENCODER.fill(observation, action_mask, episode_start, random_bits, rows.numpy())
        slots = self(rows)[0].logits.argmax(dim=1, keepdim=True)
        return rows[:, -SLOTS:].gather(1, slots).squeeze(1).long().numpy()


@torch.no_grad()
def collect_rollout(env: BatchEnv, features: SeatFeatures, policy: Policy) -> list[Tensor]:
    """T turns of R seats: rows (T, R, size), then slots, logprobs, values and rewards (T, R)."""
    turns = []
    for _ in range(env.config.num_turns):
        rows = torch.tensor(features.read()).flatten(0, 1)
        dist, values = policy(rows)
        slots = dist.sample()
        actions = features.to_actions(slots.view(env.num_envs, -1).numpy())
        _, rewards, *_ = env.step(actions)
        turns.append((rows, slots, dist.log_prob(slots), values, torch.tensor(rewards).flatten()))
    return [torch.stack(tensors) for tensors in zip(*turns, strict=True)]


def compute_gae(values: Tensor, rewards: Tensor) -> Tensor:
    next_values = torch.cat([values[1:], torch.zeros_like(values[:1])])  # nothing after the end
    advantages = rewards + next_values - values
    for t in reversed(range(len(advantages) - 1)):
        advantages[t] += GAE_LAMBDA * advantages[t + 1]
    return advantages


def update(policy: Policy, optimizer: torch.optim.Optimizer, rollout: list[Tensor]) -> None:
    advantages = compute_gae(*rollout[3:])
    returns = (advantages + rollout[3]).flatten()
    advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).flatten()
    rows, slots, old_logprobs = (each.flatten(0, 1) for each in rollout[:3])
    for part in torch.split(
        torch.randperm(len(rows)), MINIBATCH
    ):  # one epoch: new games cost little
        dist, new_values = policy(rows[part])
        ratio = (dist.log_prob(slots[part]) - old_logprobs[part]).exp()
        clipped = ratio.clamp(1 - CLIP_RANGE, 1 + CLIP_RANGE)
        pg_loss = -torch.min(ratio * advantages[part], clipped * advantages[part]).mean()
        v_loss = nn.functional.mse_loss(new_values, returns[part])
        entropy = dist.entropy().mean()
        optimizer.zero_grad()
        (pg_loss + VALUE_WEIGHT * v_loss - ENTROPY_WEIGHT * entropy).backward()
        optimizer.step()


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rollouts", type=int, default=100)
    given = parser.parse_args(words)
    torch.manual_seed(0)
    env, policy = BatchEnv(CONFIG, GAMES, reward="0.1*margin+win"), Policy()
    features = SeatFeatures(env, FEATURES)
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE)
    env.reset(seed=0)
    for _ in range(given.rollouts):
        update(policy, optimizer, collect_rollout(env, features, policy))
    share = win_share_against(policy, "random", CONFIG, deals=100)
    print(
        f"win share against three random: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    )


if __name__ == "__main__":
    main()
