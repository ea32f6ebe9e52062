"""The arrays of the compiled network ``bidding-1``: its weights, and what it computes for a row."""

from typing import Annotated, NamedTuple

import numpy as np

from mindup_agents.features.base import Float32Array
from mindup_agents.policy.bidding.facts import (
    CARD_FACTS,
    COLOUR_FACTS,
    HAND_FACTS,
    HIDDEN,
    PLAYER,
    PRIZE,
    BiddingFacts,
)
from mindup_agents.policy.compiled_network import Indices
from mindup_agents.policy.network import Tensors, Widths, shapes_in_files
from mindup_env.cards import NUM_COLOURS
from mindup_env.engine.arrays import allocate, shapes_of
from mindup_env.engine.state import Int64Array
from mindup_env.settings.checks import check_array


class Weights(NamedTuple):
    """The tensors of the network; weights are (inputs, outputs)."""

    player_weight: Annotated[Float32Array, "player", 2 * PLAYER]
    player_bias: Annotated[Float32Array, 2 * PLAYER]
    player_2_weight: Annotated[Float32Array, 2 * PLAYER, PLAYER]
    player_2_bias: Annotated[Float32Array, PLAYER]
    prize_weight: Annotated[Float32Array, CARD_FACTS + COLOUR_FACTS, HIDDEN]
    prize_bias: Annotated[Float32Array, HIDDEN]
    prize_player_weight: Annotated[Float32Array, PLAYER, HIDDEN]
    bid_prize_weight: Annotated[Float32Array, HIDDEN, HIDDEN]
    bid_card_weight: Annotated[Float32Array, CARD_FACTS, HIDDEN]
    bid_colour_weight: Annotated[Float32Array, COLOUR_FACTS, HIDDEN]
    bid_hand_weight: Annotated[Float32Array, HAND_FACTS, HIDDEN]
    bid_player_weight: Annotated[Float32Array, PLAYER, HIDDEN]
    bid_player_bias: Annotated[Float32Array, HIDDEN]
    bid_2_weight: Annotated[Float32Array, HIDDEN, HIDDEN]
    bid_2_bias: Annotated[Float32Array, HIDDEN]
    bid_score_weight: Annotated[Float32Array, HIDDEN, "models"]
    table_weight: Annotated[Float32Array, "inputs", "table"]
    table_bias: Annotated[Float32Array, "table"]
    own_prize_weight: Annotated[Float32Array, HIDDEN, PRIZE]
    own_prize_bias: Annotated[Float32Array, PRIZE]
    card_weight: Annotated[Float32Array, "own", "card"]
    card_bias: Annotated[Float32Array, "card"]
    context_weight: Annotated[Float32Array, "table", "card"]
    hidden_weight: Annotated[Float32Array, "card", "card"]
    hidden_bias: Annotated[Float32Array, "card"]
    logit_weight: Annotated[Float32Array, "card", 1]
    critic_weight: Annotated[Float32Array, "state", "value"]
    critic_bias: Annotated[Float32Array, "value"]
    value_weight: Annotated[Float32Array, "value", 1]
    value_bias: Annotated[Float32Array, 1]


class Scratch(NamedTuple):
    """What is computed for one row."""

    table: Annotated[Float32Array, "inputs"]  # with what is read of each player
    player: Annotated[Float32Array, "player"]
    player_hidden: Annotated[Float32Array, 2 * PLAYER]
    colours: Annotated[Float32Array, "places", NUM_COLOURS, COLOUR_FACTS]
    points: Annotated[Float32Array, "places", NUM_COLOURS]  # the score card that a colour has
    of_hand: Annotated[Float32Array, "num_cards", HAND_FACTS]  # of one player
    hidden: Annotated[Float32Array, "num_cards"]  # 1 for each card whose place is not public
    unseen: Annotated[Float32Array, "num_cards"]  # those of them that are not in the viewer's hand
    prizes: Annotated[Int64Array, "places"]  # the cards of the row
    prize_facts: Annotated[Float32Array, CARD_FACTS + COLOUR_FACTS]
    prize: Annotated[Float32Array, "places", "places", HIDDEN]
    # The chance of a lower card, if all cards are equally likely.
    lower: Annotated[Float32Array, "places", "num_cards"]
    chances: Annotated[Float32Array, "places", "num_cards"]  # that a player plays each card
    of_models: Annotated[Float32Array, "places", "models", "num_cards"]  # by each model of them
    places: Annotated[Float32Array, "places"]
    # What each prize, and the colour, adds to the first layer of a card.
    bid_prizes: Annotated[Float32Array, "places", HIDDEN]
    bid_colours: Annotated[Float32Array, NUM_COLOURS, HIDDEN]
    bid_base: Annotated[Float32Array, HIDDEN]
    bid: Annotated[Float32Array, HIDDEN]
    bid_2: Annotated[Float32Array, HIDDEN]
    scores: Annotated[Float32Array, "models", "num_cards"]
    own_prizes: Annotated[Float32Array, "places", PRIZE]
    own: Annotated[Float32Array, "own"]
    state: Annotated[Float32Array, "state"]  # of the table, then the mean of the cards
    context: Annotated[Float32Array, "card"]
    card: Annotated[Float32Array, "card"]
    card_2: Annotated[Float32Array, "card"]
    value: Annotated[Float32Array, "value"]
    nonzero: Annotated[Indices, "most_inputs"]


def bidding_shapes(facts: BiddingFacts, widths: Widths) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of a policy; weights are (outputs, inputs)."""
    return shapes_in_files(Weights, facts, **_sizes(facts, widths))


def _sizes(facts: BiddingFacts, widths: Widths) -> dict[str, int]:
    """The sizes that the arrays name, besides those of the facts."""
    return {
        **widths._asdict(),
        "inputs": facts.size + facts.places * PLAYER,
        "player": 2 * facts.block + facts.middle + facts.remembered,
        "own": PRIZE + facts.places + CARD_FACTS + COLOUR_FACTS + HAND_FACTS,
        "state": widths.table + widths.card,
    }


def make_weights(tensors: Tensors, facts: BiddingFacts, widths: Widths) -> Weights:
    """The tensors as compiled code reads them.

    Raises:
        ValueError: if a tensor has another shape; compiled code would read outside of it.
    """
    found = {}
    for name, shape in bidding_shapes(facts, widths).items():
        check_array(f"the tensor {name}", tensors[name], shape, kind="float32")
        found[name.replace(".", "_")] = np.ascontiguousarray(tensors[name].T, np.float32)
    return Weights(**found)


def make_scratch(facts: BiddingFacts, widths: Widths) -> Scratch:
    sizes = _sizes(facts, widths)
    most_inputs = max(shape[0] for shape in shapes_of(Weights, facts, **sizes).values())
    return allocate(Scratch, facts, **sizes, most_inputs=most_inputs)
