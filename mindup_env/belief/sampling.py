"""Full games that one seat cannot distinguish from the game it plays, drawn at random."""

from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import BatchState
from mindup_env.batch_env.state import observe_batch
from mindup_env.belief.observed import (
    ContradictionError,
    Observed,
    members,
    read_observations,
    refuse_disagreement,
)
from mindup_env.checks import check_int
from mindup_env.config import SCORE_CARDS, GameConfig, check_config
from mindup_env.engine import bitset, kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.clock import log_start
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import COLOUR_POINTS, Float64Array, Games, Int8Array, Int64Array
from mindup_env.game.deal import Deal
from mindup_env.objectives import NUM_OBJECTIVES

HIDDEN = -1
_DEAL = Games._fields.index("clock")  # the fields before it are the deal
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
) -> BatchState:
    """Samples full games that agree with one observation, or with each of several.

    The viewer is player 0 of these games and its opponents follow in seat order. After
    ``set_state(range(n), state)``, a ``BatchEnv`` of n games shows player 0 the same observation,
    byte for byte, and the games can be played to the end. The deals that follow depend on ``rng``
    too.

    The unseen cards are assigned uniformly at random to the opponents' hands and to the deck. Later
    orders of the score cards, and later objectives if each round has fresh ones, are drawn as in a
    deal. This is the exact posterior only if the opponents play uniformly at random: players who
    prefer some cards reveal, by each card that they play, which cards are probably still in their
    hands.

    The past of the games is unknown, except for the cards of the last turn and the totals of the
    finished rounds, so that such a game has no record.

    Args:
        observation: the vector (size,) that the seat sees; or those of B seats (B, size).
        config: the rules of the game.
        n: number of games to sample from each observation.
        rng: the source of all chance.

    Returns:
        The state of ``n`` games, for ``BatchEnv.set_state``; of B observations ``B * n`` games,
        those of the first before those of the second and so on, as calls for each would return.

    Raises:
        ValueError: if no game agrees with the observation.
    """
    check_config(config)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, not {rng!r}")
    n = check_int("n", n, 1)
    given = np.asarray(observation)
    rows = given if given.ndim == 2 and len(given) else given[None]  # (B, size)
    seen = read_observations(rows, config)
    hidden, keys = [], []
    for row in range(len(rows)):
        hidden.append(draw_hidden_part(seen, row, n, rng))
        keys.append(make_keys(int(rng.integers(2**64, dtype=np.uint64)), n))
    clocks = seen.clocks
    if (clocks == clocks[0]).all():
        return BatchState(config, _games(seen, rows, hidden), np.concatenate(keys))
    batch = Batch(config, len(rows) * n)
    for clock in np.unique(clocks):
        of_clock = np.flatnonzero(clocks == clock)
        sampled = _games(seen.pick(of_clock), rows[of_clock], [hidden[row] for row in of_clock])
        places = (of_clock[:, None] * n + np.arange(n)).ravel()
        for field, values in zip(batch.arrays[1], sampled, strict=True):
            field[places] = values
    return BatchState(config, batch.games, np.concatenate(keys))


def _games(seen: Observed, rows: Int8Array, hidden: list[HiddenPart]) -> Games:
    """The games (B * n) of the hidden parts of B observations, which are at the same turn."""
    n = len(hidden[0].cards)
    games = Batch(seen.config, len(rows) * n)
    hands = _write_deals(seen, hidden, games.games)
    first = games.pick(np.arange(0, len(hands), n))
    try:
        for game in range(len(rows)):
            Deal.read(first.games, game).check(seen.config)
        kernels.set_up_all(first.arrays)
        if not seen.past_visible:
            _write_table(seen, hands[::n], first)
        elif seen.clocks[0] == 1:
            kernels.play_all(first.arrays, seen.last_turn.astype(np.int8))
    except ValueError as error:
        raise ContradictionError(error) from None
    # All games have what the viewer sees in common; what is hidden is a deal of the unseen cards.
    sampled = observe_batch(first)["observation"][:, 0]
    for game in np.argwhere(rows != sampled)[:1, 0].tolist():
        refuse_disagreement(seen, game, sampled[game])
    table = [field.repeat(n, axis=0) for field in first.arrays[1][_DEAL:]]
    return Games._make([*games.arrays[1][:_DEAL], *table])._replace(hands=hands)


def _write_table(seen: Observed, hands: Int64Array, batch: Batch) -> None:
    """Sets games, which are at the first turn of their deals, to what the viewers see.

    Other games with another past show the same: of points only totals are visible, and of a tableau
    not the order within columns. The ``hands`` are sets (B, num_players).
    """
    games, rules, round_, clock = batch.games, seen.rules, seen.round_, int(seen.clocks[0])
    columns = seen.parts["columns"][..., rules.card_colours]
    outside = np.where(seen.parts["tableaux"], columns, len(SCORE_CARDS) + 1)
    # Column by column, each ascending: the sort is stable, and other cards come last.
    tableaux = np.argsort(outside, axis=2, kind="stable")[..., : seen.taken].astype(np.int8)
    if seen.taken == 1:
        prizes = np.take_along_axis(tableaux[..., 0], seen.last_turn.argsort(axis=1), axis=1)
        if (np.diff(prizes.astype(np.int64), axis=1) < 0).any():
            raise ValueError("in the last turn, the lowest card took the lowest prize, and so on")
    games.clock[:] = clock
    games.played[:, clock - 1] = seen.last_turn
    games.row[:] = seen.row
    games.hands[:] = hands
    totals = seen.parts["round_scores"][..., :round_].swapaxes(1, 2)
    games.points[:, :round_, :, COLOUR_POINTS] = totals
    kernels.lay_tableaux(batch.arrays, np.ascontiguousarray(tableaux), log_start(rules, round_))


# The hidden part of games: hands, the deck, and later rounds


def draw_hidden_part(seen: Observed, game: int, n: int, rng: np.random.Generator) -> HiddenPart:
    """Draws cards, and later score cards and objectives as in a deal."""
    config = seen.config
    unseen = np.flatnonzero(seen.places[game] == 0).astype(np.int8)
    cards = np.tile(unseen, (n, 1))
    shuffle_all(cards, rng.random(cards.shape))
    later_rounds = config.num_rounds - int(seen.rounds[game]) - 1
    order = config.score_order
    orders = _SCORE_ORDERS if order is None else np.array([order], np.int8)
    score_cards = orders[rng.integers(len(orders), size=(n, later_rounds))]
    shown, used = (
        np.flatnonzero(seen.parts[name][game]) for name in ("objectives", "objectives_used")
    )
    objectives = np.empty((n, later_rounds, config.num_objectives), np.int8)
    if config.objectives_renewed:
        _draw_objectives(objectives, [*used, *shown], rng)
    else:
        objectives[:] = shown
    return HiddenPart(cards, score_cards, objectives)


@kernel
def shuffle_all(orders: Int8Array, chances: Float64Array) -> None:
    """Shuffles every row (Fisher and Yates)."""
    for g in range(len(orders)):
        order = orders[g]
        for place in range(len(order)):
            chosen = place + int(chances[g, place] * (len(order) - place))
            order[place], order[chosen] = order[chosen], order[place]


def _write_deals(seen: Observed, hidden: list[HiddenPart], games: Games) -> Int64Array:
    """Writes deals that lead to what the viewers see and to the hidden parts; returns the hands.

    The hands are sets (B * n, num_players).
    """
    round_, renewed, n = seen.round_, seen.config.objectives_renewed, len(hidden[0].cards)
    shown, used = (members(seen.parts[name]) for name in ("objectives", "objectives_used"))
    # Finished rounds have any order of those that are possible.
    games.score_cards[:, :round_] = seen.config.score_order or SCORE_CARDS
    games.score_cards[:, round_] = seen.parts["score_cards"].repeat(n, axis=0)
    games.score_cards[:, round_ + 1 :] = np.concatenate([each.score_cards for each in hidden])
    # These pairs of used objectives never share a letter, unless the observation is contradictory.
    earlier = used.reshape(*shown.shape, round_).swapaxes(1, 2) if renewed else shown[:, None]
    games.objectives[:, :round_] = earlier.repeat(n, axis=0)
    games.objectives[:, round_] = shown.repeat(n, axis=0)
    games.objectives[:, round_ + 1 :] = np.concatenate([each.objectives for each in hidden])
    games.deck[:] = _decks_of(seen).repeat(n, axis=0)
    known = np.left_shift(seen.known_hands, np.arange(seen.config.num_cards), dtype=np.int64)
    hands: Int64Array = known.sum(axis=2).repeat(n, axis=0)
    for game, (each, unknown) in enumerate(zip(hidden, seen.parts["unknown"], strict=True)):
        own = slice(game * n, (game + 1) * n)
        place_hidden(games.deck[own], hands[own], each.cards, unknown)
    return hands


@kernel
def place_hidden(decks: Int8Array, hands: Int64Array, cards: Int8Array, unknown: Int8Array) -> None:
    """Puts the hidden cards (n, unseen) into decks, and the opponents' into their hands as sets.

    Opponent ``player`` has the next ``unknown[player]`` of them, and the deck all.
    """
    for g in range(len(decks)):
        used = 0
        for player in range(1, len(unknown)):
            for card in cards[g, used : used + unknown[player]]:
                hands[g, player] |= bitset.one(card)
            used += unknown[player]
        used = 0
        for place in range(decks.shape[1]):
            if decks[g, place] == HIDDEN:
                decks[g, place] = cards[g, used]
                used += 1


def _decks_of(seen: Observed) -> Int8Array:
    """Decks (B, num_cards) with HIDDEN for each hidden card, those of the opponents first.

    Only the draws of this round and of later rounds matter to the game. Where the past is visible,
    the deck is a possible deal of the whole game.
    """
    players, hand_size = seen.config.num_players, seen.config.hand_size
    visible = seen.known_hands + seen.parts["tableaux"]  # (B, P, num_cards)
    decks = np.full((len(visible), seen.config.num_cards), HIDDEN, np.int8)
    row = seen.row
    if seen.round_ == 0:
        if seen.clocks[0] == 1 and seen.past_visible:  # who played which card for which prize
            row = seen.parts["tableaux"].argmax(axis=2)
            np.put_along_axis(visible, row[..., None], 0, axis=2)
            np.put_along_axis(visible, seen.last_turn[..., None], 2, axis=2)
        # The sort is stable: hidden cards come first, then the others ascending, then those played.
        dealt = np.argsort(visible, axis=2, kind="stable")[..., -hand_size:]
        dealt[np.take_along_axis(visible, dealt, axis=2) == 0] = HIDDEN
        decks[:, : players * hand_size] = dealt.reshape(len(dealt), -1)
        decks[:, players * hand_size : seen.cards_drawn] = row
        return decks
    unknown, first_draw = seen.parts["unknown"], seen.cards_drawn - players
    # A card that was drawn and played since can be any card that is in no hand, such as a prize.
    draws = np.where(unknown == 0, row, HIDDEN)
    drawn = seen.parts["hand"] > seen.parts["known"][:, 0]
    draws[:, 0] = np.where(unknown[:, 0] == 0, row[:, 0], drawn.argmax(axis=1))
    rest = visible.any(axis=1) | (seen.parts["row"] > 0)
    for player in range(players):
        (known,) = np.nonzero(draws[:, player] != HIDDEN)
        rest[known, draws[known, player]] = False
    decks[:, :first_draw] = np.argsort(~rest, axis=1, kind="stable")[:, :first_draw]
    decks[:, first_draw : seen.cards_drawn] = draws
    return decks


def _draw_objectives(drawn: Int8Array, earlier: list[int], rng: np.random.Generator) -> None:
    """Draws objectives (n, later rounds, num_objectives) that no ``earlier`` round has."""
    unused = np.ones((len(drawn), NUM_OBJECTIVES), bool)
    unused[:, earlier] = False
    for later_round in drawn.swapaxes(0, 1):
        candidates = unused.copy()
        for place in range(drawn.shape[2]):
            objectives = _any_of(candidates, rng)
            later_round[:, place] = objectives
            for objective in (objectives, objectives ^ 1):  # the second has the same letter
                np.put_along_axis(candidates, objective[:, None], values=False, axis=1)
            np.put_along_axis(unused, objectives[:, None], values=False, axis=1)


def _any_of(candidates: npt.NDArray[np.bool_], rng: np.random.Generator) -> Int64Array:
    """A uniformly random candidate of each row."""
    chances = rng.random(candidates.shape)
    best: Int64Array = np.where(candidates, chances, -1).argmax(axis=1)
    return best
