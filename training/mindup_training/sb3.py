"""MaskablePPO of sb3-contrib as a learner of the training loop, with the network as its policy."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import (
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor

from mindup_agents.policy import Description
from mindup_training.envs import LearnerGames
from mindup_training.network import NetworkOutput, log_probs
from mindup_training.settings import TrainSettings
from mindup_training.targets import Targets, auxiliary_loss, with_loss
from mindup_training.torch_policy import make_network
from mindup_training.trainer.checkpoint import load_random_state, random_state
from mindup_training.trainer.learner import Learner
from mindup_training.trainer.log import RETURN, WIN_SHARE

Floats = npt.NDArray[np.float32]
Masks = npt.NDArray[np.bool_] | Tensor | None
_SAME_NAMES = (
    *("batch_size", "gamma", "gae_lambda", "clip_range", "clip_range_vf", "normalize_advantage"),
    *("ent_coef", "vf_coef", "max_grad_norm", "target_kl"),
)
"""Hyperparameters that have the same names here and in SB3."""
_NEVER = 2
"""The rollout of a call that SB3 logs its figures at; here, each call has only one."""


class MindUpVecEnv(VecEnv):
    """All games end in the same step, and are then dealt anew.

    Between two games, the state is therefore the seed and the number of the ``episode``. The masks
    are one array for all games. Games are never truncated, so there is no final observation, and
    infos are empty.

    Attributes:
        games (LearnerGames): the games.
        episode (int): the number of those that are dealt; -1 before the first.
        results: the returns and the win shares (2, N) of the games that ended last.
    """

    render_mode = None

    def __init__(self, settings: TrainSettings) -> None:
        self.games = LearnerGames(settings, settings.num_envs)
        self.episode = -1
        self._seed = settings.seed
        self._returns = np.zeros(settings.num_envs)
        self.results = np.zeros((2, settings.num_envs))
        self._actions: npt.NDArray[np.integer] = np.zeros(0, np.int64)
        super().__init__(
            settings.num_envs,
            spaces.Box(-np.inf, np.inf, self.games.rows.shape[1:], np.float32),
            spaces.Discrete(settings.game.num_cards),
        )

    def reset(self) -> Floats:
        """Deals the next episode."""
        self.episode += 1
        self.games.deal(self._seed, self.episode)
        self._returns[:] = 0
        return self.games.rows.copy()

    def step_async(self, actions: npt.NDArray[np.integer]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Floats, Floats, npt.NDArray[np.bool_], list[dict[str, Any]]]:
        rewards, shares, over = self.games.step(self._actions)
        self._returns += rewards
        if over:
            self.results[:] = self._returns, shares
            self.episode += 1
            self.games.begin()
            self._returns[:] = 0
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self.games.rows.copy(), rewards, np.full(self.num_envs, over), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The cards (N, num_cards) in the learners' hands."""
        return self.games.masks.astype(np.bool_)

    # The games share one environment, and SB3 asks for all of them alone.

    def env_method(self, method_name: str, *_: Any, **__: Any) -> Any:
        """What a method returns for all games, in one array."""
        return getattr(self, method_name)()

    def get_attr(self, attr_name: str, *_: Any, **__: Any) -> list[Any]:
        """An attribute, once for each game."""
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, *_: Any, **__: Any) -> None:
        raise AttributeError(f"{attr_name} cannot be set: the games share one environment")

    def env_is_wrapped(self, *_: Any, **__: Any) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        pass


class CardPolicy(MaskableActorCriticPolicy):
    """Its distribution is over the few cards of a hand, not over all cards of the deck.

    It has what a training asks for, and no predictions: the policy file plays.
    """

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Schedule,
        *,
        description: Description,
        aux_coef: float = 0.0,
    ) -> None:
        self._description = description
        self.minibatch: Targets = {}
        self._aux_coef = aux_coef
        self.remember: Callable[[Floats], None]
        super().__init__(observation_space, action_space, lr_schedule)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = make_network(self._description)
        weights = self.network.parameters()
        self.optimizer = torch.optim.Adam(weights, lr=lr_schedule(1), eps=1e-5, fused=True)

    def forward(
        self,
        obs: PyTorchObs,
        deterministic: bool = False,  # noqa: ARG002, FBT001, FBT002  # the signature of SB3
        action_masks: Masks = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        output, logprobs = self._evaluate(obs, action_masks)
        if output.remembered is not None:
            self.remember(output.remembered.numpy())
        slots = torch.multinomial(logprobs.exp(), 1)
        actions = output.cards.gather(1, slots).squeeze(1)
        return actions, output.values.unsqueeze(1), logprobs.gather(1, slots).squeeze(1)

    def evaluate_actions(
        self, obs: PyTorchObs, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        output, logprobs = self._evaluate(obs, action_masks)
        is_action = output.cards == actions.unsqueeze(1)
        entropy = -(logprobs.exp() * logprobs).sum(1)
        values = output.values.unsqueeze(1)
        if self.minibatch:  # SB3 adds up its loss itself
            loss = self._aux_coef * auxiliary_loss(self.network, output, self.minibatch)
            values = with_loss(values, loss)
        return values, (logprobs * is_action).sum(1), entropy

    def predict_values(self, obs: PyTorchObs) -> Tensor:
        return self._evaluate(obs, None)[0].values.unsqueeze(1)

    def _evaluate(self, obs: PyTorchObs, action_masks: Masks) -> tuple[NetworkOutput, Tensor]:
        """The output of the network, and the log probabilities (B, slots) of each slot."""
        # The last bits of a product can depend on the memory address of its factors. NumPy's
        # arrays begin anywhere; copies that PyTorch makes let a seeded training repeat exactly.
        rows = cast("Tensor", obs).clone()
        output: NetworkOutput = self.network(rows)
        if action_masks is None:
            return output, log_probs(output)
        masks = torch.as_tensor(action_masks, dtype=torch.bool, device=rows.device)
        return output, log_probs(output, masks)


class TargetRolloutBuffer(MaskableRolloutBuffer):
    """Hands the targets of each minibatch to the policy that learns from it."""

    policy: CardPolicy
    targets: Targets

    def _get_samples(  # type: ignore[override]
        self, batch_inds: npt.NDArray[np.integer], env: Any = None
    ) -> MaskableRolloutBufferSamples:
        steps = torch.from_numpy(batch_inds % self.buffer_size)
        games = torch.from_numpy(batch_inds // self.buffer_size)
        self.policy.minibatch = {name: each[steps, games] for name, each in self.targets.items()}
        return super()._get_samples(batch_inds, env)


class Sb3Learner(Learner):
    settings_class = TrainSettings

    def __init__(self, settings: TrainSettings) -> None:
        super().__init__(settings)
        self._config = settings
        self._env = MindUpVecEnv(settings)
        self._learning_rate = settings.learning_rate
        self.rollout_size = settings.num_envs * settings.game.num_turns
        self._model = MaskablePPO(
            CardPolicy,
            self._env,
            learning_rate=lambda _: self._learning_rate,
            n_steps=settings.game.num_turns,
            n_epochs=settings.epochs,
            **{name: getattr(settings, name) for name in _SAME_NAMES},
            policy_kwargs={
                "description": settings.describe_policy(),
                "aux_coef": settings.aux_coef,
            },
            rollout_buffer_class=TargetRolloutBuffer,
            seed=settings.seed,
            device="cpu",
        )
        self._model.set_logger(Logger(None, []))  # the training loop writes the figures
        policy: Any = self._model.policy
        self.network, self.optimizer = policy.network, policy.optimizer
        policy.remember = self._env.games.remember
        buffer = cast("TargetRolloutBuffer", self._model.rollout_buffer)
        buffer.policy = policy
        buffer.targets = self._env.games.record_targets(self.network)

    def learn(self, remaining: float) -> dict[str, float]:
        model = self._model
        self._learning_rate = self._config.learning_rate_at(remaining)
        model.learn(self.rollout_size, reset_num_timesteps=False, log_interval=_NEVER)
        self.timesteps = model.num_timesteps
        returns, shares = self._env.results
        figures = {RETURN: float(returns.mean()), WIN_SHARE: float(shares.mean())}
        logged = model.logger.name_to_value
        figures |= {name: float(logged[name]) for name in sorted(logged)}
        logged.clear()
        return figures

    def kept_plain(self) -> dict[str, Any]:
        return {"random": random_state()}

    def restored(self, plain: dict[str, Any]) -> None:
        rollouts = self.timesteps // self.rollout_size
        self._model.num_timesteps = self.timesteps
        self._model._n_updates = rollouts * self._config.epochs
        self._env.episode = rollouts - 1  # the model resets the environment, which deals the next
        load_random_state(plain["random"])
