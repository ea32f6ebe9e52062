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
    bidding_shapes,
)
from mindup_agents.policy.network import Tensors, Widths
from mindup_env.cards import NUM_COLOURS
from mindup_env.engine.arrays import allocate
from mindup_env.engine.state import Int64Array
from mindup_env.settings.checks import check_array


class Weights(NamedTuple):
    """The tensors of the network; weights are (inputs, outputs)."""

    player_weight: Float32Array
    player_bias: Float32Array
    player_2_weight: Float32Array
    player_2_bias: Float32Array
    prize_weight: Float32Array
    prize_bias: Float32Array
    prize_player_weight: Float32Array
    bid_prize_weight: Float32Array
    bid_card_weight: Float32Array
    bid_colour_weight: Float32Array
    bid_hand_weight: Float32Array
    bid_player_weight: Float32Array
    bid_player_bias: Float32Array
    bid_2_weight: Float32Array
    bid_2_bias: Float32Array
    bid_score_weight: Float32Array
    table_weight: Float32Array
    table_bias: Float32Array
    own_prize_weight: Float32Array
    own_prize_bias: Float32Array
    card_weight: Float32Array
    card_bias: Float32Array
    context_weight: Float32Array
    hidden_weight: Float32Array
    hidden_bias: Float32Array
    logit_weight: Float32Array
    critic_weight: Float32Array
    critic_bias: Float32Array
    value_weight: Float32Array
    value_bias: Float32Array


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
    nonzero: Annotated[Int64Array, "most_inputs"]


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
    shapes = bidding_shapes(facts, widths)
    inputs = {name: shape[1] for name, shape in shapes.items() if name.endswith("weight")}
    return allocate(
        Scratch,
        facts,
        inputs=inputs["table.weight"],
        player=inputs["player.weight"],
        own=inputs["card.weight"],
        state=inputs["critic.weight"],
        card=widths.card,
        value=widths.value,
        most_inputs=max(inputs.values()),
    )
