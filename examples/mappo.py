"""MAPPO in plain PyTorch: one actor for all seats, and a critic that sees all hands.

Run ``python mappo.py --rollouts 80``. A rollout is one whole game on every table. The actor reads
what its seat may know, as features; the critic, which only training needs, reads the full state
from the view of the seat.
"""

import argparse
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from mindup_agents.features import SeatFeatures, make_encoder
from mindup_arena import win_share_against
from mindup_env import BatchEnv, GameConfig

Array = npt.NDArray[Any]
CONFIG, FEATURES = GameConfig(num_players=4), "position-1"
ENCODER = make_encoder(FEATURES, CONFIG)
GAMES, EPOCHS, MINIBATCH, LEARNING_RATE, MAX_NORM = 256, 2, 1024, 2e-3, 0.5
GAE_LAMBDA, CLIP_RANGE, ENTROPY_WEIGHT = 0.5, 0.2, 0.02


class Actor(nn.Module):
    """Scores each card of the hand, from its features and those of the table."""

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        shape = ENCODER.shape
        self.table, self.card = nn.Linear(shape.table, width), nn.Linear(shape.card, width)
        hidden, last = nn.Linear(width, width), nn.Linear(width, 1)
        self.score = nn.Sequential(nn.ReLU(), hidden, nn.ReLU(), last)

    def forward(self, rows: Tensor) -> Categorical:
        """The probabilities of the slots (..., slots) of rows (..., size)."""
        table, slots, cards = ENCODER.shape.split(rows)
        scores = self.score(self.table(table).unsqueeze(-2) + self.card(slots)).squeeze(-1)
        return Categorical(logits=scores.masked_fill(cards < 0, -1e8), validate_args=False)

    @torch.no_grad()
    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        """As a bot, for the arena: the most probable card."""
        rows = torch.zeros(len(observation), ENCODER.shape.size)
        ENCODER.fill(observation, action_mask, episode_start, random_bits, rows.numpy())
        slots = self(rows).logits.argmax(dim=1, keepdim=True)
        cards: Tensor = ENCODER.shape.split(rows)[2].gather(1, slots)
        return cards.squeeze(1).long().numpy()


@torch.no_grad()
def collect_rollout(env: BatchEnv, features: SeatFeatures, actor: Actor) -> list[Tensor]:
    """T turns of N games: features and states (T, N, P, ...), slots, logprobs and rewards."""
    turns = []
    for _ in range(env.config.num_turns):
        rows = torch.tensor(features.read())
        states = torch.tensor(env.state(per_seat=True) * env.state_layout.scales)
        dist = actor(rows)
        slots = dist.sample()
        _, rewards, *_ = env.step(features.to_actions(slots.numpy()))
        turns.append((rows, states, slots, dist.log_prob(slots), torch.tensor(rewards)))
    return [torch.stack(tensors) for tensors in zip(*turns, strict=True)]


def compute_gae(values: Tensor, rewards: Tensor) -> Tensor:
    next_values = torch.cat([values[1:], torch.zeros_like(values[:1])])  # nothing after the end
    advantages = rewards + next_values - values
    for turn in reversed(range(len(advantages) - 1)):
        advantages[turn] += GAE_LAMBDA * advantages[turn + 1]
    return advantages


def update(
    actor: Actor, critic: nn.Module, optimizer: torch.optim.Optimizer, rollout: list[Tensor]
) -> None:
    with torch.no_grad():
        values = critic(rollout[1]).squeeze(-1)
    advantages = compute_gae(values, rollout[-1])
    returns = (advantages + values).flatten()
    advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).flatten()
    rows, states, slots, old_logprobs = (each.flatten(0, 2) for each in rollout[:4])
    for _ in range(EPOCHS):
        for part in torch.split(torch.randperm(len(rows)), MINIBATCH):
            dist = actor(rows[part])
            ratio = (dist.log_prob(slots[part]) - old_logprobs[part]).exp()
            clipped = ratio.clamp(1 - CLIP_RANGE, 1 + CLIP_RANGE)
            pg_loss = -torch.min(ratio * advantages[part], clipped * advantages[part]).mean()
            v_loss = nn.functional.mse_loss(critic(states[part]).squeeze(1), returns[part])
            optimizer.zero_grad()
            (pg_loss + v_loss - ENTROPY_WEIGHT * dist.entropy().mean()).backward()
            for network in (actor, critic):
                nn.utils.clip_grad_norm_(network.parameters(), MAX_NORM)
            optimizer.step()


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rollouts", type=int, default=80)
    given = parser.parse_args(words)
    torch.manual_seed(0)
    env = BatchEnv(CONFIG, GAMES, reward="0.1*margin+win")
    features, actor = SeatFeatures(env, FEATURES), Actor()
    critic = nn.Sequential(nn.Linear(env.state_layout.size, 256), nn.ReLU(), nn.Linear(256, 1))
    optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], LEARNING_RATE)
    env.reset(seed=0)
    for rollout in range(given.rollouts):
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - rollout / given.rollouts)
        update(actor, critic, optimizer, collect_rollout(env, features, actor))
    share = win_share_against(actor, "greedy", CONFIG, deals=100)
    print(
        f"win share against three greedy: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    )


if __name__ == "__main__":
    main()
