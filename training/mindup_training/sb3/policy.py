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
from mindup_training.network import NEVER, Network, NetworkOutput, log_odds

Masks = npt.NDArray[np.bool_] | Tensor | None


class CardPolicy(MaskableActorCriticPolicy):
    """Odds are those of the few cards of a hand, not of all the cards there are."""

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Schedule,
        *,
        shape: FeatureShape,
        widths: Widths,
    ) -> None:
        self._sizes = shape, widths
        super().__init__(observation_space, action_space, lr_schedule)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = Network(*self._sizes)
        rate = lr_schedule(1)
        weights = self.network.parameters()
        self.optimizer = torch.optim.Adam(weights, lr=rate, eps=1e-5, fused=True)

    def forward(
        self,
        obs: PyTorchObs,
        deterministic: bool = False,  # noqa: FBT001, FBT002  # SB3's form
        action_masks: Masks = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        judged, odds = self._judge(obs, action_masks)
        chosen = odds.argmax(1) if deterministic else torch.multinomial(odds.exp(), 1).squeeze(1)
        places = chosen.unsqueeze(1)
        actions = judged.cards.gather(1, places).squeeze(1)
        return actions, judged.values.unsqueeze(1), odds.gather(1, places).squeeze(1)

    def evaluate_actions(
        self, obs: PyTorchObs, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        judged, odds = self._judge(obs, action_masks)
        played = judged.cards == actions.unsqueeze(1)
        entropy = -(odds.exp() * odds).sum(1)
        return judged.values.unsqueeze(1), (odds * played).sum(1), entropy

    def get_distribution(self, obs: PyTorchObs, action_masks: Masks = None) -> MaskableDistribution:
        """The odds as SB3 keeps them, over all the cards there are."""
        judged, odds = self._judge(obs, action_masks)
        num_cards = int(cast("spaces.Discrete", self.action_space).n)
        places = judged.cards.where(judged.cards >= 0, num_cards)  # one more, for empty slots
        spread = torch.full((len(places), num_cards + 1), NEVER, device=odds.device)
        spread = spread.scatter(1, places, odds)
        return self.action_dist.proba_distribution(action_logits=spread[:, :num_cards])

    def predict_values(self, obs: PyTorchObs) -> Tensor:
        return self._judge(obs, None)[0].values.unsqueeze(1)

    def _judge(self, obs: PyTorchObs, action_masks: Masks) -> tuple[NetworkOutput, Tensor]:
        """With the logarithms (B, slots) of the odds of each slot."""
        # The last bits of a product can depend on where in memory its factors begin. NumPy's
        # arrays begin anywhere; copies of PyTorch's own make a seeded training repeat exactly.
        rows = cast("Tensor", obs).clone()
        judged: NetworkOutput = self.network(rows)
        if action_masks is None:
            return judged, log_odds(judged)
        masks = torch.as_tensor(action_masks, dtype=torch.bool, device=rows.device)
        return judged, log_odds(judged, masks)
