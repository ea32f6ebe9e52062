"""TorchRL: PPO by self-play, on PettingZoo's parallel environment as TorchRL wraps it.

    pip install torchrl
    python torchrl_ppo.py --rollouts 20

The players are grouped under the key "player": the observation, the action mask and the reward of a
step are tensors of all players, and one network plays all of them.
"""

import argparse
from typing import Any

import numpy.typing as npt
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss, ValueEstimators

from mindup_arena import win_share_against
from mindup_env import GameConfig, Layout, mindup_v0

Array = npt.NDArray[Any]

CONFIG = GameConfig(num_players=4)
OBSERVATION = ("player", "observation", "observation")
MASK = ("player", "action_mask")
ACTION = ("player", "action")
LOGITS = ("player", "logits")
LOGPROB = ("player", "logprob")
VALUE = ("player", "state_value")
REWARD = ("player", "reward")
MINIBATCH = 256
EPOCHS = 2
LEARNING_RATE = 1e-3


class MLP(nn.Module):
    """Reads the observation, each entry scaled to at most 1."""

    def __init__(self, outputs: int, width: int = 128) -> None:
        super().__init__()
        self.scale = nn.Buffer(torch.tensor(Layout(CONFIG).scales))
        first = nn.Linear(Layout(CONFIG).size, width)
        self.layers = nn.Sequential(first, nn.ReLU(), nn.Linear(width, outputs))

    def forward(self, observation: Tensor) -> Tensor:
        logits: Tensor = self.layers(observation * self.scale)
        return logits

    @torch.no_grad()
    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        """As a bot, for the arena: the legal card with the highest logit."""
        logits: Tensor = self(torch.from_numpy(observation))
        return logits.masked_fill(torch.from_numpy(action_mask) == 0, -1e8).argmax(1).numpy()


def make_loss(network: MLP) -> ClipPPOLoss:
    actor = ProbabilisticActor(
        TensorDictModule(network, in_keys=[OBSERVATION], out_keys=[LOGITS]),
        in_keys={"logits": LOGITS, "mask": MASK},
        out_keys=[ACTION],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=LOGPROB,
    )
    critic = TensorDictModule(MLP(1), in_keys=[OBSERVATION], out_keys=[VALUE])
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.02, normalize_advantage=True)
    loss.set_keys(
        reward=REWARD,
        action=ACTION,
        sample_log_prob=LOGPROB,
        value=VALUE,
        done=("player", "done"),
        terminated=("player", "terminated"),
    )
    loss.make_value_estimator(ValueEstimators.GAE, gamma=1.0, lmbda=0.5)
    return loss


def update(loss: ClipPPOLoss, optimizer: torch.optim.Optimizer, games: TensorDict) -> None:
    """Learns from all decisions of the games (games, turns)."""
    with torch.no_grad():
        loss.value_estimator(games)
    decisions = games.reshape(-1)
    for _ in range(EPOCHS):
        for part in torch.split(torch.randperm(len(decisions)), MINIBATCH):
            losses = loss(decisions[part])
            optimizer.zero_grad()
            (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
            optimizer.step()


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rollouts", type=int, default=20)
    parser.add_argument("--games", type=int, default=32, help="in each rollout")
    given = parser.parse_args(words)
    torch.manual_seed(0)
    table = mindup_v0.parallel_env(num_players=4, reward="margin+win")
    env = PettingZooWrapper(table, seed=0)
    network = MLP(CONFIG.num_cards)
    loss = make_loss(network)
    optimizer = torch.optim.Adam(loss.parameters(), LEARNING_RATE)
    for _ in range(given.rollouts):
        with torch.no_grad():
            games = [env.rollout(CONFIG.num_turns, loss.actor_network) for _ in range(given.games)]
        update(loss, optimizer, torch.stack(games))
    share = win_share_against(network, "random", CONFIG, deals=100)
    print(
        f"win share against three random: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    )


if __name__ == "__main__":
    main()
