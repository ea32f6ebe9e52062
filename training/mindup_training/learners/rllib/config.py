"""The configuration of RLlib's PPO from the settings of a run, with the network as its module."""

import math
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from mindup_agents.features.base import FeatureShape
from mindup_agents.policy import Widths
from mindup_training.learners.rllib.runner import SETTINGS, SHARED, GameRunner
from mindup_training.network import NetworkOutput, log_probs, make_network, over_all_cards
from mindup_training.settings import RllibSettings, TrainSettings


class CardModule(TorchRLModule, ValueFunctionAPI):
    """Reads rows of features. They say which cards the hand holds, which is the action mask.

    Its distribution is over all cards of the deck.
    """

    def setup(self) -> None:
        model = self.model_config
        shape, widths = FeatureShape(*model["shape"]), Widths(*model["widths"])
        self.network = make_network(shape, widths, model["own_network"])

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        output = self._evaluate(batch)
        num_cards = int(self.action_space.n)
        return {
            Columns.ACTION_DIST_INPUTS: over_all_cards(log_probs(output), output.cards, num_cards),
            Columns.EMBEDDINGS: output.values,  # the loss asks for them next
        }

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        return self._evaluate(batch).values if embeddings is None else embeddings

    def _evaluate(self, batch: dict[str, Any]) -> NetworkOutput:
        # The last bits of a product can depend on the memory address of its factors; copies that
        # PyTorch makes let a seeded training repeat exactly.
        output: NetworkOutput = self.network(batch[Columns.OBS].clone())
        return output


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
    shape = settings.describe_policy().feature_shape()
    rows = spaces.Box(-np.inf, np.inf, (shape.size,), np.float32)
    cards = spaces.Discrete(game.num_cards)
    agents = [f"player_{seat}" for seat in range(game.num_players)]
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
    config.multi_agent(policies={SHARED}, policy_mapping_fn=_shared_policy)
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


def _shared_policy(*_: Any, **__: Any) -> str:
    return SHARED
