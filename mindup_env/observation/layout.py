"""The declared parts of an observation, and of the full state with all hands.

Their offsets, bounds, views and tables come from these.
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.cards import COLOURS, NUM_COLOURS
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.state import NUM_COLUMNS
from mindup_env.objectives import NUM_OBJECTIVES
from mindup_env.observation.vector_layout import LayoutPart, VectorLayout, count_blocks, starts


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
    seats: int  # that of the first block, in a layout without padding
    players: int  # the index of the first block
    block: int  # the size of a block
    size: int  # the size of the vector


def table_parts(config: GameConfig, pad_to_players: int | None) -> tuple[LayoutPart, ...]:
    """The parts that are not about a player: the viewer's hand and the middle of the table."""
    part, cards, players = LayoutPart, config.num_cards, count_blocks(config, pad_to_players)
    seats = part("seats", (players,), 0, 1, "1 for each player at the table, 0 for padding")
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
        *(() if pad_to_players is None else (seats,)),
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

    A padded layout is the same for every number of players. The players that are not at the table
    come last: all their entries are 0, also in the part ``seats``.

    Args:
        config: the rules of the game.
        pad_to_players: the number of players of a padded layout, at least that of the config; None
            for a layout of the players at the table alone.

    Attributes:
        offsets (Offsets): the index of each part, for compiled code.
    """

    _vector = "an observation"

    def __init__(self, config: GameConfig, pad_to_players: int | None = None) -> None:
        parts = table_parts(config, pad_to_players)
        super().__init__(config, pad_to_players, parts, player_parts(config))
        places = {"seats": self.players, **starts(parts), **starts(self.player_parts)}
        self.offsets = Offsets(**places, players=self.players, block=self.block, size=self.size)

    def unpad(self, vectors: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The same observations in the layout without padding, which bots read.

        Args:
            vectors: any array of observations (..., size).

        Returns:
            A new array (..., size of the other layout); the given one if there is no padding.
        """
        self.check_size(vectors)
        if self.pad_to_players is None:
            return vectors
        return np.concatenate([vectors[..., each] for each in self._kept], axis=-1)

    def pad(self, vectors: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The same observations in this layout, from the one without padding: undoes ``unpad``.

        Args:
            vectors: any array of observations (..., size of the other layout).

        Returns:
            A new array (..., size); the given one if there is no padding.
        """
        layout_of(self.config).check_size(vectors)
        if self.pad_to_players is None:
            return vectors
        padded = np.zeros((*vectors.shape[:-1], self.size), vectors.dtype)
        padded[..., np.r_[self._kept]] = vectors
        self.views(padded)["seats"][..., : self.config.num_players] = 1
        return padded

    @property
    def _kept(self) -> tuple[slice, ...]:
        """The places that the layout without padding has too."""
        at, players = self.offsets, self.config.num_players
        return (
            slice(at.row_players + players),
            slice(at.score_cards, at.seats),
            slice(at.players, at.players + players * at.block),
        )


layout_of = lru_cache(Layout)


class StateLayout(VectorLayout):
    """The places of the parts of the full state, for one config.

    The parts are those of an observation, with the hands of all players instead of the viewer's.
    Players are counted from seat 0, or, in the state of a seat, from this seat.

    Args:
        config: the rules of the game.
        pad_to_players: the number of players of a padded layout, as in ``Layout``.
    """

    _vector = "a state"

    def __init__(self, config: GameConfig, pad_to_players: int | None = None) -> None:
        shape = count_blocks(config, pad_to_players), config.num_cards
        hands = LayoutPart("hands", shape, 0, 1, "1 for each card in the hand of each player")
        _hand, *public = table_parts(config, pad_to_players)
        super().__init__(config, pad_to_players, (hands, *public), player_parts(config))


state_layout_of = lru_cache(StateLayout)
