"""The state of many games at once, as arrays, and a config as numbers for compiled code."""

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.cards import COLOURS, NUM_COLOURS
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.arrays import allocate

Int8Array = npt.NDArray[np.int8]
Int16Array = npt.NDArray[np.int16]
Int64Array = npt.NDArray[np.int64]
Float64Array = npt.NDArray[np.float64]
Keys = npt.NDArray[np.uint64]  # (N, 4) see streams

NUM_COLUMNS = len(SCORE_CARDS)
NOTHING = -1

# The parts of a round's score, in the last axis of Games.points.
COLOUR_POINTS, BONUS_POINTS, OBJECTIVE_POINTS = range(3)
NUM_PARTS = 3


class Rules(NamedTuple):
    """A config as the numbers that compiled code reads. Cards and colours count from 0."""

    num_players: int
    num_rounds: int
    hand_size: int
    num_turns: int
    draws_score_order: bool  # whether each round draws it
    score_order: Int8Array  # (num_columns,) or before it is shuffled
    card_colours: Int8Array  # (num_cards,)
    card_points: Int8Array  # (num_cards,)
    colour_cards: Int64Array  # (num_colours,) the set of all cards of a colour
    round_at: Int8Array  # (num_turns + 1,) the round in play after each number of turns
    turn_at: Int8Array  # (num_turns + 1,) its turn in play


class Games(NamedTuple):
    """N games. Axis 0 of every array is the game; a set of cards is one 64-bit integer.

    First the key, from which everything random follows; the deal, which is drawn completely when
    the game begins; then the table as it is now; then the log, from which the past is read.
    """

    keys: Annotated[Keys, "N", 4]  # seed, slot, episode and agent seed

    deck: Annotated[Int8Array, "N", "num_cards"]  # in draw order
    score_cards: Annotated[Int8Array, "N", "num_rounds", NUM_COLUMNS]  # the order of each round
    objectives: Annotated[Int8Array, "N", "num_rounds", "num_objectives"]  # shown in each round

    clock: Annotated[Int16Array, "N"]  # turns played since the game began
    hands: Annotated[Int64Array, "N", "num_players"]  # sets
    tableaux: Annotated[Int64Array, "N", "num_players"]  # sets
    columns: Annotated[Int8Array, "N", "num_players", NUM_COLOURS]  # of each colour, or NOTHING
    row: Annotated[Int8Array, "N", "num_players"]  # the prizes, ascending

    # The points in the round in play are those so far. Cards were played by a seat, or NOTHING.
    points: Annotated[Int8Array, "N", "num_rounds", "num_players", NUM_PARTS]
    # The sets of the objectives shown that were met, at the end of each round.
    met: Annotated[Int16Array, "N", "num_rounds", "num_players"]
    played: Annotated[Int8Array, "N", "num_turns", "num_players"]
    # The cards of the tableaux in the order placed: in each turn, and at the end of each round.
    taken: Annotated[Int8Array, "N", "turns_and_rounds", "num_players"]


def make_rules(config: GameConfig) -> Rules:
    colours = np.array([COLOURS.index(card.colour) for card in config.deck], dtype=np.int8)
    bits = np.int64(1) << np.arange(config.num_cards, dtype=np.int64)
    turns = [
        (round_, turn)
        for round_ in range(config.num_rounds)
        for turn in range(config.turns_of(round_ + 1))
    ]
    turns.append(turns[-1])  # a game that is over stays at its last turn
    return Rules(
        num_players=config.num_players,
        num_rounds=config.num_rounds,
        hand_size=config.hand_size,
        num_turns=config.num_turns,
        draws_score_order=config.score_order is None,
        score_order=np.array(config.score_order or SCORE_CARDS, dtype=np.int8),
        card_colours=colours,
        card_points=np.array([card.points for card in config.deck], dtype=np.int8),
        colour_cards=np.array([bits[colours == colour].sum() for colour in range(NUM_COLOURS)]),
        round_at=np.array([round_ for round_, _ in turns], dtype=np.int8),
        turn_at=np.array([turn for _, turn in turns], dtype=np.int8),
    )


def make_games(config: GameConfig, num_games: int) -> Games:
    """Arrays for that many games, to be dealt."""
    return allocate(
        Games, config, N=num_games, turns_and_rounds=config.num_turns + config.num_rounds
    )
