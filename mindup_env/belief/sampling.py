"""Full games that one seat cannot distinguish from the game it plays, drawn at random."""

from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import BatchState
from mindup_env.batch_env.state import make_state, observe_game
from mindup_env.belief.observed import (
    ContradictionError,
    Observed,
    read_observation,
    refuse_disagreement,
)
from mindup_env.belief.weights import check_weights, draw, scale_weights
from mindup_env.config import SCORE_CARDS, GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Float64Array, Games, Int8Array, Int64Array
from mindup_env.game import Game
from mindup_env.game.deal import Deal
from mindup_env.objectives import NUM_OBJECTIVES
from mindup_env.settings.checks import check_int

_HIDDEN = -1
_SCORE_ORDERS = np.array(list(permutations(SCORE_CARDS)), np.int8)


class HiddenPart(NamedTuple):
    """What one seat does not know, drawn at random for n games."""

    cards: Int8Array  # (n, unseen) the opponents' hidden cards in their order, then the deck
    score_cards: Int8Array  # (n, later rounds, num_columns)
    objectives: Int8Array  # (n, later rounds, num_objectives)


def sample(
    observation: npt.ArrayLike,
    config: GameConfig,
    n: int,
    rng: np.random.Generator,
    weights: npt.ArrayLike | None = None,
) -> BatchState:
    """Samples full games that agree with one observation, or with each of several.

    The viewer is player 0 of these games and its opponents follow in seat order:
    ``BatchEnv(config, n, autoreset=False).set_state(range(n), state)`` shows player 0 the same
    observation, byte for byte, and the games can be played to the end. The deals that follow
    depend on ``rng`` too.

    Without ``weights``, the unseen cards are assigned uniformly at random to the opponents' hands
    and to the deck. Later orders of the score cards, and later objectives if each round has fresh
    ones, are drawn as in a deal. This is the exact posterior only if the opponents play uniformly
    at random: players who prefer some cards reveal, by each card that they play, which cards are
    probably still in their hands.

    With ``weights``, each opponent in turn draws its unknown cards one by one, each with a
    probability proportional to its weight among the unseen cards that are not drawn yet (a
    Plackett-Luce distribution). With one unknown card, the first opponent therefore holds a card
    with exactly its share of the weights; with more unknown cards, or for later opponents with
    large weights on the same cards, the shares are more even. The rest is the deck, in uniformly
    random order.

    The past of the games is unknown, except for the cards of the last turn and the totals of the
    finished rounds. A record of such a game begins with the sampled state.

    Args:
        observation: the vector (size,) that the seat sees; or those of B seats (B, size).
        config: the rules of the game.
        n: number of games to sample from each observation.
        rng: the source of all chance.
        weights: for each opponent, in seat order from the viewer, the weight of each card by its
            action (opponents, num_cards); the weights of seen cards do not count.

    Returns:
        The state of ``n`` games, for ``BatchEnv.set_state``; of B observations ``B * n`` games,
        those of the first before those of the second and so on, as calls for each would return.

    Raises:
        ValueError: if no game agrees with the observation, or if some opponent could be left with
            unknown cards to draw and no card of positive weight.
    """
    check_config(config)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, not {rng!r}")
    n = check_int("n", n, 1)
    given = np.asarray(observation)
    checked = None if weights is None else check_weights(weights, config)
    rows = given if given.ndim == 2 and len(given) else given[None]  # (B, size)
    games, keys = zip(*(_sample(row, config, n, rng, checked) for row in rows), strict=True)
    joined = games[0]
    if len(rows) > 1:
        joined = Games._make(map(np.concatenate, zip(*games, strict=True)))
    return make_state(config, joined, np.concatenate(keys))


def _sample(
    observation: npt.NDArray[Any],
    config: GameConfig,
    n: int,
    rng: np.random.Generator,
    weights: Float64Array | None,
) -> tuple[Games, Keys]:
    seen = read_observation(observation, config)
    hidden = draw_hidden_part(seen, n, rng, weights)
    keys = make_keys(int(rng.integers(2**64, dtype=np.uint64)), n)
    hands = hands_of(seen, hidden)
    first = _first_game(seen, hidden, hands[0])
    # All games have what the viewer sees in common; what is hidden is a deal of the unseen cards.
    sampled = observe_game(Game._of(first))["observation"][0]
    if (observation != sampled).any():
        refuse_disagreement(seen, sampled)
    games = first.pick(np.zeros(n, np.int64)).games
    write_deals(seen, hidden, games)
    games.hands[:] = hands
    return games, keys


def _first_game(seen: Observed, hidden: HiddenPart, hands: Int64Array) -> Batch:
    """The first of the sampled games, from an observation that some game can show."""
    first = Batch(seen.config, 1)
    write_deals(seen, HiddenPart._make(part[:1] for part in hidden), first.games)
    try:
        Deal.read(first.games, 0).check(seen.config)
        kernels.set_up_all(first.arrays)
        if not seen.past_visible:
            seen.start(hands).write(first)
        elif seen.clock == 1:
            kernels.play_all(first.arrays, seen.last_turn[None].astype(np.int8))
    except ValueError as error:
        raise ContradictionError(error) from None
    return first


# The hidden part of games: hands, the deck, and later rounds


def draw_hidden_part(
    seen: Observed, n: int, rng: np.random.Generator, weights: Float64Array | None = None
) -> HiddenPart:
    """Draws cards by the weights, later score cards and objectives as in a deal."""
    unseen = seen.unseen.astype(np.int8)
    if weights is not None:
        weights = scale_weights(weights[:, unseen], seen.unknown)
    cards = draw(unseen, n, rng, seen.unknown, weights)
    later_rounds = seen.config.num_rounds - seen.round_ - 1
    order = seen.config.score_order
    orders = _SCORE_ORDERS if order is None else np.array([order], np.int8)
    score_cards = orders[rng.integers(len(orders), size=(n, later_rounds))]
    return HiddenPart(cards, score_cards, _draw_objectives(seen, n, rng))


def write_deals(seen: Observed, hidden: HiddenPart, games: Games) -> None:
    """Writes deals that lead to what the viewer sees, and to the hidden part."""
    deck = _deck_of(seen)
    games.deck[:] = deck
    games.deck[:, deck == _HIDDEN] = hidden.cards
    # Finished rounds have any order of those that are possible.
    games.score_cards[:, : seen.round_] = seen.config.score_order or SCORE_CARDS
    games.score_cards[:, seen.round_] = seen.parts["score_cards"]
    games.score_cards[:, seen.round_ + 1 :] = hidden.score_cards
    games.objectives[:, seen.round_] = seen.shown
    games.objectives[:, seen.round_ + 1 :] = hidden.objectives
    # These pairs of used objectives never share a letter, unless the observation is contradictory.
    renewed = seen.config.objectives_renewed
    used = seen.used.reshape(seen.shown.size, seen.round_).T if renewed else seen.shown
    games.objectives[:, : seen.round_] = used


def hands_of(seen: Observed, hidden: HiddenPart) -> Int64Array:
    """The hands as sets (n, num_players), with the hidden cards."""
    hands = np.tile(seen.known_hands, (len(hidden.cards), 1))
    first = 0
    for opponent, number in enumerate(seen.unknown, start=1):
        # No card occurs twice, so the sum of sets is their union.
        cards = np.int64(1) << hidden.cards[:, first : first + number].astype(np.int64)
        hands[:, opponent] += cards.sum(axis=1)
        first += number
    return hands


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
            row = seen.parts["tableaux"].argmax(axis=1)
            visible = [
                np.append(np.setdiff1d(cards, prize), card)
                for cards, prize, card in zip(visible, row, seen.last_turn, strict=True)
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


def _draw_objectives(seen: Observed, n: int, rng: np.random.Generator) -> Int8Array:
    """The objectives of later rounds (n, later rounds, num_objectives)."""
    config = seen.config
    drawn = np.empty((n, config.num_rounds - seen.round_ - 1, config.num_objectives), np.int8)
    if not config.objectives_renewed:
        drawn[:] = seen.shown
        return drawn
    unused = np.ones((n, NUM_OBJECTIVES), bool)
    unused[:, [*seen.used, *seen.shown]] = False
    for later_round in drawn.swapaxes(0, 1):
        candidates = unused.copy()
        for place in range(config.num_objectives):
            objectives = _any_of(candidates, rng)
            later_round[:, place] = objectives
            for objective in (objectives, objectives ^ 1):  # the second has the same letter
                np.put_along_axis(candidates, objective[:, None], values=False, axis=1)
            np.put_along_axis(unused, objectives[:, None], values=False, axis=1)
    return drawn


def _any_of(candidates: npt.NDArray[np.bool_], rng: np.random.Generator) -> Int64Array:
    """A uniformly random candidate of each row."""
    chances = rng.random(candidates.shape)
    best: Int64Array = np.where(candidates, chances, -1).argmax(axis=1)
    return best
