"""PPO with a memory: a GRU reads the table turn by turn, and learns from whole games.

    python recurrent_ppo.py --rollouts 1000
    mindup arena runs/recurrent random greedy

The learner is that of ``mindup_training.ppo``, with a network of one's own. Gradients go through
all turns of a game. The policy file keeps the memory as the state of the network, so the bot needs
nothing of this file.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor, nn

from mindup_env import GameConfig, Layout
from mindup_training.policy_file import save_policy
from mindup_training.ppo import PPO, Settings, evaluate

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

    def forward(
        self, observation: Tensor, action_mask: Tensor, state: Tensor
    ) -> tuple[Tensor, ...]:
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
        logits = self.score(both).masked_fill(action_mask == 0, -1e8)
        return logits, self.value(both).squeeze(1), state

    def auxiliary_loss(self, state: Tensor, _played: Tensor) -> Tensor:
        return state.new_zeros(())


class RecurrentPPO(PPO):
    """PPO with this network, by minibatches of whole games."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.network = Network(self.config).eval()
        self.modules = [self.network]
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5)

    def minibatches(self, decisions: int) -> Iterator[Tensor]:
        seats = decisions // self.config.num_turns
        first = seats * torch.arange(self.config.num_turns).unsqueeze(1)  # of each turn
        self.network.train()
        for part in torch.split(torch.randperm(seats, generator=self.generator), SEATS_AT_ONCE):
            yield (first + part).flatten()
        self.network.eval()


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rollouts", type=int, default=1000, help="of 64 games each")
    parser.add_argument("--opponent", default="random", help="bot to evaluate the policy against")
    parser.add_argument("--out", type=Path, default=Path("runs/recurrent"))
    given = parser.parse_args(words)
    settings = Settings(
        timesteps=given.rollouts * 64 * 4 * GameConfig(4).num_turns,
        epochs=2,
        learning_rate=2e-3,
        ent_coef=0.01,
        opponent=given.opponent,
    )
    learner = RecurrentPPO(settings)
    while learner.remaining > 0:
        learner.learn()
    evaluate(learner, None)
    given.out.mkdir(parents=True, exist_ok=True)
    save_policy(learner.network, learner.config, given.out / "policy.onnx", {})


if __name__ == "__main__":
    main()
