"""The network as a module of RLlib, with a distribution over all cards of the deck."""

from typing import Any

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from mindup_agents.features.base import FeatureShape
from mindup_agents.policy import Widths
from mindup_training.network import NetworkOutput, log_probs, make_network, over_all_cards


class CardModule(TorchRLModule, ValueFunctionAPI):
    """Reads rows of features. They say which cards the hand holds, which is the action mask."""

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
