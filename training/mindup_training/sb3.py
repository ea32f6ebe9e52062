"""MaskablePPO of sb3-contrib for networks that keep a state and predict the opponents' cards.

SB3's policies have no state, and its PPO has no further loss. Here both go through the observation,
which SB3 keeps for each decision. The policy hands the state for the next turn to the games, which
show it in the next observation. The games fill in what the opponents played, and ``train``, which
is that of MaskablePPO with one more line, adds ``auxiliary_loss`` of the network to the loss: by
it, the network learns to predict these cards.
"""

import time
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from stable_baselines3.common.utils import explained_variance
from torch import Tensor, nn
from torch.nn.functional import mse_loss

from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_training.games import TrainingGames

Observations = dict[str, Tensor]
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
        self.network, self.games = network, games
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
        # arrays begin anywhere; copies that PyTorch makes let a seeded training repeat exactly.
        given = obs["observation"], action_masks.to(torch.int8), *states
        answers: tuple[Tensor, ...] = self.network(*(each.clone() for each in given))
        return answers


class NetworkPPO(MaskablePPO):
    """MaskablePPO by rollouts of one whole game in each environment.

    Args:
        games: the games.
        network: what learns, see ``mindup_training.network``.
        aux_coef: the weight of the network's auxiliary loss, if it has one.
        minutes: how long it learns, instead of a number of decisions; 0 for no limit.
        arguments: those of MaskablePPO.
    """

    def __init__(
        self,
        games: TrainingGames,
        network: nn.Module,
        *,
        aux_coef: float = 0.0,
        minutes: float = 0.0,
        **arguments: Any,
    ) -> None:
        self.games, self.aux_coef, self.minutes = games, aux_coef, minutes
        self._began = time.monotonic()
        parts = {"games": games, "network": network}
        turns = games.config.num_turns
        super().__init__(
            NetworkPolicy, games, n_steps=turns, policy_kwargs=parts, device="cpu", **arguments
        )

    @property
    def network(self) -> nn.Module:
        return cast("NetworkPolicy", self.policy).network

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
        self._began, self.start_time = time.monotonic() - seconds, time.time_ns()
        self._current_progress_remaining = remaining

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        done = num_timesteps / total_timesteps
        if self.minutes:
            done = self.seconds / (60 * self.minutes)
        self._current_progress_remaining = max(0.0, 1 - done)

    def collect_rollouts(self, *arguments: Any, **named: Any) -> bool:
        """Plays a rollout, unless the minutes are over."""
        if self.minutes and self.remaining == 0:
            return False
        return super().collect_rollouts(*arguments, **named)

    def train(self) -> None:
        """Updates the network by the rollout in the buffer."""
        policy, buffer = cast("NetworkPolicy", self.policy), cast("Any", self.rollout_buffer)
        network: Any = policy.network
        policy.set_training_mode(True)
        self._update_learning_rate(policy.optimizer)
        clip_range = cast("Any", self.clip_range)(self._current_progress_remaining)
        metrics = []
        for _ in range(self.n_epochs):
            for data in buffer.get(self.batch_size):
                logits, values, *state = policy.answers(data.observations, data.action_masks)
                logprobs, actions = logits.log_softmax(1), data.actions.long()
                ratio = (logprobs.gather(1, actions).squeeze(1) - data.old_log_prob).exp()
                advantages = data.advantages - data.advantages.mean()
                advantages = advantages / (advantages.std() + 1e-8)
                clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
                policy_loss = -torch.min(advantages * ratio, advantages * clipped).mean()
                value_loss = mse_loss(data.returns, values)
                entropy = -(logprobs.exp() * logprobs).sum(1).mean()
                aux_loss = torch.zeros(())
                if self.aux_coef and hasattr(network, "auxiliary_loss"):
                    aux_loss = network.auxiliary_loss(*state, data.observations["played"])
                loss = policy_loss + self.vf_coef * value_loss - self.ent_coef * entropy
                loss = loss + self.aux_coef * aux_loss
                if not torch.isfinite(loss):
                    raise ValueError(
                        f"the training diverged: the loss is {loss.item()} after "
                        f"{self.num_timesteps:,} decisions; use a lower learning rate, and check "
                        "a reward or network of your own"
                    )
                policy.optimizer.zero_grad()
                torch.autograd.backward(loss)
                nn.utils.clip_grad_norm_(policy.parameters(), self.max_grad_norm)
                policy.optimizer.step()
                clip_fraction = (ratio != clipped).float().mean()
                parts = policy_loss, value_loss, entropy, aux_loss, clip_fraction
                metrics.append(torch.stack(parts).detach())
        for name, mean in zip(_METRICS, torch.stack(metrics).mean(0).tolist(), strict=True):
            self.logger.record(f"train/{name}", mean)
        explained = explained_variance(buffer.values.flatten(), buffer.returns.flatten())
        self.logger.record("train/explained_variance", float(explained))


def check_network(network: Any, config: GameConfig) -> None:
    """Refuses a network whose answers have other shapes than a training needs."""
    if not hasattr(network, "state_shapes"):
        raise ValueError(
            "a network needs state_shapes, the shape of each tensor of its state for one row; "
            "without a state ()"
        )
    rows, shapes = 2, list(network.state_shapes)
    sizes = layout_of(config).size, config.num_cards
    given = [torch.zeros(rows, size, dtype=torch.int8) for size in sizes]
    given += [torch.zeros(rows, *shape) for shape in shapes]
    with torch.no_grad():
        answers = network(*given)
    needed = [(rows, config.num_cards), (rows,), *((rows, *shape) for shape in shapes)]
    found = (
        [tuple(each.shape) for each in answers] if isinstance(answers, Sequence) else type(answers)
    )
    if found != needed:
        raise ValueError(
            f"a network must return logits (B, {config.num_cards}), values (B,) and its "
            f"{len(shapes)} next states: for {rows} rows the shapes {needed}, not {found}"
        )
