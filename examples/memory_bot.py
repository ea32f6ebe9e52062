"""PPO with a memory: a GRU reads the table, turn by turn, and all seats learn from whole games.

    python memory_bot.py --timesteps 500_000 --out runs/gru

is a run as those of ``mindup_training.ppo``: it has the same options and files, and can be resumed.
``memory_bot:Bot:runs/gru/policy.safetensors`` plays its policy in every command.

Rows of features begin with the state that the GRU had after the last turn. So a network, which has
no memory itself, plays a turn from one row, and a whole game from those of all turns.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn.functional import relu

from mindup_agents.features import FeatureShape, make_encoder
from mindup_agents.policy import PolicyAgent, Widths
from mindup_env import GameConfig
from mindup_env.settings.declaration import settings
from mindup_training import NetworkOutput, run_learner
from mindup_training.network import Network
from mindup_training.ppo import PPO, PPOConfig

Array = npt.NDArray[Any]
HERE = Path(__file__).stem
STATE = 64


class Features:
    """A state, and behind it the features raw-1."""

    name = "gru"

    def __init__(self, config: GameConfig) -> None:
        self.raw = make_encoder("raw-1", config)
        self.shape = self.raw.shape._replace(table=STATE + self.raw.shape.table)
        self.state, self.rows = np.zeros((2, 0, 0), np.float32)

    def fill(
        self, observation: Array, action_mask: Array, starts: Array, bits: Array, out: Array
    ) -> None:
        """Writes a row for each seat (B, ...). A state is cleared where a game starts."""
        if len(out) != len(self.state):
            self.state = np.zeros((len(out), STATE), np.float32)
            self.rows = np.zeros((len(out), self.raw.shape.size), np.float32)
        self.state[starts] = 0
        self.raw.fill(observation, action_mask, starts, bits, self.rows)
        out[:, :STATE], out[:, STATE:] = self.state, self.rows

    def remember(self, state: Array) -> None:
        """Takes the states (B, STATE) after the turn."""
        self.state[:] = state


class RecurrentNetwork(Network):
    """The network of ppo, with a GRU between the layer that reads the table and the cards."""

    def __init__(self, shape: FeatureShape, widths: Widths) -> None:
        super().__init__(shape._replace(table=shape.table - STATE), widths)
        self.memory = nn.GRU(widths.table, STATE)
        self.recall = nn.Linear(STATE, widths.table, bias=False)
        nn.init.zeros_(self.recall.weight)  # at first, it plays as the network of ppo does

    def forward(self, rows: Tensor) -> NetworkOutput:
        """The output for a turn of rows (B, size), or for all T turns of games (T, B, size).

        That of T turns has T * B rows. A game needs only the state before its first turn.
        """
        turns = rows.view(-1, *rows.shape[-2:])
        first, rows = turns[:1, :, :STATE], turns[..., STATE:]
        table, slots, cards = self.shape.split(rows)
        table = relu(self.table(table))
        states, last = self.memory(table, first.contiguous())
        hidden = table + self.recall(states)
        output = self.score(*(each.flatten(0, 1) for each in (hidden, slots, cards)))
        return output._replace(remembered=last[0].detach())


@settings(kw_only=True)
class RecurrentConfig(PPOConfig):
    """The settings of ppo, with other defaults."""

    learner: str = f"{HERE}:RecurrentPPO"
    features: str = f"{HERE}:Features"
    network: str | None = f"{HERE}:RecurrentNetwork"


class RecurrentPPO(PPO):
    """PPO, but for its minibatches: gradients go through all turns of a game."""

    settings_class = RecurrentConfig

    def minibatches(self) -> Sequence[Tensor]:
        """The indices (T, B) of all decisions of B seats for each minibatch, in random order."""
        turns, seats = self.games.num_turns, self.games.num_seats
        shuffled = torch.randperm(seats, generator=self.generator)
        before = seats * torch.arange(turns).unsqueeze(1)
        size = max(1, self.config.batch_size // turns)
        return [before + part for part in torch.split(shuffled, size)]


class Bot(PolicyAgent):
    """Plays a policy with its memory: of a file, or the last one in the folder of a run."""

    def __init__(self, config: GameConfig, path: str, temperature: float = 0.0) -> None:
        super().__init__(config, path, temperature, *RecurrentConfig().own_code)


def main(words: Sequence[str] | None = None) -> None:
    run_learner(RecurrentPPO, words)


if __name__ == "__main__":
    main()
