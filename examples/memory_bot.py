"""PPO with a memory: a GRU reads the table turn by turn, and learns from whole games.

    python memory_bot.py --rollouts 200 --out memory.pt
    mindup arena rank memory_bot:Bot:path=memory.pt random greedy

All seats play by one network. A rollout is a whole game on every table: gradients go through all
turns of a game, and a state begins at zero.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

from mindup_arena import win_share_against
from mindup_env import BatchEnv, GameConfig, Layout

Array = npt.NDArray[Any]

CONFIG = GameConfig(num_players=4)
GAMES, EPOCHS, SEATS_AT_ONCE, LEARNING_RATE = 64, 2, 64, 2e-3
GAE_LAMBDA, CLIP_RANGE, ENTROPY_WEIGHT, MAX_NORM = 0.6, 0.2, 0.01, 0.5
WIDTH, STATE = 128, 64


class Network(nn.Module):
    """Scores the cards from what is seen now and from a state, its memory of the turns before."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Buffer(torch.tensor(Layout(CONFIG).scales))
        self.body = nn.Linear(Layout(CONFIG).size, WIDTH)
        self.memory = nn.GRU(WIDTH, STATE)
        self.score = nn.Linear(WIDTH + STATE, CONFIG.num_cards)
        self.value = nn.Linear(WIDTH + STATE, 1)

    def forward(self, observation: Tensor, mask: Tensor, state: Tensor | None = None) -> Any:
        """For T turns of B seats (T, B, size): their cards, their values and the next state."""
        hidden = torch.relu(self.body(observation * self.scale))
        remembered, state = self.memory(hidden, state)
        both = torch.cat([hidden, remembered], dim=-1)
        cards = Categorical(logits=self.score(both).masked_fill(mask == 0, -1e8))
        return cards, self.value(both).squeeze(-1), state


class Bot:
    """Plays a network that was saved. Each row of a batch keeps a state until its next game."""

    def __init__(self, config: GameConfig, path: str) -> None:
        self.network, self.state = Network(), torch.zeros(1, 0, STATE)
        self.network.load_state_dict(torch.load(path, weights_only=True))

    @torch.no_grad()
    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        if len(observation) != self.state.shape[1]:
            self.state = torch.zeros(1, len(observation), STATE)
        self.state[:, torch.from_numpy(episode_start)] = 0
        turn = (torch.from_numpy(each).unsqueeze(0) for each in (observation, action_mask))
        cards, _, self.state = self.network(*turn, self.state)
        return cards.logits[0].argmax(dim=1).numpy()


@torch.no_grad()
def play(env: BatchEnv, network: Network) -> list[Tensor]:
    """A game on every table, as (T, B, ...): what was seen, chosen, its logprob, value, reward."""
    seats, turns, state = GAMES * CONFIG.num_players, [], None
    for _ in range(CONFIG.num_turns):
        seen = [torch.tensor(array).reshape(1, seats, -1) for array in env.seen.values()]
        cards, value, state = network(*seen, state)
        chosen = cards.sample()
        reward = torch.tensor(env.step(chosen.reshape(GAMES, -1).numpy())[1]).reshape(1, seats)
        turns.append((*seen, chosen, cards.log_prob(chosen), value, reward))
    return [torch.cat(parts) for parts in zip(*turns, strict=True)]


def learn(network: Network, optimizer: torch.optim.Optimizer, played: list[Tensor]) -> None:
    observation, mask, chosen, logprob, value, reward = played
    advantage = reward + torch.cat([value[1:], torch.zeros_like(value[:1])]) - value
    for turn in reversed(range(len(reward) - 1)):
        advantage[turn] += GAE_LAMBDA * advantage[turn + 1]
    target, weight = value + advantage, (advantage - advantage.mean()) / advantage.std()
    for _ in range(EPOCHS):
        for part in torch.split(torch.randperm(reward.shape[1]), SEATS_AT_ONCE):
            cards, values, _ = network(observation[:, part], mask[:, part])
            ratio = (cards.log_prob(chosen[:, part]) - logprob[:, part]).exp()
            clipped = ratio.clamp(1 - CLIP_RANGE, 1 + CLIP_RANGE)
            gain = torch.minimum(ratio * weight[:, part], clipped * weight[:, part]).mean()
            error = (values - target[:, part]).square().mean()
            optimizer.zero_grad()
            (0.5 * error - gain - ENTROPY_WEIGHT * cards.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(network.parameters(), MAX_NORM)
            optimizer.step()


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rollouts", type=int, default=200)
    parser.add_argument("--out", type=Path, default=Path("memory.pt"))
    given = parser.parse_args(words)
    torch.manual_seed(0)
    env, network = BatchEnv(CONFIG, GAMES, reward="0.1*margin+win"), Network()
    env.reset(seed=0)
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE)
    for _ in range(given.rollouts):
        learn(network, optimizer, play(env, network))
    torch.save(network.state_dict(), given.out)
    share = win_share_against(Bot(CONFIG, str(given.out)), "random", CONFIG, deals=100)
    print(
        f"win share against three random: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    )


if __name__ == "__main__":
    main()
