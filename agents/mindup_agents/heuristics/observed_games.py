"""Observations, read into games that the functions of the engine accept.

The viewer of an observation becomes player 0 of a game in which the other hands hold only the
cards that all players know. So the rules are applied to what a seat knows and to nothing else.
"""

from typing import Annotated, NamedTuple

import numpy as np

from mindup_env.belief import sample
from mindup_env.cards import NUM_COLOURS
from mindup_env.checks import InputError
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.arrays import allocate
from mindup_env.engine.batch import Batch
from mindup_env.engine.clock import cards_of_round, first_turn
from mindup_env.engine.compiler import compiled, kernel, typed_once
from mindup_env.engine.dealing import known_cards
from mindup_env.engine.state import (
    BONUS_POINTS,
    COLOUR_POINTS,
    NOTHING,
    NUM_COLUMNS,
    OBJECTIVE_POINTS,
    Games,
    Int8Array,
    Int64Array,
    Rules,
)
from mindup_env.files import content_errors_name
from mindup_env.observation import layout_of
from mindup_env.observation.layout import Offsets


class KnownGames(NamedTuple):
    """N games, and what all players know about their hands."""

    rules: Rules
    games: Games
    cards: Annotated[Int64Array, "N", "num_players"]  # the sets of known cards
    num_hidden: Annotated[Int64Array, "N", "num_players"]  # the number of other cards in the hand


def make_known_games(config: GameConfig, num_games: int) -> KnownGames:
    batch = Batch.empty(config, num_games)
    return allocate(KnownGames, config, {"rules": batch.rules, "games": batch.games}, N=num_games)


def read_games(config: GameConfig, observation: Int8Array, known: KnownGames) -> None:
    """Reads what B seats know from observations (B, size), which games can show, into B games."""
    read = read_observations(known, layout_of(config).offsets, observation)
    if read < len(observation):
        with content_errors_name(f"row {read} of observation"):
            sample(observation[read], config, 1, np.random.default_rng(0))
            raise InputError("the observation contradicts itself")


@typed_once
@kernel
def read_observations(known: KnownGames, at: Offsets, observation: Int8Array) -> int:
    """Fills the games from ``observation`` (B, size), up to one that no game can show.

    Returns how many were read. Checked is all that could lead compiled code out of its arrays, in
    playouts too: what is an index or a count, and how many cards are where.
    """
    for g in range(len(observation)):
        if not read_game(known, g, at, observation[g]):
            return g
    return len(observation)


@compiled
def read_game(known: KnownGames, g: int, at: Offsets, seen: Int8Array) -> bool:
    """Fills game ``g`` from an observation (size,); False for one that no game can show."""
    rules = known.rules
    games = known.games
    if not read_round(rules, games, g, at, seen) or not read_row(rules, games, g, at, seen):
        return False
    for player in range(rules.num_players):
        start = at.players + player * at.block
        if not read_player(known, g, player, at, seen[start : start + at.block]):
            return False
    games.hands[g, 0] = set_of_nonzero(seen[at.hand : at.hand + len(rules.card_colours)])
    return cards_agree(known, g)


@compiled
def read_round(rules: Rules, games: Games, g: int, at: Offsets, seen: Int8Array) -> bool:
    """Reads the round, the turn, the score cards and the objectives; False if there are no such."""
    round_ = int(seen[at.round]) - 1
    turn = int(seen[at.turn]) - 1
    if not 0 <= round_ < rules.num_rounds or not 0 <= turn < cards_of_round(rules, round_) - 1:
        return False
    games.clock[g] = first_turn(rules, round_) + turn
    values = 0
    for column in range(NUM_COLUMNS):
        value = int(seen[at.score_cards + column])
        if not 1 <= value <= NUM_COLUMNS:
            return False
        games.score_cards[g, round_, column] = value
        values |= bitset.one(value)
    shown = set_of_nonzero(seen[at.objectives : at.objectives_used])
    if bitset.size(values) != NUM_COLUMNS or bitset.size(shown) != games.objectives.shape[2]:
        return False
    for place, objective in enumerate(bitset.members(shown)):
        games.objectives[g, round_, place] = objective
    return True


@compiled
def read_row(rules: Rules, games: Games, g: int, at: Offsets, seen: Int8Array) -> bool:
    """Reads the prizes and the seats that played them; False if they are no row of this turn."""
    prizes = set_of_nonzero(seen[at.row : at.row + len(rules.card_colours)])
    if bitset.size(prizes) != rules.num_players:
        return False
    players = 0
    for place, prize in enumerate(bitset.members(prizes)):
        if seen[at.row + prize] != place + 1:
            return False
        games.row[g, place] = prize
        if games.clock[g] > 0:  # the first row came from the deck
            player = int(seen[at.row_players + place])
            if not 1 <= player <= rules.num_players:
                return False
            games.played[g, games.clock[g] - 1, player - 1] = prize
            players |= bitset.one(player)
    return games.clock[g] == 0 or bitset.size(players) == rules.num_players


@compiled
def read_player(known: KnownGames, g: int, player: int, at: Offsets, seen: Int8Array) -> bool:
    """Reads the block (at.block,) of a player; returns whether its columns exist."""
    rules = known.rules
    games = known.games
    num_cards = len(rules.card_colours)
    round_ = rules.round_at[games.clock[g]]
    games.tableaux[g, player], known.cards[g, player] = sets_of_nonzero(
        seen[at.tableaux : at.tableaux + num_cards], seen[at.known : at.known + num_cards]
    )
    columns_exist = True
    for colour in range(NUM_COLOURS):
        column = int(seen[at.columns + colour])
        columns_exist &= 0 <= column <= NUM_COLUMNS
        games.columns[g, player, colour] = column + NOTHING
    known.num_hidden[g, player] = seen[at.unknown]
    games.hands[g, player] = known.cards[g, player]
    # Only totals are observed; they count as colour points here.
    for finished in range(rules.num_rounds):
        points = games.points[g, finished, player]
        points[COLOUR_POINTS] = seen[at.round_scores + finished]
        points[BONUS_POINTS] = points[OBJECTIVE_POINTS] = 0
    games.points[g, round_, player, COLOUR_POINTS] = seen[at.running_scores]
    return columns_exist


@compiled
def set_of_nonzero(entries: Int8Array) -> int:
    """The set of the indices whose entry is not 0."""
    members = 0
    for member in range(len(entries)):
        if entries[member] != 0:
            members |= 1 << member
    return members


@compiled
def sets_of_nonzero(first: Int8Array, second: Int8Array) -> tuple[int, int]:
    """The same for two arrays of one length, in one loop, which is faster than two."""
    members = others = 0
    for member in range(len(first)):
        if first[member] != 0:
            members |= 1 << member
        if second[member] != 0:
            others |= 1 << member
    return members, others


@compiled
def cards_agree(known: KnownGames, g: int) -> bool:
    """Whether hands and tableaux have the sizes of the turn, and no card is in two places."""
    rules = known.rules
    games = known.games
    cards = known.cards[g]
    clock = games.clock[g]
    hand = games.hands[g, 0]
    round_size = cards_of_round(rules, int(rules.round_at[clock]))
    hand_size = round_size - int(rules.turn_at[clock])
    if hand == 0 and clock == rules.num_turns - 1:  # the game is over
        hand_size = 0
    tableau_size = round_size - hand_size
    visible = hand
    number = hand_size + rules.num_players * (1 + tableau_size)
    agree = bitset.size(hand) == hand_size and cards[0] & ~hand == 0
    for player in range(rules.num_players):
        tableau = games.tableaux[g, player]
        num_known = bitset.size(cards[player])
        num_hidden = known.num_hidden[g, player]
        agree &= bitset.size(tableau) == tableau_size
        agree &= num_known + num_hidden == hand_size and num_hidden >= 0
        visible |= bitset.one(games.row[g, player]) | tableau
        if player > 0:
            visible |= cards[player]
            number += num_known
    return agree and bitset.size(visible) == number


@compiled
def update_known_cards(known: KnownGames, g: int) -> None:
    """Fills ``known`` for game ``g``, in which all hands are complete."""
    rules = known.rules
    games = known.games
    for player in range(rules.num_players):
        known.cards[g, player] = known_cards(rules, games, g, player)
        hidden = games.hands[g, player] & ~known.cards[g, player]
        known.num_hidden[g, player] = bitset.size(hidden)


@compiled
def unseen_cards(known: KnownGames, g: int, seat: int) -> int:
    """The set of cards whose place ``seat`` does not know."""
    rules = known.rules
    games = known.games
    seen = games.hands[g, seat]
    for player in range(rules.num_players):
        seen |= games.tableaux[g, player] | known.cards[g, player]
        seen |= bitset.one(games.row[g, player])
    return (bitset.one(len(rules.card_colours)) - 1) & ~seen
