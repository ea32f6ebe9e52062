"""MaskablePPO of sb3-contrib as a learner of the training loop."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from mindup_agents.policy import Policy
from mindup_training.learners.sb3.policy import CardPolicy
from mindup_training.learners.sb3.vec_env import MindUpVecEnv
from mindup_training.loggers.csv_files import RETURN, WIN_SHARE
from mindup_training.settings import RunSettings, TrainSettings
from mindup_training.train.checkpoint import load_random_state, random_state
from mindup_training.train.learner import Learner

_NEVER = 2
"""The rollout of a call that SB3 logs its figures at; here, each call has only one."""


class Sb3Learner(Learner):
    settings_class: ClassVar[type[RunSettings]] = TrainSettings

    def __init__(self, settings: TrainSettings) -> None:
        super().__init__(settings)
        self._ppo = ppo = settings.ppo
        self._env = MindUpVecEnv(settings)
        self._learning_rate = ppo.learning_rate
        steps = self._env.games.num_turns * ppo.rollout_games
        self.rollout_size = ppo.num_envs * steps
        self._model = MaskablePPO(
            CardPolicy,
            self._env,
            learning_rate=lambda _: self._learning_rate,
            n_steps=steps,
            batch_size=ppo.batch_size,
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip_range,
            clip_range_vf=ppo.clip_range_vf,
            normalize_advantage=ppo.normalize_advantage,
            ent_coef=ppo.ent_coef,
            vf_coef=ppo.vf_coef,
            max_grad_norm=ppo.max_grad_norm,
            target_kl=ppo.target_kl,
            stats_window_size=ppo.num_envs * ppo.rollout_games,  # the games of one rollout
            policy_kwargs={
                "shape": self._env.games.shape,
                "widths": settings.widths,
                "own_network": settings.network,
            },
            seed=settings.seed,
            device="cpu",
        )
        self._model.set_logger(Logger(None, []))  # the training loop writes the figures
        policy: Any = self._model.policy
        self.network, self.optimizer = policy.network, policy.optimizer

    def learn(self, remaining: float) -> dict[str, float]:
        model = self._model
        self._learning_rate = self._ppo.learning_rate_at(remaining)
        model.learn(self.rollout_size, reset_num_timesteps=False, log_interval=_NEVER)
        self.timesteps = model.num_timesteps
        games: Any = model.ep_info_buffer
        figures = {
            RETURN: float(np.mean([game["r"] for game in games])),
            WIN_SHARE: float(np.mean([game["win_share"] for game in games])),
        }
        logged = model.logger.name_to_value
        figures |= {name: float(logged[name]) for name in sorted(logged)}
        logged.clear()
        return figures

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        self._env.games.set_snapshots(snapshots, share)

    def kept_plain(self) -> dict[str, Any]:
        return {
            "updates": self._model._n_updates,
            "episode": self._env.episode,
            "random": random_state(),
        }

    def restored(self, plain: dict[str, Any]) -> None:
        self._model.num_timesteps = self.timesteps
        self._model._n_updates = plain["updates"]
        # The model resets the environment, which deals the next episode: the first one, number 0,
        # also where none was dealt yet.
        self._env.episode = max(plain["episode"], 0) - 1
        load_random_state(plain["random"])
