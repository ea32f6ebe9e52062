"""MaskablePPO of sb3-contrib for networks that keep a state and predict the opponents' cards.

SB3's policies have no state, and its PPO has no further loss. Here both go through the
observation, which SB3 keeps for each decision: the games show the state that the policy
handed to them, and fill in the cards that the opponents played. ``train`` is that of
MaskablePPO with the network's ``auxiliary_loss``, by which it predicts these cards.
"""

import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.common.utils import LinearSchedule, explained_variance
from torch import Tensor, nn
from torch.nn.functional import mse_loss

from mindup_training.any_network import auxiliary_loss, check_finite
from mindup_training.games import TrainingGames
from mindup_training.settings import TrainSettings

Observations = dict[str, Tensor]
_OPTIONS = (
    *("batch_size", "gamma", "gae_lambda", "clip_range"),
    *("ent_coef", "vf_coef", "max_grad_norm", "seed"),
)
"""The settings that MaskablePPO calls the same."""
_METRICS = "policy_loss", "value_loss", "entropy", "auxiliary_loss", "clip_fraction"


class NetworkPolicy(MaskableActorCriticPolicy):
    """A network as a policy of SB3 that learns; to play, there is its policy file."""

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Schedule,
        *,
        network: nn.Module,
        games: TrainingGames,
    ) -> None:
        # The class above would make layers of its own.
        super(MaskableActorCriticPolicy, self).__init__(observation_space, action_space)
        self.network = network
        self.games = games
        self.optimizer = torch.optim.Adam(
            network.parameters(), lr=lr_schedule(1), eps=1e-5, fused=True
        )

    def forward(  # type: ignore[override]
        self,
        obs: Observations,
        deterministic: bool = False,  # noqa: ARG002, FBT001, FBT002  # the signature of SB3
        action_masks: npt.NDArray[np.bool_] | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Samples actions (N,), and hands the next state to the games."""
        logits, values, *state = self.answers(obs, torch.from_numpy(action_masks))
        for kept, each in zip(self.games.state, state, strict=True):
            kept[...] = each.numpy()
        check_finite(logits, self.games.episode * len(logits) * self.games.config.num_turns)
        logprobs = logits.log_softmax(1)
        actions = torch.multinomial(logprobs.exp(), 1)
        return actions.squeeze(1), values.unsqueeze(1), logprobs.gather(1, actions).squeeze(1)

    def predict_values(self, obs: Observations) -> Tensor:  # type: ignore[override]
        """Zeros: a rollout is whole games, and SB3 uses no value after the end of a game."""
        return torch.zeros(len(obs["observation"]), 1)

    def answers(self, obs: Observations, action_masks: Tensor) -> tuple[Tensor, ...]:
        """Logits (N, C), values (N,) and the next state."""
        states = (obs[f"state_{index}"] for index in range(len(self.games.state)))
        # The last bits of a product can depend on the memory address of its factors. NumPy's
        # arrays begin anywhere; with PyTorch's copies, a seeded training repeats exactly.
        given = obs["observation"], action_masks.to(torch.int8), *states
        answers: tuple[Tensor, ...] = self.network(*(each.clone() for each in given))
        return answers


class NetworkPPO(MaskablePPO):
    """MaskablePPO by rollouts of one whole game in each environment.

    Args:
        games: the games.
        network: what learns, see ``mindup_training.network``.
        settings: those of the training.
    """

    policy: NetworkPolicy
    rollout_buffer: Any
    clip_range: Any
    seed: int

    def __init__(self, games: TrainingGames, network: nn.Module, settings: TrainSettings) -> None:
        self.games = games
        self.network: Any = network
        self.settings = settings
        self._began = time.monotonic()
        super().__init__(
            NetworkPolicy,
            games,
            n_steps=games.config.num_turns,
            policy_kwargs={"games": games, "network": network},
            device="cpu",
            learning_rate=LinearSchedule(settings.learning_rate, 0.0, 1.0),
            n_epochs=settings.epochs,
            **{name: getattr(settings, name) for name in _OPTIONS},
        )

    @property
    def remaining(self) -> float:
        """How much of the training is left, from 1 to 0."""
        return self._current_progress_remaining

    @property
    def seconds(self) -> float:
        """How long the training has taken so far."""
        return time.monotonic() - self._began

    def restart(self, remaining: float = 1.0, seconds: float = 0.0) -> None:
        """Counts from now on, where so much is left after so many seconds."""
        self._began = time.monotonic() - seconds
        self.start_time = time.time_ns()
        self._current_progress_remaining = remaining

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:  # noqa: ARG002
        self._current_progress_remaining = 1 - self.settings.done(num_timesteps, self.seconds)

    def collect_rollouts(self, *arguments: Any, **named: Any) -> bool:
        """Plays a rollout, unless the training is over."""
        return self.remaining > 0 and super().collect_rollouts(*arguments, **named)

    def train(self) -> None:
        """Updates the network by the rollout in the buffer."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        clip_range = self.clip_range(self.remaining)
        metrics = []
        for _ in range(self.n_epochs):
            for data in self.rollout_buffer.get(self.batch_size):
                logits, values, *state = self.policy.answers(data.observations, data.action_masks)
                logprobs = logits.log_softmax(1)
                chosen = logprobs.gather(1, data.actions.long()).squeeze(1)
                ratio = (chosen - data.old_log_prob).exp()
                advantages = data.advantages - data.advantages.mean()
                advantages = advantages / (advantages.std() + 1e-8)
                clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
                policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
                value_loss = mse_loss(data.returns, values)
                entropy = -(logprobs.exp() * logprobs).sum(1).mean()
                aux_loss = auxiliary_loss(self.network, state, data.observations["played"])
                loss = policy_loss + self.vf_coef * value_loss - self.ent_coef * entropy
                loss = loss + self.settings.aux_coef * aux_loss
                check_finite(loss, self.num_timesteps)
                self.policy.optimizer.zero_grad()
                torch.autograd.backward(loss)
                nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
                clip_fraction = (ratio != clipped).float().mean()
                parts = policy_loss, value_loss, entropy, aux_loss, clip_fraction
                metrics.append(torch.stack(parts).detach())
        means = torch.stack(metrics).mean(0).tolist()
        for name, mean in zip(_METRICS, means, strict=True):
            self.logger.record(f"train/{name}", mean)
        kept = self.rollout_buffer
        explained = explained_variance(kept.values.flatten(), kept.returns.flatten())
        self.logger.record("train/explained_variance", float(explained))
