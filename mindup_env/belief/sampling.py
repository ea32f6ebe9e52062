"""Full games that one seat cannot distinguish from the game it plays, drawn at random."""

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import BatchState
from mindup_env.batch_env.state import observe_batch
from mindup_env.belief.hidden import HiddenPart, draw_hidden_part
from mindup_env.belief.observed import ContradictionError, Observed, read_observation
from mindup_env.checks import check_int
from mindup_env.config import SCORE_CARDS, GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.clock import log_start
from mindup_env.engine.state import COLOUR_POINTS, Int8Array, Int64Array
from mindup_env.game.deal import Deal
from mindup_env.observation import layout_of


def sample(
    observation: npt.ArrayLike, config: GameConfig, n: int, rng: np.random.Generator
) -> BatchState:
    """Samples full games that agree with one observation.

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
        observation: the vector (size,) that the seat sees.
        config: the rules of the game.
        n: number of games to sample.
        rng: the source of all chance.

    Returns:
        The state of ``n`` games, for ``BatchEnv.set_state``.

    Raises:
        ValueError: if no game agrees with the observation.
    """
    check_config(config)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, not {rng!r}")
    n = check_int("n", n, 1)
    given = np.asarray(observation)
    seen = read_observation(given, config)
    hidden = draw_hidden_part(config, seen.views, n, rng)
    keys = make_keys(int(rng.integers(2**64, dtype=np.uint64)), n)
    batch = Batch(config, n)
    hands = _write_deals(batch, seen, hidden)
    try:
        Deal.read(batch.games, 0).check(config)
        _write_tables(batch, seen, hands)
    except ValueError as error:
        raise ContradictionError(error) from None
    # The games have all that the viewer sees in common.
    shown = observe_batch(batch.pick([0]))["observation"][0, 0]
    for name, expected in layout_of(config).views(shown).items():
        for at in np.argwhere(expected != seen.views[name])[:1].tolist():
            place = f"{name}{at}" if at else name
            raise ContradictionError(
                f"by its other parts, `{place}` must be {expected[tuple(at)]}, not "
                f"{seen.views[name][tuple(at)]}"
            )
    return BatchState(config, batch.games, keys)


def _write_deals(batch: Batch, seen: Observed, hidden: HiddenPart) -> Int64Array:
    """Writes deals that lead to the hidden parts; returns the hands as sets (n, num_players)."""
    games, views, round_ = batch.games, seen.views, seen.round_
    # Finished rounds have any order of those that are possible.
    games.score_cards[:, :round_] = batch.config.score_order or SCORE_CARDS
    games.score_cards[:, round_] = views["score_cards"]
    games.score_cards[:, round_ + 1 :] = hidden.score_cards
    shown, used = np.flatnonzero(views["objectives"]), np.flatnonzero(views["objectives_used"])
    if batch.config.objectives_renewed:
        # These pairs of used objectives never share a letter, unless the observation is wrong.
        games.objectives[:, :round_] = used.reshape(len(shown), round_).T
    else:
        games.objectives[:, :round_] = shown
    games.objectives[:, round_] = shown
    games.objectives[:, round_ + 1 :] = hidden.objectives

    known = views["known"].astype(bool)
    known[0] = views["hand"]
    held = [np.tile(np.flatnonzero(cards), (len(hidden.cards), 1)) for cards in known]
    ends = views["unknown"][1:].cumsum(dtype=int).tolist()
    *own, deck = np.split(hidden.cards, ends, axis=1)
    for player, cards in enumerate(own, start=1):
        held[player] = np.concatenate([held[player], cards], 1)
    drawn = _first_cards(seen, held) if round_ == 0 else _later_cards(batch, seen, own)
    batch.games.deck[:] = np.concatenate([drawn, deck], 1)
    return np.stack([np.left_shift(1, cards.astype(np.int64)).sum(1) for cards in held], 1)


def _first_cards(seen: Observed, held: list[Int64Array]) -> Int64Array:
    """The hands and the row (n, cards) that are dealt in the first round.

    A player's hand, the card of the last turn and the tableau are one card more than were dealt:
    after one turn, the tableau is a prize of the first row.
    """
    last = seen.row if seen.clock == 0 else seen.last_turn  # before the first turn, it is the row
    hands, row = [], []
    for cards, card, tableau in zip(held, last, seen.tableaux, strict=True):
        public = np.tile([card, *tableau], (len(cards), 1))
        *dealt, prize = np.concatenate([cards, public], 1).T
        hands += dealt
        row.append(prize)
    return np.stack([*hands, *row], 1)


def _later_cards(batch: Batch, seen: Observed, own: list[Int8Array]) -> Int64Array:
    """The cards (n, cards) drawn until a later round: only those of this round matter."""
    views, n = seen.views, len(batch.games.clock)
    # A card that was drawn and played since can be any card that is in no hand, such as a prize.
    draws = np.tile(seen.row, (n, 1))
    if views["unknown"][0]:
        draws[:, 0] = (views["hand"] > views["known"][0]).argmax()
    for player, cards in enumerate(own, start=1):
        if cards.shape[1]:
            draws[:, player] = cards[:, 0]
    public = views["hand"] | (views["row"] > 0) | views["tableaux"].any(0) | views["known"].any(0)
    public[draws[0]] = 0
    return np.concatenate([np.tile(np.flatnonzero(public), (n, 1)), draws], 1)


def _write_tables(batch: Batch, seen: Observed, hands: Int64Array) -> None:
    """Sets the games, with ``hands`` (n, num_players) as sets, to what the viewer sees.

    Other games with another past show the same: of points only totals are visible, and of a tableau
    not the order within columns.
    """
    games, round_ = batch.games, seen.round_
    prizes = seen.tableaux[seen.last_turn.argsort()]  # by the cards that took them
    if prizes.shape[1] == 1 and (np.diff(prizes[:, 0]) < 0).any():
        raise ValueError("in the last turn, the lowest card took the lowest prize, and so on")
    kernels.set_up_all(batch.arrays)
    games.clock[:], games.row[:], games.hands[:] = seen.clock, seen.row, hands
    if seen.clock:
        games.played[:, seen.clock - 1] = seen.last_turn
    games.points[:, :round_, :, COLOUR_POINTS] = seen.views["round_scores"][:, :round_].T
    tableaux = np.tile(seen.tableaux, (len(hands), 1, 1))
    kernels.lay_tableaux(batch.arrays, tableaux, log_start(batch.rules, round_))
