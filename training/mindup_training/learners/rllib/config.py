"""The configuration of RLlib's PPO from the settings of a run."""

import math
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec

from mindup_training.learners.rllib.episodes import SHARED, agent_ids
from mindup_training.learners.rllib.module import CardModule
from mindup_training.learners.rllib.runner import SETTINGS, GameRunner
from mindup_training.settings import RllibSettings, TrainSettings


class CardLearner(PPOTorchLearner):
    rollouts = 0
    """Number of rollouts learned from."""

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        super().after_gradient_based_update(timesteps=timesteps)
        self.rollouts += 1

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        parameters = self.get_parameters(self.module[module_id])
        self.register_optimizer(
            module_id=module_id,
            optimizer=torch.optim.Adam(parameters, eps=1e-5),
            params=parameters,
            lr_or_lr_schedule=config.lr,
        )


def ppo_config(settings: TrainSettings) -> PPOConfig:
    ppo, rllib = settings.ppo, settings.rllib or RllibSettings()
    game = settings.configs[0]
    shape = settings.env_config.feature_shape()
    rows = spaces.Box(-np.inf, np.inf, (shape.size,), np.float32)
    cards = spaces.Discrete(game.num_cards)
    agents = agent_ids(game.num_players)
    module = RLModuleSpec(
        module_class=CardModule,
        observation_space=rows,
        action_space=cards,
        model_config={
            "shape": tuple(shape),
            "widths": tuple(settings.widths),
            "own_network": settings.network,
        },
    )
    config = PPOConfig()
    config.environment(
        observation_space=spaces.Dict(dict.fromkeys(agents, rows)),
        action_space=spaces.Dict(dict.fromkeys(agents, cards)),
        env_config={SETTINGS: settings.to_dict()},
    )
    config.env_runners(
        env_runner_cls=GameRunner,
        num_env_runners=rllib.env_runners,
        create_local_env_runner=False,
        batch_mode="complete_episodes",
        sample_timeout_s=None,
    )
    config.multi_agent(policies={SHARED}, policy_mapping_fn=shared_policy)
    config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: module}))
    config.learners(learner_class=CardLearner, num_learners=0)
    config.training(
        train_batch_size_per_learner=ppo.num_envs * ppo.rollout_games * game.num_turns,
        minibatch_size=ppo.batch_size,
        num_epochs=ppo.epochs,
        shuffle_batch_per_epoch=True,
        lr=ppo.learning_rate,
        gamma=ppo.gamma,
        lambda_=ppo.gae_lambda,
        clip_param=ppo.clip_range,
        entropy_coeff=ppo.ent_coef,
        vf_loss_coeff=ppo.vf_coef,
        vf_clip_param=math.inf,
        use_kl_loss=False,
        grad_clip=ppo.max_grad_norm,
        grad_clip_by="global_norm",
    )
    config.fault_tolerance(restart_failed_env_runners=True)
    return config


def shared_policy(*_: Any, **__: Any) -> str:
    return SHARED
