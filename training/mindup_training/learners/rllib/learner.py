"""RLlib's PPO as a learner of the training loop.

RLlib's own checkpoints hold pickles, which run code when they are read. They are not needed:
between two rollouts of whole games, the state is the network, its optimizer, the number of the next
game and the random states, which are tensors and plain data.
"""

import logging
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS, EPISODE_RETURN_MEAN, LEARNER_RESULTS
from torch import Tensor

from mindup_agents.policy import Description, Policy
from mindup_agents.policy.network import Tensors
from mindup_env.runs.processes import connected
from mindup_training.learners.rllib.runner import (
    MEAN_WIN_SHARE,
    SETTINGS,
    SHARED,
    GameRunner,
    Snapshots,
)
from mindup_training.loggers.csv_files import RETURN, WIN_SHARE
from mindup_training.network import NetworkOutput, log_probs, make_network, over_all_cards
from mindup_training.settings import RllibSettings, RunSettings, TrainSettings
from mindup_training.trainer.checkpoint import load_random_state, random_state
from mindup_training.trainer.learner import Learner

_FIGURES = {
    "train/policy_gradient_loss": ("policy_loss", 1),
    "train/value_loss": ("vf_loss", 1),
    "train/entropy_loss": ("entropy", -1),
    "train/explained_variance": ("vf_explained_var", 1),
    "train/loss": ("total_loss", 1),
}
"""By the names of SB3: RLlib's name, and the sign."""
_TIMEOUT = 600
"""Seconds; a machine of a cluster may take minutes to return."""


class CardModule(TorchRLModule, ValueFunctionAPI):
    """Reads rows of features. They say which cards the hand holds, which is the action mask.

    Its distribution is over all cards of the deck.
    """

    def setup(self) -> None:
        self.network = make_network(Description.from_dict(self.model_config["policy"]))

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
            "policy": settings.describe_policy().to_dict(),
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
    config.multi_agent(policies={SHARED}, policy_mapping_fn=lambda *_, **__: SHARED)
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


class RllibLearner(Learner):
    settings_class: ClassVar[type[RunSettings]] = TrainSettings

    @classmethod
    @contextmanager
    def surroundings(cls, settings: RunSettings, address: str) -> Iterator[None]:
        workers = getattr(settings, "rllib", None) or RllibSettings()
        with connected(address, workers.env_runners):
            yield

    def __init__(self, settings: TrainSettings) -> None:
        super().__init__(settings)
        ppo, rllib = settings.ppo, settings.rllib or RllibSettings()
        logging.getLogger("ray.rllib").setLevel(logging.ERROR)  # it warns about its own defaults
        self._games = ppo.rollout_games
        turns = ppo.num_envs * self._games * settings.configs[0].num_turns
        self.rollout_size = turns * rllib.learning_seats
        self._episode = 0
        self._snapshots: ray.ObjectRef[Snapshots] | None = None
        self._snapshots_version = 0
        self._ppo = ppo
        self._algorithm = ppo_config(settings).build_algo()
        self._workers: Any = self._algorithm.env_runner_group
        # It is in this process, so this is the learner itself, not a copy.
        group: Any = self._algorithm.learner_group
        (found,) = group.foreach_learner(lambda learner: learner).ignore_errors()
        self._learner: CardLearner = found.get()
        self.network = self._learner.module[SHARED].network
        self.optimizer = self._learner.get_optimizer(SHARED)
        torch.manual_seed(settings.seed)
        np.random.seed(settings.seed)  # noqa: NPY002  # RLlib shuffles with it
        initial = make_network(settings.describe_policy())
        self.network.load_state_dict(initial.state_dict())
        self._share_weights()

    def learn(self, remaining: float) -> dict[str, float]:
        rate = self._ppo.learning_rate_at(remaining)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        results = self._train()
        self._episode += self._games
        self.timesteps += self.rollout_size
        games, losses = results[ENV_RUNNER_RESULTS], results[LEARNER_RESULTS][SHARED]
        figures = {
            RETURN: float(games[EPISODE_RETURN_MEAN]),
            WIN_SHARE: float(games[MEAN_WIN_SHARE]),
            "train/learning_rate": rate,
        }
        return figures | {
            name: sign * float(losses[theirs]) for name, (theirs, sign) in _FIGURES.items()
        }

    def _train(self) -> dict[str, Any]:
        """One rollout; it is repeated as long as no worker is alive."""
        task = self._episode, self._snapshots, self._snapshots_version
        before, start = self._learner.rollouts, time.monotonic()
        while time.monotonic() < start + _TIMEOUT:
            # Workers that were restarted are prepared, too.
            self._algorithm.restore_env_runners(self._workers)
            self._workers.foreach_env_runner(lambda worker: worker.prepare(*task))
            results: dict[str, Any] = self._algorithm.train()
            errors = self._workers.foreach_env_runner(lambda each: each.error, healthy_only=False)
            for error in filter(None, errors):
                raise RuntimeError(f"a worker of RLlib failed:\n{error}")
            if self._learner.rollouts > before:
                return results
        raise RuntimeError(f"no worker of RLlib has been alive for {_TIMEOUT} s")

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        self._snapshots = ray.put((snapshots, share))
        self._snapshots_version += 1

    def set_policy_tensors(self, tensors: Tensors) -> None:
        super().set_policy_tensors(tensors)
        self._share_weights()

    def kept_plain(self) -> dict[str, Any]:
        return {"episode": self._episode, "random": random_state()}

    def restored(self, plain: dict[str, Any]) -> None:
        self._share_weights()
        self._episode = plain["episode"]
        load_random_state(plain["random"])

    def stop(self) -> None:
        self._algorithm.stop()

    def _share_weights(self) -> None:
        """Waits until the workers have them; RLlib's own method skips busy workers."""
        weights = ray.put({COMPONENT_RL_MODULE: self._learner.module.get_state()})
        self._workers.foreach_env_runner(lambda worker: worker.set_state(ray.get(weights)))
