"""A PyTorch network with a memory as a bot: a GRU that learns from games of another bot.

    python memory_bot.py --out runs/gru

writes the weights, and ``memory_bot:Bot:runs/gru/gru.pt`` plays them in every command. In a file of
``mindup experiment run``, the same is an entry, with ``{seed}`` and ``{out}`` in both texts:

    [entries.gru]
    command = "python memory_bot.py --seed {seed} --out {out}"
    bot = "memory_bot:Bot:{out}/gru.pt"
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from mindup_arena import win_share_against
from mindup_env import BatchEnv, GameConfig, Layout, ScriptedSeats

Array = npt.NDArray[Any]
CONFIG = GameConfig(num_players=4)
WIDTH, GAMES, TEACHER = 128, 64, "greedy"


class Network(nn.Module):
    """Reads the observations of one turn after another."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        self.memory = nn.GRU(Layout(config).size, WIDTH)
        self.cards = nn.Linear(WIDTH, config.num_cards)

    def forward(
        self, observations: Tensor, masks: Tensor, state: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Logits (turns, B, num_cards), and the state (1, B, WIDTH) after these turns."""
        hidden, state = self.memory(observations.float(), state)
        return self.cards(hidden).masked_fill(masks == 0, -1e9), state


class Bot:
    """Keeps a state for each row, and clears it where a game begins."""

    def __init__(self, config: GameConfig, path: str) -> None:
        self.network, self.state = Network(config), torch.zeros(1, 0, WIDTH)
        self.network.load_state_dict(torch.load(path, weights_only=True))

    @torch.no_grad()
    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        if self.state.shape[1] != len(observation):
            self.state = torch.zeros(1, len(observation), WIDTH)
        self.state[:, torch.from_numpy(episode_start)] = 0
        turn = torch.from_numpy(observation)[None], torch.from_numpy(action_mask)[None]
        logits, self.state = self.network(*turn, self.state)
        chosen: Array = logits[0].argmax(dim=1).numpy()
        return chosen


def play(env: BatchEnv, bots: ScriptedSeats) -> list[Tensor]:
    """Observations, masks and cards (turns, seats, ...) of whole games of the bots."""
    seats, turns = env.num_envs * env.config.num_players, []
    for _ in range(env.config.num_turns):
        actions = np.zeros((env.num_envs, env.config.num_players), np.int64)
        bots.act(actions)
        now = *(array.reshape(seats, -1).copy() for array in env.seen.values()), actions.ravel()
        turns.append([torch.from_numpy(array) for array in now])
        env.step(actions)
    return [torch.stack(column) for column in zip(*turns, strict=True)]


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--batches", type=int, default=200, help=f"of {GAMES} games")
    parser.add_argument("--deals", type=int, default=100, help="of the measurement")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("runs/gru"))
    given = parser.parse_args(words)
    torch.manual_seed(given.seed)
    network, env = Network(CONFIG), BatchEnv(CONFIG, GAMES)
    env.reset(seed=given.seed)
    bots = ScriptedSeats(env, dict.fromkeys(range(CONFIG.num_players), TEACHER))
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    for _ in range(given.batches):
        observations, masks, cards = play(env, bots)
        logits, _ = network(observations, masks)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), cards.flatten())
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / "gru.pt"
    torch.save(network.state_dict(), path)
    share = win_share_against(Bot(CONFIG, str(path)), "random", CONFIG, given.deals)
    print(f"log loss of {TEACHER}'s card: {loss.item():.3f}")
    print(f"win share against three random: {share.value:.2f}")


if __name__ == "__main__":
    main()
