"""The hidden part of games, drawn at random: hands, the deck, and later rounds."""

from itertools import permutations

import numpy as np
import numpy.typing as npt

from mindup_env.belief.drawing import draw
from mindup_env.belief.observed import Observed
from mindup_env.belief.weights import scale_weights
from mindup_env.config import SCORE_CARDS
from mindup_env.engine.state import Float64Array, Games, Int64Array
from mindup_env.objectives import NUM_OBJECTIVES

_HIDDEN = -1
_SCORE_ORDERS = np.array(list(permutations(SCORE_CARDS)), np.int8)


def write_hidden_cards(
    seen: Observed, games: Games, rng: np.random.Generator, weights: Float64Array | None
) -> None:
    """Writes the decks, and adds the hidden cards to the opponents' hands."""
    unseen = seen.unseen.astype(np.int8)
    if weights is not None:
        weights = scale_weights(weights[:, unseen], seen.unknown)
    hidden = draw(unseen, len(games.clock), rng, seen.unknown, weights)
    deck = _deck_of(seen)
    games.deck[:] = deck
    games.deck[:, deck == _HIDDEN] = hidden
    first = 0
    for opponent, number in enumerate(seen.unknown, start=1):
        # No card occurs twice, so the sum of sets is their union.
        cards = np.int64(1) << hidden[:, first : first + number].astype(np.int64)
        games.hands[:, opponent] += cards.sum(axis=1)
        first += number


def _deck_of(seen: Observed) -> Int64Array:
    """A deck with _HIDDEN in the place of each hidden card, those of the opponents first.

    Only the draws of this round and of later rounds matter to the game. Where the past is visible,
    the deck is a possible deal of the whole game.
    """
    players, hand_size = seen.config.num_players, seen.config.hand_size
    deck = np.full(seen.config.num_cards, _HIDDEN)
    visible = [_visible(seen, player) for player in range(players)]
    if seen.round_ == 0:
        row = seen.row
        if seen.clock == 1 and seen.past_visible:  # who played which card for which prize
            played, row = row[seen.parts["row_players"].argsort()], _prizes_taken(seen)
            visible = [
                np.append(np.setdiff1d(cards, prize), card)
                for cards, prize, card in zip(visible, row, played, strict=True)
            ]
        for player, cards in enumerate(visible):
            end = (player + 1) * hand_size
            deck[end - len(cards) : end] = cards
        deck[players * hand_size : seen.cards_drawn] = row
        return deck
    first_draw = seen.cards_drawn - players
    draws = deck[first_draw : seen.cards_drawn]
    # A card that was drawn and played since can be any card that is in no hand, such as a prize.
    played = seen.parts["unknown"] == 0
    draws[played] = seen.row[played]
    if not played[0]:
        draws[0] = np.setdiff1d(seen.hand, np.flatnonzero(seen.parts["known"][0]))[0]
    rest = np.setdiff1d(np.concatenate([*visible, seen.row]), draws)
    deck[:first_draw] = rest
    return deck


def _visible(seen: Observed, player: int) -> Int64Array:
    """The cards in the hand and the tableau of a player that the viewer knows."""
    hand = seen.parts["hand"] if player == 0 else seen.parts["known"][player]
    return np.flatnonzero(hand + seen.parts["tableaux"][player])


def _prizes_taken(seen: Observed) -> Int64Array:
    """The card in each tableau, after one turn."""
    prizes: Int64Array = seen.parts["tableaux"].argmax(axis=1)
    return prizes


def write_score_cards(seen: Observed, games: Games, rng: np.random.Generator) -> None:
    """Writes uniformly random orders for later rounds, and any order for finished ones."""
    games.score_cards[:, : seen.round_] = SCORE_CARDS
    later = games.score_cards[:, seen.round_ + 1 :]
    later[:] = _SCORE_ORDERS[rng.integers(len(_SCORE_ORDERS), size=later.shape[:2])]


def write_objectives(seen: Observed, games: Games, rng: np.random.Generator) -> None:
    """Writes the objectives of all rounds; later ones are drawn as in a deal."""
    if not seen.config.objectives_renewed:
        games.objectives[:] = seen.shown
        return
    games.objectives[:, seen.round_] = seen.shown
    # These pairs of used objectives never share a letter, unless the observation is contradictory.
    games.objectives[:, : seen.round_] = seen.used.reshape(seen.shown.size, seen.round_).T
    unused = np.ones((len(games.clock), NUM_OBJECTIVES), bool)
    unused[:, [*seen.used, *seen.shown]] = False
    for round_ in range(seen.round_ + 1, seen.config.num_rounds):
        candidates = unused.copy()
        for place in range(seen.config.num_objectives):
            drawn = _any_of(candidates, rng)
            games.objectives[:, round_, place] = drawn
            for objective in (drawn, drawn ^ 1):  # the second has the same letter
                np.put_along_axis(candidates, objective[:, None], values=False, axis=1)
            np.put_along_axis(unused, drawn[:, None], values=False, axis=1)


def _any_of(candidates: npt.NDArray[np.bool_], rng: np.random.Generator) -> Int64Array:
    """A uniformly random candidate of each row."""
    chances = rng.random(candidates.shape)
    best: Int64Array = np.where(candidates, chances, -1).argmax(axis=1)
    return best
