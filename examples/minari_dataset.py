"""Minari: the decisions of a bot as a dataset, and a policy that is fitted to it.

    pip install 'minari[hdf5]' torch
    python minari_dataset.py --bot planner --games 500

The dataset has an episode for each seat of each game; MINARI_DATASETS_PATH sets its folder.
"""

import argparse
from typing import Any

import minari
import numpy as np
import numpy.typing as npt
import torch
from minari.data_collector import EpisodeBuffer
from torch import Tensor, nn

from mindup_arena import win_share_against
from mindup_env import BatchEnv, GameConfig, Layout, make_agent

Array = npt.NDArray[Any]

CONFIG = GameConfig(num_players=4)
BATCH_SIZE = 256
LEARNING_RATE = 2e-3
WIDTH = 256


def play(bot: str, games: int) -> list[EpisodeBuffer]:
    """Plays the games, with the bot at all seats."""
    env = BatchEnv(CONFIG, games, reward="win", autoreset=False)
    agent = make_agent(bot, CONFIG)
    seats = games * CONFIG.num_players
    rng = np.random.default_rng(0)
    seen, _ = env.reset(seed=0)
    shown = [rows_of(seen)]
    actions = []
    rewards = []
    for turn in range(CONFIG.num_turns):
        starts = np.full(seats, turn == 0)
        bits = rng.integers(2**64, size=seats, dtype=np.uint64)
        rows = shown[-1]
        actions.append(agent.act(rows["observation"], rows["action_mask"], starts, bits))
        seen, gained, *_ = env.step(actions[-1].reshape(games, -1))
        rewards.append(gained.reshape(seats).copy())
        shown.append(rows_of(seen))
    ends = [False] * (CONFIG.num_turns - 1) + [True]
    return [
        EpisodeBuffer(
            id=seat,
            observations={name: [rows[name][seat] for rows in shown] for name in shown[0]},
            actions=[chosen[seat] for chosen in actions],
            rewards=[float(gained[seat]) for gained in rewards],
            terminations=ends,
            truncations=[False] * CONFIG.num_turns,
        )
        for seat in range(seats)
    ]


def rows_of(seen: dict[str, Array]) -> dict[str, Array]:
    """The observations and masks (seats, size) of all games; the next step overwrites ``seen``."""
    return {name: array.reshape(-1, array.shape[-1]).copy() for name, array in seen.items()}


class Policy(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Buffer(torch.tensor(Layout(CONFIG).scales))
        first = nn.Linear(Layout(CONFIG).size, WIDTH)
        self.layers = nn.Sequential(first, nn.ReLU(), nn.Linear(WIDTH, CONFIG.num_cards))

    def forward(self, observation: Tensor, mask: Tensor) -> Tensor:
        return self.layers(observation * self.scale).masked_fill(mask == 0, -1e8)

    @torch.no_grad()
    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        logits = self(torch.from_numpy(observation), torch.from_numpy(action_mask))
        return logits.argmax(dim=1).numpy()


def fit(name: str, epochs: int) -> Policy:
    """Fits a policy to the choices of the dataset."""
    episodes = list(minari.load_dataset(name).iterate_episodes())
    seen = {
        part: torch.from_numpy(np.concatenate([each.observations[part][:-1] for each in episodes]))
        for part in ("observation", "action_mask")
    }
    action = torch.from_numpy(np.concatenate([each.actions for each in episodes])).long()
    policy = Policy()
    optimizer = torch.optim.Adam(policy.parameters(), LEARNING_RATE)
    for epoch in range(epochs):
        losses = []
        for rows in torch.split(torch.randperm(len(action)), BATCH_SIZE):
            logits = policy(seen["observation"][rows], seen["action_mask"][rows])
            loss = nn.functional.cross_entropy(logits, action[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: log loss {np.mean(losses):.3f}")
    return policy


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--name", default="mindup/bots-v0", help="of the dataset")
    given = parser.parse_args(words)
    torch.manual_seed(0)
    minari.create_dataset_from_buffers(
        given.name, play(given.bot, given.games), env="MindUp-v0", algorithm_name=given.bot
    )
    share = win_share_against(fit(given.name, given.epochs), "random", CONFIG, 100)
    print(
        f"win share against three random: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    )


if __name__ == "__main__":
    main()
