"""PPO with a memory: a GRU reads the table turn by turn, and learns from whole games.

    python recurrent_ppo.py --timesteps 5000000
    mindup arena runs/recurrent random greedy

The learner is that of ``mindup_training.ppo``. Gradients go through all turns of a game. The policy
file keeps the memory as the state of the network, so the bot needs nothing of this file.
"""

from collections.abc import Iterator
from pathlib import Path

import torch
import tyro
from torch import Tensor, nn

from mindup_env import GameConfig, Layout
from mindup_training.ppo import PPO, Settings, train

WIDTH = 128
STATE = 64
SEATS_AT_ONCE = 64  # in a minibatch, which has all their decisions


class Network(nn.Module):
    """Scores the cards by what is seen now and by a state, its memory of the turns before."""

    state_shapes = ((STATE,),)

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        self.turns = config.num_turns
        self.scales = nn.Buffer(torch.tensor(Layout(config).scales))
        self.body = nn.Linear(Layout(config).size, WIDTH)
        self.memory = nn.GRUCell(WIDTH, STATE)
        self.score = nn.Linear(WIDTH + STATE, config.num_cards)
        self.value = nn.Linear(WIDTH + STATE, 1)

    def forward(self, observation: Tensor, mask: Tensor, state: Tensor) -> tuple[Tensor, ...]:
        hidden = torch.relu(self.body(observation * self.scales))
        if self.training:  # the rows are whole games: all first turns, all second turns, and so on
            turns = hidden.view(self.turns, -1, WIDTH)
            states = [turns.new_zeros(turns.shape[1], STATE)]
            for turn in turns:
                states.append(self.memory(turn, states[-1]))
            state = torch.cat(states[1:])
        else:
            state = self.memory(hidden, state)
        both = torch.cat([hidden, state], 1)
        logits = self.score(both).masked_fill(mask == 0, -1e8)
        return logits, self.value(both).squeeze(1), state


class RecurrentPPO(PPO):
    """Learns from minibatches of whole games."""

    def minibatches(self, decisions: int) -> Iterator[Tensor]:
        seats = decisions // self.config.num_turns
        first = seats * torch.arange(self.config.num_turns).unsqueeze(1)  # of each turn
        for part in torch.split(torch.randperm(seats, generator=self.generator), SEATS_AT_ONCE):
            yield (first + part).flatten()


def main(
    timesteps: int = 5_000_000, opponent: str = "random", out: Path = Path("runs/recurrent")
) -> None:
    settings = Settings(
        timesteps=timesteps,
        epochs=2,
        learning_rate=2e-3,
        ent_coef=0.01,
        opponent=opponent,
    )
    train(RecurrentPPO(settings, Network(settings.config())), out)


if __name__ == "__main__":
    tyro.cli(main)
