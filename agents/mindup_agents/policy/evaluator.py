"""The features, card probabilities and values of a policy, in NumPy arrays for batches of rows."""

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import Float32Array
from mindup_agents.policy.description import Description
from mindup_agents.policy.network import Tensors
from mindup_agents.policy.own_code import (
    NO_OWN_CODE,
    OwnCode,
    make_policy_encoder,
    make_row_evaluator,
)
from mindup_env.agent import check_act_arguments
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_env.settings.checks import describe_array
from mindup_env.threads.pool import NumThreads

Float64Array = npt.NDArray[np.float64]


class PolicyEvaluator:
    """What a policy makes of the seats that ``read`` gets, turn by turn.

    The features forecast-1 and playout-1 remember what the opponents played, by row, as bots do.

    Args:
        description: the description of the policy.
        tensors: its parameters.
        config: the game, one of those in the description.
        own_code: the code that the user names, for a policy with features or a network of a user.
        num_threads: how many threads compute features and network; ``"all"`` is one per core. The
            results are the same for every number.

    Attributes:
        rows (ndarray): the features (B, size) of the seats that were read last.
        logits (ndarray): the logit of each card of their hands (B, slots); -inf in empty slots.
        encoder (FeatureEncoder): the encoder that computes the rows.
        row_evaluator (RowEvaluator): the network, which evaluates any rows of features.
    """

    def __init__(
        self,
        description: Description,
        tensors: Tensors,
        config: GameConfig,
        own_code: OwnCode = NO_OWN_CODE,
        *,
        num_threads: NumThreads = 1,
    ) -> None:
        description.check_plays(config)
        self._config = config
        self.encoder = make_policy_encoder(description, config, own_code, num_threads)
        self.row_evaluator = make_row_evaluator(
            description, tensors, self.encoder.shape, own_code, num_threads
        )
        self.rows = np.zeros((0, self.encoder.shape.size), np.float32)
        self.logits = np.zeros((0, self.encoder.shape.slots), np.float32)

    def read(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> None:
        """Computes the features of seats; the arguments are those of ``Agent.act``."""
        check_act_arguments(self._config, observation, action_mask, episode_start, random_bits)
        if len(self.rows) != len(observation):
            self.rows = np.zeros((len(observation), self.encoder.shape.size), np.float32)
        self.encoder.fill(observation, action_mask, episode_start, random_bits, self.rows)
        self.logits = self.row_evaluator.logits(self.rows)

    @property
    def cards(self) -> npt.NDArray[np.int64]:
        """The index of the card in each slot of the hand (B, slots); -1 in empty slots."""
        return self.rows[:, self.encoder.shape.hand_begins :].astype(np.int64)

    def probabilities(self) -> Float64Array:
        """The probability of each card of the deck (B, num_cards); all 0 for an empty hand."""
        cards, of_slots = self.cards, softmax(self.logits)
        rows, slots = (cards >= 0).nonzero()
        probabilities = np.zeros((len(cards), self._config.num_cards))
        probabilities[rows, cards[rows, slots]] = of_slots[rows, slots]
        return probabilities

    def values(self) -> Float32Array:
        """The output of the critic (B,): the return that the policy expects."""
        return self.row_evaluator.values(self.rows)


def softmax(logits: Float32Array) -> Float64Array:
    """The probability of each slot (B, slots); all 0 where all logits are -inf."""
    highest = logits.max(axis=1, keepdims=True, initial=np.finfo(np.float32).min)
    exponentials = np.exp((logits - highest).astype(np.float64))
    return exponentials / np.maximum(exponentials.sum(axis=1, keepdims=True), 1)


def config_of(description: Description, observation: npt.NDArray[np.int8]) -> GameConfig:
    """The game of the description whose observations these are.

    It has the size of an observation, and shows as many objectives as the first row.
    """
    sizes = {config: layout_of(config).size for config in description.configs}
    if not isinstance(observation, np.ndarray) or observation.ndim != 2 or len(observation) == 0:
        raise ValueError(
            "observation must be int8 of shape (B, size) with at least one row, not "
            f"{describe_array(observation)}"
        )
    fitting = [config for config in sizes if sizes[config] == observation.shape[1]]
    if not fitting:
        expected = " or ".join(map(str, sorted(set(sizes.values()))))
        raise ValueError(
            f"the policy reads observations of the size {expected}, not {observation.shape[1]}"
        )
    shown = int(layout_of(fitting[0]).views(observation[0])["objectives"].sum())
    for config in fitting:
        if config.num_objectives == shown:
            return config
    numbers = " or ".join(str(config.num_objectives) for config in fitting)
    raise ValueError(f"the policy plays games with {numbers} objectives shown, not {shown}")
