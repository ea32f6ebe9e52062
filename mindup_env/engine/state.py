"""The state of many games at once, as arrays, and a config as numbers for compiled code."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.cards import COLOURS, NUM_COLOURS
from mindup_env.config import SCORE_CARDS, GameConfig

Int8Array = npt.NDArray[np.int8]
Int16Array = npt.NDArray[np.int16]
Int64Array = npt.NDArray[np.int64]
Float64Array = npt.NDArray[np.float64]

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
    card_colours: Int8Array  # (num_cards,)
    card_points: Int8Array  # (num_cards,)
    colour_cards: Int64Array  # (num_colours,) the set of all cards of a colour
    round_at: Int8Array  # (num_turns + 1,) the round in play after each number of turns
    turn_at: Int8Array  # (num_turns + 1,) its turn in play


class Games(NamedTuple):
    """N games. Axis 0 of every array is the game; a set of cards is one 64-bit integer.

    First the deal, which is drawn completely when the game begins; then the table as it is now;
    then the log, from which the past is read.
    """

    deck: Int8Array  # (N, num_cards) in draw order
    score_cards: Int8Array  # (N, num_rounds, num_columns) the order of each round
    objectives: Int8Array  # (N, num_rounds, num_objectives) shown in each round

    clock: Int16Array  # (N,) turns played since the game began
    start_turn: Int16Array  # (N,) the clock when the known past begins; 0: it begins with the deal
    hands: Int64Array  # (N, num_players) sets
    tableaux: Int64Array  # (N, num_players) sets
    columns: Int8Array  # (N, num_players, num_colours) the column of each colour, or NOTHING
    row: Int8Array  # (N, num_players) the prizes, ascending

    points: Int8Array  # (N, num_rounds, num_players, num_parts) in the round in play, so far
    played: Int8Array  # (N, num_turns, num_players) the card each seat played, or NOTHING
    taken: Int8Array  # (N, num_turns + num_rounds, num_players) tableau cards in the order placed


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
        card_colours=colours,
        card_points=np.array([card.points for card in config.deck], dtype=np.int8),
        colour_cards=np.array([bits[colours == colour].sum() for colour in range(NUM_COLOURS)]),
        round_at=np.array([round_ for round_, _ in turns], dtype=np.int8),
        turn_at=np.array([turn for _, turn in turns], dtype=np.int8),
    )


def make_games(config: GameConfig, num_games: int) -> Games:
    """Arrays for that many games, to be dealt."""
    players, rounds = config.num_players, config.num_rounds

    def zeros(dtype: type[np.signedinteger], *shape: int) -> npt.NDArray[np.signedinteger]:
        return np.zeros((num_games, *shape), dtype)

    return Games(
        deck=zeros(np.int8, config.num_cards),
        score_cards=zeros(np.int8, rounds, NUM_COLUMNS),
        objectives=zeros(np.int8, rounds, config.num_objectives),
        clock=zeros(np.int16),
        start_turn=zeros(np.int16),
        hands=zeros(np.int64, players),
        tableaux=zeros(np.int64, players),
        columns=zeros(np.int8, players, NUM_COLOURS),
        row=zeros(np.int8, players),
        points=zeros(np.int8, rounds, players, NUM_PARTS),
        played=zeros(np.int8, config.num_turns, players),
        taken=zeros(np.int8, config.num_turns + rounds, players),
    )
