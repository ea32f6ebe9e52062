"""The network as a policy of sb3-contrib."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from torch import Tensor

from mindup_agents.features.base import FeatureShape
from mindup_agents.policy import Widths
from mindup_training.network import NetworkOutput, log_probs, make_network, over_all_cards

Masks = npt.NDArray[np.bool_] | Tensor | None


class CardPolicy(MaskableActorCriticPolicy):
    """Its distribution is over the few cards of a hand, not over all cards of the deck."""

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Schedule,
        *,
        shape: FeatureShape,
        widths: Widths,
        own_network: str | None = None,
    ) -> None:
        self._architecture = shape, widths, own_network
        super().__init__(observation_space, action_space, lr_schedule)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = make_network(*self._architecture)
        weights = self.network.parameters()
        self.optimizer = torch.optim.Adam(weights, lr=lr_schedule(1), eps=1e-5, fused=True)

    def forward(
        self,
        obs: PyTorchObs,
        deterministic: bool = False,  # noqa: FBT001, FBT002  # the signature of SB3
        action_masks: Masks = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        output, logprobs = self._evaluate(obs, action_masks)
        if deterministic:
            slots = logprobs.argmax(1, keepdim=True)
        else:
            slots = torch.multinomial(logprobs.exp(), 1)
        actions = output.cards.gather(1, slots).squeeze(1)
        return actions, output.values.unsqueeze(1), logprobs.gather(1, slots).squeeze(1)

    def evaluate_actions(
        self, obs: PyTorchObs, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        output, logprobs = self._evaluate(obs, action_masks)
        is_action = output.cards == actions.unsqueeze(1)
        entropy = -(logprobs.exp() * logprobs).sum(1)
        return output.values.unsqueeze(1), (logprobs * is_action).sum(1), entropy

    def get_distribution(self, obs: PyTorchObs, action_masks: Masks = None) -> MaskableDistribution:
        """The distribution over all cards of the deck, as SB3 has it."""
        output, logprobs = self._evaluate(obs, action_masks)
        num_cards = int(cast("spaces.Discrete", self.action_space).n)
        logits = over_all_cards(logprobs, output.cards, num_cards)
        return self.action_dist.proba_distribution(action_logits=logits)

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
