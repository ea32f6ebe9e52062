"""sb3-contrib's MaskablePPO as a learner of the training loop."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from mindup_agents.policy import Policy
from mindup_agents.policy.network import Tensors
from mindup_training.learner import State
from mindup_training.network_state import get_state, set_state
from mindup_training.random_state import get_random_state, set_random_state
from mindup_training.sb3.policy import CardPolicy
from mindup_training.sb3.vec_env import MindUpVecEnv
from mindup_training.settings import TrainSettings
from mindup_training.threads import limit_threads

_NEVER = 2
"""Rollouts until figures are logged; here each is the first of its call."""


class Sb3Learner:
    def __init__(self, settings: TrainSettings) -> None:
        ppo = settings.ppo
        limit_threads(settings.threads)
        self._env = MindUpVecEnv(settings.tables, settings.seed)
        self._learning_rate = ppo.learning_rate
        steps = self._env.num_turns * ppo.rollout_games
        self.rollout_size = ppo.num_envs * steps
        self._model = MaskablePPO(
            CardPolicy,
            self._env,
            learning_rate=lambda _: self._learning_rate,
            n_steps=steps,
            batch_size=ppo.batch_size,
            n_epochs=ppo.epochs,
            gamma=1.0,  # a game has an end, and a point counts the same whenever it is made
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            ent_coef=ppo.entropy_weight,
            vf_coef=ppo.value_weight,
            stats_window_size=ppo.num_envs * ppo.rollout_games,  # the games of one rollout
            policy_kwargs={"shape": self._env.shape, "widths": settings.widths},
            seed=settings.seed,
            device="cpu",
        )
        self._first_learning_rate = ppo.learning_rate
        self._model.set_logger(Logger(None, []))  # the figures are taken from it, and written by us

    @property
    def timesteps(self) -> int:
        return self._model.num_timesteps

    def learn(self, remaining: float) -> dict[str, float]:
        model = self._model
        self._learning_rate = self._first_learning_rate * remaining
        model.learn(self.rollout_size, reset_num_timesteps=False, log_interval=_NEVER)
        games: Any = model.ep_info_buffer
        figures = {
            "games/return": float(np.mean([game["r"] for game in games])),
            "games/win_share": float(np.mean([game["win_share"] for game in games])),
        }
        logged = model.logger.name_to_value
        figures |= {name: float(logged[name]) for name in sorted(logged)}
        logged.clear()
        return figures

    def invite(self, snapshots: Sequence[Policy], share: float) -> None:
        self._env.invite(snapshots, share)

    def policy_tensors(self) -> Tensors:
        return {name: value.numpy() for name, value in self._network.state_dict().items()}

    def state(self) -> State:
        return State(
            get_state(self._network, self._model.policy.optimizer),
            {
                "timesteps": self._model.num_timesteps,
                "updates": self._model._n_updates,
                "episode": self._env.episode,
                "random": get_random_state(),
            },
        )

    def restore(self, state: State) -> None:
        tensors, plain = state
        set_state(self._network, self._model.policy.optimizer, tensors)
        self._model.num_timesteps = plain["timesteps"]
        self._model._n_updates = plain["updates"]
        self._env.episode = plain["episode"] - 1  # the model resets, and that deals the next one
        set_random_state(plain["random"])

    @property
    def _network(self) -> torch.nn.Module:
        policy: Any = self._model.policy
        network: torch.nn.Module = policy.network
        return network
