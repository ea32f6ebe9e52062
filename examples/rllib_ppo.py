"""RLlib: PPO by self-play with two workers on a Ray cluster, and its policy as a bot.

    pip install 'ray[rllib]' torch
    python rllib_ppo.py --iterations 30 --out runs/rllib
    mindup arena rllib_ppo:Bot:path=runs/rllib random greedy

Ray starts a cluster on this machine; ``--address`` joins one that runs already, such as ``auto``.
"""

import argparse
import math
from pathlib import Path
from typing import Any

import numpy.typing as npt
import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModule, RLModuleSpec
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.tune import register_env
from torch import Tensor, nn

from mindup_arena import win_share_against
from mindup_env import GameConfig, Layout, mindup_v0

Array = npt.NDArray[Any]

CONFIG = GameConfig(num_players=4)
WIDTH = 128


class CardModule(TorchRLModule, ValueFunctionAPI):
    """Scores the cards from the observation, each entry scaled to at most 1, and masks them."""

    def setup(self) -> None:
        layout = Layout(CONFIG)
        self.scale = nn.Buffer(torch.tensor(layout.scales))
        self.body = nn.Sequential(nn.Linear(layout.size, WIDTH), nn.ReLU())
        self.score = nn.Linear(WIDTH, CONFIG.num_cards)
        self.value = nn.Linear(WIDTH, 1)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        hidden = self.body(batch[Columns.OBS]["observation"] * self.scale)
        logits = self.score(hidden).masked_fill(batch[Columns.OBS]["action_mask"] == 0, -1e8)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: hidden}

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        if embeddings is None:
            embeddings = self.body(batch[Columns.OBS]["observation"] * self.scale)
        return self.value(embeddings).squeeze(-1)


class Bot:
    """Plays the best card of a policy that was saved in a folder."""

    def __init__(self, config: GameConfig, path: str) -> None:
        self.module = RLModule.from_checkpoint(Path(path).absolute())

    @torch.no_grad()
    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        seen = {"observation": observation, "action_mask": action_mask}
        batch = {Columns.OBS: {name: torch.from_numpy(each) for name, each in seen.items()}}
        logits = self.module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
        return logits.argmax(dim=1).numpy()


def make_env(_: object) -> ParallelPettingZooEnv:
    return ParallelPettingZooEnv(mindup_v0.parallel_env(num_players=4, reward="0.1*margin+win"))


def make_config() -> PPOConfig:
    module = RLModuleSpec(module_class=CardModule)
    return (
        PPOConfig()
        .environment("mindup", disable_env_checking=True)  # the check plays illegal cards
        .env_runners(num_env_runners=2, batch_mode="complete_episodes")
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": module}))
        .training(
            train_batch_size_per_learner=1024,  # turns, each of four decisions
            minibatch_size=256,
            num_epochs=2,
            lr=2e-3,
            gamma=1.0,
            lambda_=0.5,
            entropy_coeff=0.02,
            vf_clip_param=math.inf,
            use_kl_loss=False,
        )
    )


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--address", default="local", help="of a Ray cluster")
    parser.add_argument("--out", type=Path, default=Path("runs/rllib"), help="folder of the policy")
    parser.add_argument("--deals", type=int, default=100, help="to evaluate the policy")
    given = parser.parse_args(words)
    ray.init(given.address, num_cpus=3 if given.address == "local" else None)
    register_env("mindup", make_env)
    algorithm = make_config().build_algo()
    for number in range(given.iterations):
        learned = algorithm.train()["learners"]["shared"]
        print(f"iteration {number + 1}: entropy {learned['entropy']:.2f}")
    algorithm.get_module("shared").save_to_path(given.out.absolute())
    algorithm.stop()
    share = win_share_against(Bot(CONFIG, given.out), "random", CONFIG, given.deals)
    print(
        f"win share against three random: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    )


if __name__ == "__main__":
    main()
