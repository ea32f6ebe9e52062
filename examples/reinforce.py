"""REINFORCE at one seat against scripted bots, on the raw observation or on features.

Run ``python reinforce.py --features position-1`` and ``python reinforce.py --features raw``. A
rollout is one whole game on every table; the reward is the margin, in points.
"""

import argparse

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from mindup_agents.features import ENCODERS, SeatFeatures
from mindup_env import BatchEnv, GameConfig, ScriptedSeats

BOTS = {1: "greedy", 2: "greedy", 3: "random"}
GAMES, WIDTH, LEARNING_RATE = 128, 64, 3e-3


class RawPolicy(nn.Module):
    """Reads the observation of seat 0, each entry scaled to at most 1; scores all cards."""

    def __init__(self, env: BatchEnv) -> None:
        super().__init__()
        self.env = env
        self.scale = nn.Buffer(torch.tensor(env.layout.scales))
        first, last = nn.Linear(env.layout.size, WIDTH), nn.Linear(WIDTH, env.config.num_cards)
        self.layers = nn.Sequential(first, nn.ReLU(), last)

    def forward(self) -> Categorical:
        seen = {name: torch.tensor(array[:, 0]) for name, array in self.env.seen.items()}
        logits = self.layers(seen["observation"] * self.scale)
        return Categorical(logits=logits.masked_fill(seen["action_mask"] == 0, -1e8))

    def to_actions(self, choices: Tensor) -> npt.NDArray[np.int64]:
        actions: npt.NDArray[np.int64] = choices.numpy()
        return actions


class FeaturePolicy(nn.Module):
    """Scores the slots of the hand of seat 0 with one network, from the table and the card."""

    def __init__(self, env: BatchEnv, name: str) -> None:
        super().__init__()
        self.features = SeatFeatures(env, name, seats=[0])
        shape = self.features.shape
        self.table, self.card = nn.Linear(shape.table, WIDTH), nn.Linear(shape.card, WIDTH)
        self.score = nn.Sequential(nn.ReLU(), nn.Linear(WIDTH, 1))

    def forward(self) -> Categorical:
        rows = torch.tensor(self.features.read()[:, 0])
        table, slots, cards = self.features.shape.split(rows)
        scores = self.score(self.table(table).unsqueeze(1) + self.card(slots)).squeeze(2)
        return Categorical(logits=scores.masked_fill(cards < 0, -1e8))

    def to_actions(self, choices: Tensor) -> npt.NDArray[np.int64]:
        return self.features.to_actions(choices.unsqueeze(1).numpy())[:, 0]


def play(env: BatchEnv, bots: ScriptedSeats, policy: RawPolicy | FeaturePolicy) -> list[Tensor]:
    """One game on every table: the logprobs and rewards of seat 0 (T, N)."""
    logprobs, gained = [], []
    actions = np.zeros((env.num_envs, env.config.num_players), np.int64)
    for _ in range(env.config.num_turns):
        dist = policy()
        choices = dist.sample()
        logprobs.append(dist.log_prob(choices))
        bots.act(actions)
        actions[:, 0] = policy.to_actions(choices)
        _, rewards, *_ = env.step(actions)
        gained.append(torch.tensor(rewards[:, 0]))
    return [torch.stack(logprobs), torch.stack(gained)]


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--features", default="position-1", choices=["raw", *ENCODERS])
    parser.add_argument("--rollouts", type=int, default=100)
    given = parser.parse_args(words)
    torch.manual_seed(0)
    env = BatchEnv(GameConfig(num_players=4), GAMES, reward="margin")
    bots = ScriptedSeats(env, BOTS)
    policy = RawPolicy(env) if given.features == "raw" else FeaturePolicy(env, given.features)
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE)
    env.reset(seed=0)
    margins = []
    for _ in range(given.rollouts):
        logprobs, gained = play(env, bots, policy)
        # A card matters for its turn and the next, when it is a prize; later turns are noise.
        returns = gained + torch.cat([gained[1:], torch.zeros_like(gained[:1])])
        advantages = (returns - returns.mean(dim=1, keepdim=True)) / returns.std()
        optimizer.zero_grad()
        torch.autograd.backward(-(logprobs * advantages).mean())
        optimizer.step()
        margins.append(gained.sum(dim=0).mean().item())
    last = margins[-10:]
    print(f"{given.features}: margin {np.mean(last):+.1f} points in the last {len(last)} rollouts")


if __name__ == "__main__":
    main()
