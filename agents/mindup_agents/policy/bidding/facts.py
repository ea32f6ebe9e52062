"""Where the network ``bidding-1`` finds what it reads, and its sizes.

All sizes are those of a table of P players.
"""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import FeatureShape, Float32Array
from mindup_env.cards import COLOURS, NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.observation import Layout

BIDDING = "bidding-1"

PLAYER = 32
"""The width of what is read of each player; the layer before it has twice as many units."""
HIDDEN = 32
"""The width of the layers that read a prize, and a card that an opponent may play."""
PRIZE = 16
"""The width of what a card of the hand reads of the prizes that it may take."""

CARD_FACTS = 3 + NUM_COLOURS
"""Number, strength (the distance of the number from the middle), bonus, and the colour."""
COLOUR_FACTS = 4
"""Of a colour to a player: the score card of its column or of the next empty one, whether it opens
a column, both multiplied, and the mean score card that it has for the others."""
HAND_FACTS = 3
"""Of a card to a player: whether it is known to be in the hand, by how many points it is better to
keep to the end than the best other card, and the points of that one. Of another player's hand, only
the known cards count."""

POINTS = 5.0
"""Points are divided by it."""
LEAST_POINTS = -2.0
"""What is left to keep, if nothing is known of a hand."""
LEAK = 0.05
"""The slope of all layers below 0. Units that were 0 there stopped learning, many at a time."""
LEAST = 1e-6
"""Keeps quotients finite."""
MOST_LOG_WEIGHT = 40.0
"""Of a hidden card, beside the best known one: its weight and its square are finite."""


class BiddingFacts(NamedTuple):
    """What the network knows about a game, and the places of entries in the table of a row.

    Entries of a player are counted from the beginning of the player's block.
    """

    places: int  # P
    num_cards: int
    slots: int
    size: int  # of the table of a row, which begins with the observation
    hand: int
    row: int
    score_cards: int
    middle_end: int  # where the parts of the middle of the table, from the score cards on, end
    models: int  # of an opponent
    memory: int  # where their probabilities are in rows with memory
    remembered: int  # for how many models of an opponent a row has a probability
    players: int
    block: int
    tableaux: int
    columns: int
    known: int
    unknown: int
    most_unknown: int  # by which that entry is divided
    card_facts: Float32Array  # (num_cards, CARD_FACTS)
    card_bonus: Float32Array  # (num_cards,)
    card_colours: npt.NDArray[np.int64]  # (num_cards,)

    @classmethod
    def of(cls, config: GameConfig, models: int, shape: FeatureShape) -> Self:
        """Those of a game, in rows of raw-1; several ``models`` of an opponent need memory-1."""
        at, places = Layout(config).offsets, config.num_players
        numbers = np.arange(1, config.num_cards + 1)
        middle = (config.num_cards + 1) / 2
        colours = np.array([COLOURS.index(card.colour) for card in config.deck])
        bonus = np.array([card.points for card in config.deck], np.float32)
        facts = np.zeros((config.num_cards, CARD_FACTS), np.float32)
        facts[:, 0] = numbers / config.num_cards
        facts[:, 1] = np.abs(numbers - middle) / middle
        facts[:, 2] = bonus / 2
        facts[numbers - 1, 3 + colours] = 1
        return cls(
            places=places,
            num_cards=config.num_cards,
            slots=shape.slots,
            size=shape.table,
            hand=at.hand,
            row=at.row,
            score_cards=at.score_cards,
            middle_end=at.players,
            models=models,
            memory=at.players + places * at.block,
            remembered=models if models > 1 else 0,
            players=at.players,
            block=at.block,
            tableaux=at.tableaux,
            columns=at.columns,
            known=at.known,
            unknown=at.unknown,
            most_unknown=config.hand_size,
            card_facts=facts,
            card_bonus=bonus,
            card_colours=colours,
        )

    @property
    def middle(self) -> int:
        """How many entries the middle of the table has."""
        return self.middle_end - self.score_cards
