"""Whether given games are possible, compiled: they are played again from their deals.

A game is possible if it is what its deal and its plays lead to by the rules. A game that begins
in the middle is checked at its first turn, see ``mid_game``, and played again from there.
"""

import numpy as np
import numpy.typing as npt

from mindup_env.engine import bitset, mid_game, streams
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.dealing import drawable_objectives, set_up
from mindup_env.engine.kernels import BatchArrays, Keys
from mindup_env.engine.mid_game import POSSIBLE, ScoreBounds, copy_entries, set_of_cards
from mindup_env.engine.state import NUM_COLUMNS, Games, Int64Array, Rules
from mindup_env.engine.turns import play_turn
from mindup_env.objectives import NUM_OBJECTIVES

# What can be wrong with a game: a field of Games by its index, or the key of the game.
CLOCK, START_TURN = map(Games._fields.index, ("clock", "start_turn"))
DECK, SCORE_CARDS, OBJECTIVES = map(Games._fields.index, ("deck", "score_cards", "objectives"))
HANDS, TABLEAUX, COLUMNS = map(Games._fields.index, ("hands", "tableaux", "columns"))
ROW, POINTS, PLAYED, TAKEN = map(Games._fields.index, ("row", "points", "played", "taken"))
KEYS = len(Games._fields)
NUM_CHECKS = KEYS + 1

GivenGames = tuple[npt.NDArray[np.signedinteger], ...]
"""The fields of Games."""


@kernel
def find_impossible(
    arrays: BatchArrays, given: GivenGames, given_keys: Keys, score_bounds: ScoreBounds
) -> int:
    """Plays games again that may not be possible.

    Args:
        arrays: a batch of the same config.
        given: the fields of Games for n + 1 games: the last one is scratch, in which the others are
            played again.
        given_keys: the keys of these games (n + 1, 4).
        score_bounds: the bounds of the score of a round.

    Returns:
        POSSIBLE, or g * NUM_CHECKS + what is wrong with game g.
    """
    rules, games = Rules(*arrays[0]), Games(*given)
    again = len(given_keys) - 1
    for g in range(again):
        wrong = find_wrong(rules, games, g, again, score_bounds)
        if wrong == POSSIBLE and not is_key(given_keys[g]):
            wrong = KEYS
        if wrong != POSSIBLE:
            return g * NUM_CHECKS + wrong
    return POSSIBLE


@kernel
def copy_games(
    arrays: BatchArrays, keys: Keys, places: Int64Array, given: GivenGames, given_keys: Keys
) -> None:
    """Writes possible games, and their keys, into the ``places`` (n,) of a batch."""
    games, new = Games(*arrays[1]), Games(*given)
    for g in range(len(places)):
        copy_game(new, g, games, places[g])
        copy_entries(given_keys[g], keys[places[g]])


@compiled
def find_wrong(rules: Rules, games: Games, g: int, again: int, score_bounds: ScoreBounds) -> int:
    """What is wrong with game ``g``, which is played again as game ``again``."""
    if not 0 <= games.clock[g] <= rules.num_turns:
        return CLOCK
    if not 0 <= games.start_turn[g] <= games.clock[g]:
        return START_TURN
    wrong = find_wrong_deal(rules, games, g)
    if wrong != POSSIBLE:
        return wrong
    copy_entries(games.deck[g], games.deck[again])
    copy_entries(games.score_cards[g], games.score_cards[again])
    copy_entries(games.objectives[g], games.objectives[again])
    set_up(rules, games, again)
    if games.start_turn[g] > 0:
        wrong = mid_game.begin(rules, games, g, again, score_bounds)
    if wrong == POSSIBLE and not play_again(rules, games, g, again):
        wrong = PLAYED
    return find_difference(games, g, again) if wrong == POSSIBLE else wrong


@compiled
def find_wrong_deal(rules: Rules, games: Games, g: int) -> int:
    if set_of_cards(rules, games.deck[g]) == mid_game.NO_SET:
        return DECK
    for round_ in range(rules.num_rounds):
        values = 0
        for value in games.score_cards[g, round_]:
            if 1 <= value <= NUM_COLUMNS:
                values |= bitset.one(value)
        if bitset.size(values) != NUM_COLUMNS:
            return SCORE_CARDS
    return POSSIBLE if can_be_drawn(rules, games.objectives[g]) else OBJECTIVES


@compiled
def can_be_drawn(rules: Rules, objectives: npt.NDArray[np.int8]) -> bool:
    """Whether a deal can show these objectives (num_rounds, num_objectives)."""
    stay = objectives.shape[1] > 2
    earlier = 0
    for round_ in range(rules.num_rounds):
        shown = 0
        for place in range(objectives.shape[1]):
            objective = objectives[round_, place]
            if not 0 <= objective < NUM_OBJECTIVES:
                return False
            if not bitset.contains(drawable_objectives(earlier, shown), objective):
                return False
            if stay and objective != objectives[0, place]:
                return False
            shown |= bitset.one(objective)
        if not stay:
            earlier |= shown
    return True


@compiled
def play_again(rules: Rules, games: Games, g: int, again: int) -> bool:
    """Plays the cards of game ``g`` in game ``again``; False for a card that is in no hand."""
    for turn in range(games.start_turn[g], games.clock[g]):
        for seat in range(rules.num_players):
            card = games.played[g, turn, seat]
            if not 0 <= card < len(rules.card_colours):  # a shift by 64 or more is not defined
                return False
            if not bitset.contains(games.hands[again, seat], card):
                return False
            games.played[again, turn, seat] = card
        play_turn(rules, games, again, games.played[:, turn])
    return True


@compiled
def find_difference(games: Games, g: int, again: int) -> int:
    """The first field in which two games with the same deal differ."""
    found = POSSIBLE
    if differ(games.taken[g], games.taken[again]):
        found = TAKEN
    if differ(games.played[g], games.played[again]):
        found = PLAYED
    if differ(games.points[g], games.points[again]):
        found = POINTS
    if differ(games.row[g], games.row[again]):
        found = ROW
    if differ(games.columns[g], games.columns[again]):
        found = COLUMNS
    if differ(games.tableaux[g], games.tableaux[again]):
        found = TABLEAUX
    if differ(games.hands[g], games.hands[again]):
        found = HANDS
    return found


@compiled
def differ(first: npt.NDArray[np.signedinteger], second: npt.NDArray[np.signedinteger]) -> bool:
    difference = 0
    for i in range(first.size):
        difference |= int(first.flat[i] ^ second.flat[i])
    return difference != 0


@compiled
def is_key(key: npt.NDArray[np.uint64]) -> bool:
    return key[streams.SLOT] <= streams.LAST_PLACE and key[streams.EPISODE] <= streams.LAST_PLACE


@compiled
def copy_game(source: Games, g: int, target: Games, place: int) -> None:
    target.clock[place] = source.clock[g]
    target.start_turn[place] = source.start_turn[g]
    copy_entries(source.deck[g], target.deck[place])
    copy_entries(source.score_cards[g], target.score_cards[place])
    copy_entries(source.objectives[g], target.objectives[place])
    copy_entries(source.hands[g], target.hands[place])
    copy_entries(source.tableaux[g], target.tableaux[place])
    copy_entries(source.columns[g], target.columns[place])
    copy_entries(source.row[g], target.row[place])
    copy_entries(source.points[g], target.points[place])
    copy_entries(source.played[g], target.played[place])
    copy_entries(source.taken[g], target.taken[place])
