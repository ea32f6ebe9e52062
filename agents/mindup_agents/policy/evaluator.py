"""The features, card probabilities and values of a policy, in NumPy arrays for batches of rows."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.features import FeatureShape, import_encoder, remember_plays
from mindup_agents.features.base import Float32Array
from mindup_agents.heuristics.workspace import Float64Array
from mindup_agents.policy.bidding import BIDDING
from mindup_agents.policy.bidding.arrays import make_scratch, make_weights
from mindup_agents.policy.bidding.compiled import evaluate_bids
from mindup_agents.policy.compiled_network import (
    evaluate_rows,
    make_activations,
    stack_networks,
)
from mindup_agents.policy.description import NO_OWN_CODE, Description, OwnCode
from mindup_agents.policy.network import Tensors, build_network
from mindup_env.agent import check_act_arguments
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of
from mindup_env.settings.checks import describe_array, shortened
from mindup_env.settings.extras import require

LogitsAndPlays = tuple[Float32Array, Float32Array | None]


class RowEvaluator(ABC):
    """A network that evaluates rows of features (B, size)."""

    def logits(self, rows: Float32Array) -> Float32Array:
        """The logit of each card of the hand (B, slots); -inf in empty slots."""
        return self.logits_and_plays(rows)[0]

    @abstractmethod
    def values(self, rows: Float32Array) -> Float32Array:
        """The output of the critic (B,)."""

    @abstractmethod
    def logits_and_plays(self, rows: Float32Array) -> LogitsAndPlays:
        """The logits, and what features remember: the plays by each model of the opponents.

        These are (B, P - 1, models, num_cards), or None if there is nothing to remember.
        """


class CompiledEvaluator(RowEvaluator):
    """A network of the package. The result for a row does not depend on the other rows.

    Args:
        evaluate: the compiled network, which takes rows and outputs.
        shape: the shape of the rows.
        sizes: the shape of each output for one row, in their order; outputs are left out if they
            are empty.
    """

    def __init__(
        self,
        evaluate: Callable[..., None],
        shape: FeatureShape,
        sizes: Sequence[tuple[int, ...]],
    ) -> None:
        self._evaluate, self._shape, self._sizes = evaluate, shape, sizes

    def values(self, rows: Float32Array) -> Float32Array:
        return self._outputs(rows, 1)[0]

    def logits_and_plays(self, rows: Float32Array) -> LogitsAndPlays:
        return self._outputs(rows, 0)[0], None

    def _outputs(self, rows: Float32Array, *wanted: int) -> list[Float32Array]:
        """Some of the outputs of the network."""
        check_rows(rows, self._shape)
        outputs = [
            np.zeros((len(rows) if index in wanted else 0, *size), np.float32)
            for index, size in enumerate(self._sizes)
        ]
        self._evaluate(rows, *outputs)
        return [outputs[index] for index in wanted]


class BiddingEvaluator(CompiledEvaluator):
    """The network ``bidding-1``, which also predicts the cards of the opponents."""

    def __init__(self, description: Description, tensors: Tensors, shape: FeatureShape) -> None:
        facts, widths = description.bidding_facts(), description.widths
        weights = tuple(make_weights(tensors, facts, widths))
        super().__init__(
            partial(evaluate_bids, tuple(facts), weights, tuple(make_scratch(facts, widths))),
            shape,
            [
                (shape.slots,),
                (),
                (facts.places - 1, facts.num_cards),
                (facts.places - 1, facts.models, facts.num_cards),
            ],
        )
        self._remembers = facts.models > 1

    def plays(self, rows: Float32Array) -> Float32Array:
        """The probability that each opponent plays each card (B, P - 1, num_cards)."""
        return self._outputs(rows, 2)[0]

    def logits_and_plays(self, rows: Float32Array) -> LogitsAndPlays:
        if not self._remembers:
            return super().logits_and_plays(rows)
        logits, plays = self._outputs(rows, 0, 3)
        return logits, plays


def _first_network(_: Description, tensors: Tensors, shape: FeatureShape) -> CompiledEvaluator:
    networks = stack_networks([tensors])
    return CompiledEvaluator(
        partial(evaluate_rows, tuple(networks), tuple(make_activations(networks, shape))),
        shape,
        [(shape.slots,), ()],
    )


_EVALUATORS: dict[str | None, Callable[..., CompiledEvaluator]] = {
    None: _first_network,
    BIDDING: BiddingEvaluator,
}
"""The evaluators of the networks of the package, by id."""


class PyTorchEvaluator(RowEvaluator):
    """The network of a user, which the description of the policy names."""

    def __init__(self, description: Description, tensors: Tensors, shape: FeatureShape) -> None:
        require("a policy with a network of its own", "train", "torch")
        import torch  # noqa: PLC0415  # policies of the package play without it

        with torch.random.fork_rng(devices=[]):  # the first weights are replaced: draw no others
            network = build_network(description.network or "", shape, description.widths)
        weights = {name: torch.from_numpy(tensor.copy()) for name, tensor in tensors.items()}
        try:
            network.load_state_dict(weights)
        except RuntimeError as error:
            raise ValueError(
                f"the tensors of the policy do not fit the network {description.network}: "
                f"{shortened(' '.join(str(error).split()))}"
            ) from None
        self._network, self._shape, self._torch = network.eval(), shape, torch

    def logits_and_plays(self, rows: Float32Array) -> LogitsAndPlays:
        output = self._output(rows)
        held, remembered = output.cards.numpy() >= 0, output.remembered
        logits = np.where(held, output.logits.numpy(), np.float32(-np.inf))
        return logits, None if remembered is None else remembered.numpy()

    def values(self, rows: Float32Array) -> Float32Array:
        values: Float32Array = self._output(rows).values.numpy()
        return values

    def _output(self, rows: Float32Array) -> Any:
        check_rows(rows, self._shape)
        with self._torch.no_grad():
            return self._network(self._torch.from_numpy(rows.copy()))


def check_rows(rows: Float32Array, shape: FeatureShape) -> None:
    """Refuses rows of another type or shape, outside which compiled code would read."""
    if (
        not isinstance(rows, np.ndarray)
        or rows.dtype != np.float32
        or rows.ndim != 2
        or rows.shape[1] != shape.size
    ):
        raise ValueError(
            f"rows of features must be float32 of shape (B, {shape.size}), not "
            f"{describe_array(rows)}"
        )


class PolicyEvaluator:
    """What a policy makes of the seats that ``read`` gets, turn by turn.

    The features memory-1 remember what the opponents played, by row, as bots do.

    Args:
        description: the description of the policy.
        tensors: its parameters.
        config: the game, one of those in the description.
        own_code: the code that the user names, for a policy with features or a network of a user.

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
    ) -> None:
        description.check_plays(config)
        own_code.check(description)
        self._config = config
        # The features are code of the user only if the user has named the same code.
        self.encoder = import_encoder(description.features, config)
        shape = self.encoder.shape
        if own_code.features and shape != description.feature_shape():
            raise ValueError(
                f"the policy was trained with features {description.features} of "
                f"{description.feature_shape()}, but they have {shape} now"
            )
        self.row_evaluator: RowEvaluator
        if own_code.network:
            self.row_evaluator = PyTorchEvaluator(description, tensors, shape)
        else:
            evaluator = _EVALUATORS[description.network]
            self.row_evaluator = evaluator(description, tensors, shape)
        self.rows = np.zeros((0, shape.size), np.float32)
        self.logits = np.zeros((0, shape.slots), np.float32)

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
        self.logits, plays = self.row_evaluator.logits_and_plays(self.rows)
        if plays is not None:
            remember_plays(self.encoder, plays)

    @property
    def cards(self) -> npt.NDArray[np.int64]:
        """The index of the card in each slot of the hand (B, slots); -1 in empty slots."""
        return self.rows[:, self.encoder.shape.hand_begins :].astype(np.int64)

    def probabilities(self, temperature: float = 1.0) -> Float64Array:
        """The probability of each card of the deck (B, num_cards); all 0 for an empty hand."""
        cards, logits = self.cards, self.logits
        if temperature == 0:  # the most probable card alone
            of_slots = np.eye(logits.shape[1])[logits.argmax(1)]
        else:
            of_slots = softmax(logits / np.float32(temperature))
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
