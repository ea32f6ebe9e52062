"""Worlds: complete games that agree with what a seat knows, and how models play them on.

A determinization completes the opponents' hands alone; a world has a whole deal. One game is
overwritten with it for each card that is evaluated.
"""

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.card_values import ColumnValues, Workspace, best_card, value_columns
from mindup_agents.heuristics.formulas import PLANNER, RANDOM, formula_values
from mindup_agents.heuristics.observed_games import KnownGames, unseen_cards, update_known_cards
from mindup_agents.heuristics.random_streams import (
    HANDS,
    MODEL,
    RANDOM_CARDS,
    WORLDS,
    draw_index,
    random_block,
    uniform,
)
from mindup_env.belief.hidden import HiddenPart
from mindup_env.engine import bitset, streams
from mindup_env.engine.clock import first_draw, first_turn
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.results import is_over
from mindup_env.engine.state import Float64Array, Games, Int8Array, Int64Array
from mindup_env.engine.turns import play_turn


@called
def sample_determinization(
    known: KnownGames, g: int, row_bits: np.uint64, sample: int, shuffled: Int8Array
) -> None:
    """Completes the opponents' hands with unseen cards; all assignments are equally likely.

    ``row_bits`` and the number ``sample`` determine the result. ``shuffled`` (num_cards,) receives
    the unseen cards: first those dealt, in the order of the opponents, then the others.
    """
    unseen = unseen_cards(known, g, 0)
    num_unseen = bitset.size(unseen)
    for place, card in enumerate(bitset.members(unseen)):
        shuffled[place] = card
    for dealt in range(known.num_hidden[g, 1:].sum()):
        if dealt % 4 == 0:
            block = random_block(HANDS, dealt, sample, row_bits)
        chosen = dealt + streams.below(block[0], num_unseen - dealt)
        block = block[1], block[2], block[3], block[0]
        shuffled[dealt], shuffled[chosen] = shuffled[chosen], shuffled[dealt]
    deal_hidden_cards(known, g, shuffled)


@called
def deal_hidden_cards(known: KnownGames, g: int, shuffled: Int8Array) -> None:
    """Completes the opponents' hands with the first of the cards ``shuffled`` (unseen cards,)."""
    dealt = 0
    for opponent in range(1, known.rules.num_players):
        hand = known.cards[g, opponent]
        for _ in range(known.num_hidden[g, opponent]):
            hand |= bitset.one(shuffled[dealt])
            dealt += 1
        known.games.hands[g, opponent] = hand


@called
def write_deck(known: KnownGames, g: int, shuffled: Int8Array, copy: Games) -> None:
    """Writes the cards drawn this round and later into the deck of a copy, for the engine.

    They follow from the hands of game ``g`` and ``shuffled`` (unseen cards,), which dealt them.
    """
    rules = known.rules
    games = known.games
    players = rules.num_players
    round_ = rules.round_at[games.clock[g]]
    next_draw = first_draw(rules, round_ + 1)
    if round_ > 0:
        for player in range(players):
            hidden = games.hands[g, player] & ~known.cards[g, player]
            # A drawn card that was played already may be any card that is in no hand.
            drawn = bitset.lowest(hidden) if hidden != 0 else games.row[g, player]
            copy.deck[0, next_draw - players + player] = drawn
    dealt = known.num_hidden[g, 1:].sum()
    for draw in range(players * (rules.num_rounds - round_ - 1)):
        copy.deck[0, next_draw + draw] = shuffled[dealt + draw]


SLIP = 0.05  # the probability that an opponent plays a random card instead of its model's
NO_RANDOM_CARD = -1


class PlayoutState(NamedTuple):
    """How a game is played on."""

    models: Annotated[Int64Array, "num_players"]  # the model that plays each seat
    # Of a random card, or NO_RANDOM_CARD.
    random_bits: Annotated[Int64Array, "num_turns", "num_players"]
    cards: Annotated[Int64Array, 1, "num_players"]  # of the current turn


class World(NamedTuple):
    """What a seat knows of its game, and one world of it that is played on."""

    known: KnownGames  # what B seats know
    g: int  # the number of the seat among them
    row_bits: np.uint64  # the random bits of the seat
    model_probabilities: Float64Array  # (num_players, num_models) of its opponents
    hidden: HiddenPart  # what it does not know, drawn for each world
    played: KnownGames  # one game: the world
    playout: PlayoutState
    workspace: Workspace
    first_cards: Int64Array  # (worlds, num_players) the models' cards in the first turn

    @property
    def cards(self) -> list[int]:
        """The hand of the seat, in ascending order."""
        hand = int(self.known.games.hands[self.g, 0])
        return [card for card in range(hand.bit_length()) if hand >> card & 1]


@called
def begin_world(world: World, sample: int) -> tuple[np.uint64, ColumnValues]:
    """Deals a world, and fills its part of ``first_cards`` by the models of all seats.

    Player 0 is played by planner. Returns the random bits of the world, and its columns now.
    """
    low, high, _, _ = random_block(WORLDS, sample, 0, world.row_bits)
    bits = low | (high << np.uint64(32))
    write_sampled_game(world.known, world.g, world.hidden, sample, world.played.games)
    draw_models(world.played, world.playout, world.model_probabilities, bits)
    columns = know_public_values(world.played, world.workspace)
    choose_cards(world.played, world.playout, columns, world.workspace)
    copy_values(world.playout.cards[0], world.first_cards[sample])
    return bits, columns


@called
def draw_models(
    known: KnownGames, playout: PlayoutState, model_probabilities: Float64Array, bits: np.uint64
) -> None:
    """Draws ``playout.models`` and the random cards of this round, the same for all own cards."""
    rules = known.rules
    now = known.games.clock[0]
    playout.models[0] = PLANNER
    for opponent in range(1, rules.num_players):
        block = random_block(MODEL, 0, opponent, bits)
        playout.models[opponent] = draw_index(model_probabilities[opponent], block[0])
    next_round = rules.round_at[now] + 1
    for clock in range(now, first_turn(rules, next_round)):
        playout.random_bits[clock, 0] = NO_RANDOM_CARD
        for seat in range(1, rules.num_players):
            block = random_block(RANDOM_CARDS, clock, seat, bits)
            is_random = playout.models[seat] == RANDOM or uniform(block[0]) < SLIP
            playout.random_bits[clock, seat] = np.int64(block[1]) if is_random else NO_RANDOM_CARD


@called
def play_on(world: World, sample: int, card: int, num_turns: int) -> ColumnValues:
    """Goes back to the present in the world, plays ``card`` there, and then the models' cards.

    Plays so many turns, at most to the end of the round. Returns the columns then, if there are.
    """
    known = world.played
    playout = world.playout
    rules = known.rules
    games = known.games
    copy_position(world.known.games, world.g, games)
    copy_values(world.first_cards[sample], playout.cards[0])
    playout.cards[0, 0] = card
    next_round = rules.round_at[games.clock[0]] + 1
    end = min(games.clock[0] + num_turns, first_turn(rules, next_round))
    columns = world.workspace.columns
    while True:
        play_turn(rules, games, 0, playout.cards)
        if not is_over(rules, games, 0):
            columns = know_public_values(known, world.workspace)
        if games.clock[0] == end:
            return columns
        choose_cards(known, playout, columns, world.workspace)


@compiled
def know_public_values(known: KnownGames, workspace: Workspace) -> ColumnValues:
    """Fills what all players know of the hands of game 0; returns its columns."""
    update_known_cards(known, 0)
    return value_columns(known.rules, known.games, 0, workspace.columns)


@compiled
def choose_cards(
    known: KnownGames, playout: PlayoutState, columns: ColumnValues, workspace: Workspace
) -> None:
    """Fills ``playout.cards`` by the models of all seats, or planner for one not in ``MODELS``."""
    games = known.games
    for seat in range(known.rules.num_players):
        hand = games.hands[0, seat]
        random_bits = playout.random_bits[games.clock[0], seat]
        if random_bits != NO_RANDOM_CARD:
            index = streams.below(np.uint64(random_bits), bitset.size(hand))
            card = bitset.nth_lowest(hand, index)
        else:
            values = formula_values(known, 0, seat, playout.models[seat], columns, workspace)
            card = best_card(hand, values.totals)
        playout.cards[0, seat] = card


@called
def write_sampled_game(
    known: KnownGames, g: int, hidden: HiddenPart, sample: int, copy: Games
) -> None:
    """Completes the hands of game ``g`` and the deal; game 0 of ``copy`` becomes a copy of it."""
    rules = known.rules
    games = known.games
    deal_hidden_cards(known, g, hidden.cards[sample])
    write_deck(known, g, hidden.cards[sample], copy)
    round_ = rules.round_at[games.clock[g]]
    copy_values(games.score_cards[g, round_], copy.score_cards[0, round_])
    copy_values(games.objectives[g, round_], copy.objectives[0, round_])
    next_round = round_ + 1
    for later in range(rules.num_rounds - next_round):
        copy_values(hidden.score_cards[sample, later], copy.score_cards[0, next_round + later])
        copy_values(hidden.objectives[sample, later], copy.objectives[0, next_round + later])
    copy_position(games, g, copy)


@compiled
def copy_position(games: Games, g: int, copy: Games) -> None:
    """Copies what play changes, without the log of cards played: the models do not read it."""
    copy.clock[0] = games.clock[g]
    copy_values(games.hands[g], copy.hands[0])
    copy_values(games.tableaux[g], copy.tableaux[0])
    copy_values(games.row[g], copy.row[0])
    for player in range(games.hands.shape[1]):
        copy_values(games.columns[g, player], copy.columns[0, player])
        for round_ in range(games.points.shape[1]):
            copy_values(games.points[g, round_, player], copy.points[0, round_, player])


@compiled
def copy_values(source: npt.NDArray[np.integer], target: npt.NDArray[np.integer]) -> None:
    """Copies element by element: assigning a slice would allocate, which kernels cannot."""
    for place in range(len(source)):
        target[place] = source[place]
