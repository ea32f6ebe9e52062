"""Full games that one seat cannot distinguish from the game it plays, drawn at random."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.belief.hidden import HiddenPart, draw_hidden_part
from mindup_env.checks import InputError, check_array, check_int, check_type
from mindup_env.config import SCORE_CARDS, GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, rules_of
from mindup_env.engine.clock import first_turn, log_start
from mindup_env.engine.keys import make_keys
from mindup_env.engine.state import COLOUR_POINTS, NUM_COLUMNS, Int8Array, Int64Array
from mindup_env.engine.streams import LAST_INDEX
from mindup_env.game.deal import Deal
from mindup_env.observation import layout_of
from mindup_env.observation.seen import observe

Views = dict[str, Int8Array]
_NO_GAME = "no game shows this observation"
_OUTSIDE = NUM_COLUMNS + 1  # after the columns, which count from 1


def sample(
    observation: npt.ArrayLike, config: GameConfig, n: int, rng: np.random.Generator
) -> Batch:
    """Samples full games that agree with one observation.

    The viewer is player 0 of these games; its opponents follow in seat order. After
    ``set_state(range(n), state)``, a ``BatchEnv`` of n games shows player 0 the same observation,
    byte for byte. The games can be played to the end; the deals after them depend on ``rng`` too.

    The unseen cards go uniformly at random to the opponents' hands and to the deck. Later score
    cards, and later objectives if they are renewed, are drawn as in a deal. This is the exact
    posterior only if the opponents play uniformly at random: by each card played, players who
    prefer some cards tell which ones they probably still have.

    Of the past, only the cards of the last turn and the totals of the finished rounds are known,
    so such a game has no record.

    Args:
        observation: what the seat sees (size,).
        config: the rules of the game.
        n: number of games.
        rng: the source of all chance.

    Returns:
        The state of ``n`` games, for ``BatchEnv.set_state``.

    Raises:
        ValueError: if no game agrees with the observation.
    """
    check_config(config)
    n = check_int("n", n, 1, LAST_INDEX)
    check_type("rng", rng, np.random.Generator)
    layout = layout_of(config)
    shape = (layout.size,)
    given = check_array("observation", observation, shape, " with this config", kind="int8")
    views = layout.views(given)
    clock = _clock_of(views, config) if layout.admits(given) else None
    if clock is None:
        raise InputError(f"{_NO_GAME}: its numbers of cards are those of no turn")
    hidden = draw_hidden_part(config, views, n, rng)
    try:
        batch = _make_games(config, views, clock, hidden)
        batch.games.keys[:] = make_keys(int(rng.integers(2**64, dtype=np.uint64)), n)
        Deal.read(batch.games, 0).check(config)
    except InputError as error:
        raise InputError(f"{_NO_GAME}: {error}") from None
    # They have all that the viewer sees in common.
    if (observe(batch.pick([0]))["observation"][0, 0] != given).any():
        raise InputError(f"{_NO_GAME}: its parts contradict each other")
    return batch.protected()


def _clock_of(views: Views, config: GameConfig) -> int | None:
    """The turns played before an observation; None if no turn has its numbers of cards.

    Whether the games made of it show the same is not known yet.
    """
    round_ = int(views["round"])
    turn = int(views["turn"])
    turns = config.turns_of(round_)
    is_over = round_ == config.num_rounds and not views["hand"].any()
    taken = turns + 1 if is_over else turn - 1
    left = turns + 1 - taken
    # In later rounds, the unknown card is the one drawn, until it is played.
    fewest = left if round_ == 1 else int(taken == 0)
    most = left if round_ == 1 else 1

    known = views["known"]
    unknown = views["unknown"]
    tableaux = views["tableaux"]
    is_row = views["row"] > 0
    seen = views["hand"] + is_row + tableaux.sum(0) + known[1:].sum(0)
    shown = config.num_objectives
    used = views["objectives_used"].sum()
    agrees = (
        1 <= round_ <= config.num_rounds
        and (turns if is_over else 1) <= turn <= turns
        and views["hand"].sum() == left
        and (known[0] <= views["hand"]).all()
        and is_row.sum() == config.num_players
        and seen.max() <= 1
        and (known.sum(1) + unknown == left).all()
        and ((fewest <= unknown) & (unknown <= most)).all()
        and (tableaux.sum(1) == taken).all()
        and views["objectives"].sum() == shown
        and (not config.objectives_renewed or used == shown * (round_ - 1))
    )
    return first_turn(rules_of(config), round_ - 1) + turn - 1 + is_over if agrees else None


def _make_games(config: GameConfig, views: Views, clock: int, hidden: HiddenPart) -> Batch:
    """Games that show what the viewer sees, with these hidden parts.

    Of what is over, any past will do that shows the same: of points only totals are visible, and
    of a tableau not the order within columns.
    """
    n = len(hidden.cards)
    round_ = int(views["round"]) - 1
    batch = Batch.empty(config, n)
    games = batch.games
    games.score_cards[:, :round_] = config.score_order or SCORE_CARDS
    games.score_cards[:, round_] = views["score_cards"]
    games.score_cards[:, round_ + 1 :] = hidden.score_cards
    games.objectives[:] = np.flatnonzero(views["objectives"])
    if config.objectives_renewed:
        used = np.flatnonzero(views["objectives_used"])
        # These pairs of used objectives never share a letter, unless the observation is wrong.
        games.objectives[:, :round_] = used.reshape(config.num_objectives, round_).T
        games.objectives[:, round_ + 1 :] = hidden.objectives

    row = np.flatnonzero(views["row"])
    last = row[views["row_players"].argsort()]  # (num_players,) what each played in the last turn
    colours = batch.rules.card_colours
    columns = np.where(views["tableaux"], views["columns"][:, colours], _OUTSIDE)
    taken = views["tableaux"][0].sum(dtype=int)
    tableaux = columns.argsort(axis=1, kind="stable")[:, :taken]  # (num_players, cards)
    if taken == 1 and (np.diff(tableaux[last.argsort(), 0]) < 0).any():
        raise InputError("in the last turn, the lowest card took the lowest prize, and so on")
    hands, deck = _hands_and_deck(views, hidden.cards)
    if round_ == 0:
        # A player's hand, the card of the last turn and the tableau are one card more than were
        # dealt: after one turn, the tableau is a prize of the first row.
        seen = np.column_stack([last if clock else row, tableaux])
        cards = np.concatenate([hands, _for_each(n, seen)], 2)
        dealt = cards[:, :, :-1].reshape(n, -1)
        drawn = np.concatenate([dealt, cards[:, :, -1]], 1)
    else:
        # Only the draws of this round matter. A card that was drawn and played since can be any
        # card that is in no hand, such as a prize.
        draws = _for_each(n, row)
        if hands.shape[2]:
            draws = np.where(views["unknown"] > 0, hands[:, :, -1], row)
        earlier = views["hand"] | (views["row"] > 0) | views["tableaux"].any(0)
        earlier |= views["known"].any(0)
        earlier[draws[0]] = 0
        drawn = np.concatenate([_for_each(n, np.flatnonzero(earlier)), draws], 1)
    games.deck[:] = np.concatenate([drawn, deck], 1)

    kernels.set_up_all(batch.rules, batch.games)
    games.clock[:] = clock
    games.row[:] = row
    games.hands[:] = np.left_shift(1, hands).sum(2)
    if clock:
        games.played[:, clock - 1] = last
    games.points[:, :round_, :, COLOUR_POINTS] = views["round_scores"][:, :round_].T
    placed = _for_each(n, tableaux.astype(np.int8))
    kernels.lay_tableaux(batch.rules, batch.games, placed, log_start(batch.rules, round_))
    return batch


def _hands_and_deck(views: Views, hidden: Int8Array) -> tuple[Int64Array, Int64Array]:
    """The hands (n, num_players, cards), the unknown ones last; and what is left of the deck."""
    n = len(hidden)
    own = np.flatnonzero(views["hand"] > views["known"][0])
    unknown = np.concatenate([_for_each(n, own), hidden], 1)
    *parts, deck = np.split(unknown, views["unknown"].cumsum(dtype=int), axis=1)
    hands = []
    for known, part in zip(views["known"], parts, strict=True):
        public = _for_each(n, np.flatnonzero(known))
        hands.append(np.concatenate([public, part], 1))
    return np.stack(hands, 1), deck


def _for_each(n: int, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same values for each of n games (n, ...)."""
    return np.broadcast_to(values, (n, *values.shape))
