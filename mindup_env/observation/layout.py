"""The declared parts of an observation, and of the full state with all hands.

Their offsets, bounds, views and tables come from these.
"""

from functools import lru_cache
from typing import NamedTuple

from mindup_env.cards import COLOURS, NUM_COLOURS
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.state import NUM_COLUMNS
from mindup_env.objectives import NUM_OBJECTIVES
from mindup_env.observation.vector_layout import LayoutPart, VectorLayout, starts


class Offsets(NamedTuple):
    """The index of each part, for compiled code: in the vector, or in the block of a player."""

    hand: int
    row: int
    row_players: int
    score_cards: int
    round: int
    turn: int
    objectives: int
    objectives_used: int
    tableaux: int
    columns: int
    counts: int
    known: int
    unknown: int
    round_scores: int
    running_scores: int
    objectives_met: int
    players: int  # the index of the first block
    block: int  # the size of a block
    size: int  # the size of the vector


def table_parts(config: GameConfig) -> tuple[LayoutPart, ...]:
    """The parts that are not about a player: the viewer's hand and the middle of the table."""
    part, cards, players = LayoutPart, config.num_cards, config.num_players
    objectives, last_turn = (NUM_OBJECTIVES,), config.largest_hand - 1
    return (
        part("hand", (cards,), 0, 1, "1 for each card in the viewer's hand"),
        part("row", (cards,), 0, players, "place of each prize in the row, from 1; else 0"),
        part("row_players", (players,), 0, players, "who played each prize, from 1; 0: the deck"),
        part("score_cards", (NUM_COLUMNS,), 1, max(SCORE_CARDS), "score card above each column"),
        part("round", (), 0, config.num_rounds, "the round, from 1"),
        part("turn", (), 0, last_turn, "the turn of the round, from 1"),
        part("objectives", objectives, 0, 1, "1 for each objective shown in this round"),
        part("objectives_used", objectives, 0, 1, "1 for each objective of an earlier round"),
    )


def player_parts(config: GameConfig) -> tuple[LayoutPart, ...]:
    """The parts of the block of a player: everything public about the player."""
    part, cards = LayoutPart, config.num_cards
    low, high = config.round_score_bounds
    column = f"column of {', '.join(COLOURS)}, from 1; 0: no card of the colour"
    met = "1 for each objective shown that would be met if the round ended now"
    return (
        part("tableaux", (cards,), 0, 1, "1 for each card in the tableau"),
        part("columns", (NUM_COLOURS,), 0, NUM_COLUMNS, column),
        part("counts", (NUM_COLUMNS,), 0, config.largest_hand, "number of cards in each column"),
        part("known", (cards,), 0, 1, "1 for each public hand card"),
        part("unknown", (), 0, config.hand_size, "number of hand cards only the owner knows"),
        part(
            "round_scores", (config.num_rounds,), low, high, "score of each finished round; else 0"
        ),
        part("running_scores", (), low, high, "colour and bonus points of this round so far"),
        part("objectives_met", (NUM_OBJECTIVES,), 0, 1, met),
    )


class Layout(VectorLayout):
    """The places of the parts of an observation, for one config.

    Players are counted from the viewer: first the viewer, then the others in seat order.

    Args:
        config: the rules of the game.

    Attributes:
        offsets (Offsets): the index of each part, for compiled code.
    """

    _vector = "an observation"

    def __init__(self, config: GameConfig) -> None:
        parts = table_parts(config)
        super().__init__(config, parts, player_parts(config))
        places = {**starts(parts), **starts(self.player_parts)}
        self.offsets = Offsets(**places, players=self.players, block=self.block, size=self.size)


layout_of = lru_cache(Layout)


class StateLayout(VectorLayout):
    """The places of the parts of the full state, for one config.

    The parts are those of an observation, with the hands of all players instead of the viewer's.
    Players are counted from seat 0, or, in the state of a seat, from this seat.

    Args:
        config: the rules of the game.
    """

    _vector = "a state"

    def __init__(self, config: GameConfig) -> None:
        shape = config.num_players, config.num_cards
        hands = LayoutPart("hands", shape, 0, 1, "1 for each card in the hand of each player")
        _hand, *public = table_parts(config)
        super().__init__(config, (hands, *public), player_parts(config))


state_layout_of = lru_cache(StateLayout)
