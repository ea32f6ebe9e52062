"""Stable-Baselines3: sb3-contrib's MaskablePPO on the Gymnasium environment.

    python sb3_maskable_ppo.py --timesteps 100000

The learner sits at a random seat of each table, with bots in the other seats. ``mindup train`` does
the same many times faster, since it plays all tables in one call; start here to change the wrapper.
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from mindup_arena import win_share_against
from mindup_env import GameConfig, Layout

Array = npt.NDArray[Any]

CONFIG = GameConfig(num_players=4)
SCALES = Layout(CONFIG).scales


class ScaledMindUp(gymnasium.ObservationWrapper[Array, Any, dict[str, Array]]):
    """The observation scaled to -1 to 1; MaskablePPO gets the mask from the environment itself."""

    def __init__(self, opponents: list[str]) -> None:
        super().__init__(
            gymnasium.make("mindup_env:MindUp-v0", opponents=opponents, reward="0.1*margin+win")
        )
        self.observation_space = spaces.Box(-1, 1, (len(SCALES),), np.float32)

    def observation(self, observation: dict[str, Array]) -> Array:
        return observation["observation"] * SCALES


class TrainedBot:
    """The trained model as a bot, for the arena."""

    def __init__(self, model: MaskablePPO) -> None:
        self.model = model

    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        rows = observation * SCALES
        actions, _ = self.model.predict(rows, action_masks=action_mask, deterministic=True)
        return actions


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--timesteps", type=int, default=100_000)
    parser.add_argument("--opponents", nargs="+", default=["random"], metavar="BOT")
    parser.add_argument("--deals", type=int, default=100, help="to evaluate the policy")
    given = parser.parse_args(words)
    env = make_vec_env(lambda: ScaledMindUp(given.opponents), n_envs=8, seed=0)
    # 210 steps are ten whole games in each environment.
    model = MaskablePPO("MlpPolicy", env, n_steps=210, batch_size=420, gamma=1.0, seed=0)
    model.learn(given.timesteps)
    share = win_share_against(TrainedBot(model), given.opponents[0], CONFIG, given.deals)
    print(
        f"win share against three {given.opponents[0]}: {share.value:.2f} "
        f"({share.low:.2f} to {share.high:.2f}); an equal share is 0.25"
    )


if __name__ == "__main__":
    main()
