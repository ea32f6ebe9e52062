"""The network as RLlib's module: odds over all the cards there are, those of the hand above 0."""

from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from mindup_agents.features.base import FeatureShape
from mindup_agents.policy import Widths
from mindup_training.network import NEVER, Network, NetworkOutput, log_odds


class CardModule(TorchRLModule, ValueFunctionAPI):
    """Reads rows of inputs. A row says which cards the hand holds: that is the action mask."""

    def setup(self) -> None:
        sizes = self.model_config
        self.network = Network(FeatureShape(*sizes["shape"]), Widths(*sizes["widths"]))

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        judged = self._judge(batch)
        num_cards = int(self.action_space.n)
        places = judged.cards.where(judged.cards >= 0, num_cards)  # one more, for empty slots
        spread = torch.full((len(places), num_cards + 1), NEVER, device=places.device)
        spread = spread.scatter(1, places, log_odds(judged))
        return {
            Columns.ACTION_DIST_INPUTS: spread[:, :num_cards],
            Columns.EMBEDDINGS: judged.values,  # found on the way: the loss asks for them next
        }

    def compute_values(self, batch: dict[str, Any], embeddings: Tensor | None = None) -> Tensor:
        return self._judge(batch).values if embeddings is None else embeddings

    def _judge(self, batch: dict[str, Any]) -> NetworkOutput:
        # The last bits of a product can depend on where in memory its factors begin; copies of
        # PyTorch's own make a seeded training repeat exactly.
        judged: NetworkOutput = self.network(batch[Columns.OBS].clone())
        return judged
