"""Full games that one seat cannot distinguish from the game it plays, drawn at random."""

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import BatchState
from mindup_env.batch_env.state import observe_batch
from mindup_env.belief.hidden import HiddenPart, draw_hidden_part
from mindup_env.belief.observed import read_clock
from mindup_env.checks import check_array, check_int
from mindup_env.config import SCORE_CARDS, GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.clock import log_start
from mindup_env.engine.state import COLOUR_POINTS, NUM_COLUMNS, Int8Array
from mindup_env.game.deal import Deal
from mindup_env.observation import layout_of

Views = dict[str, Int8Array]
"""The parts of an observation."""
_OUTSIDE = NUM_COLUMNS + 1
"""After the columns, which count from 1."""


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
    size, n = layout_of(check_config(config)).size, check_int("n", n, 1)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, not {rng!r}")
    given = check_array("observation", observation, (size,), " with this config", kind="int8")
    try:
        clock, views = read_clock(given, config), layout_of(config).views(given)
        hidden = draw_hidden_part(config, views, n, rng)
        keys = make_keys(int(rng.integers(2**64, dtype=np.uint64)), n)
        batch = _make_games(config, views, clock, hidden)
        Deal.read(batch.games, 0).check(config)
        _check_same(batch, views)
    except ValueError as error:
        raise ValueError(f"no game shows this observation: {error}") from None
    return BatchState(config, batch.games, keys)


def _check_same(batch: Batch, views: Views) -> None:
    """Refuses games that show other bytes; they have all that the viewer sees in common."""
    first = observe_batch(batch.pick([0]))["observation"][0, 0]
    for name, shown in layout_of(batch.config).views(first).items():
        for at in map(tuple, np.argwhere(shown != views[name])[:1].tolist()):
            place, wrong = f"{name}{[*at]}" if at else name, views[name][at]
            raise ValueError(f"by its other parts, `{place}` must be {shown[at]}, not {wrong}")


def _make_games(config: GameConfig, views: Views, clock: int, hidden: HiddenPart) -> Batch:
    """Games that show what the viewer sees, with these hidden parts.

    Of what is over, any past will do that shows the same: of points only totals are visible, and
    of a tableau not the order within columns.
    """
    n, round_ = len(hidden.cards), int(views["round"]) - 1
    batch = Batch(config, n)
    games = batch.games
    games.score_cards[:, :round_] = config.score_order or SCORE_CARDS
    games.score_cards[:, round_] = views["score_cards"]
    games.score_cards[:, round_ + 1 :] = hidden.score_cards
    shown, used = np.flatnonzero(views["objectives"]), np.flatnonzero(views["objectives_used"])
    games.objectives[:, : round_ + 1] = shown
    if config.objectives_renewed:
        # These pairs of used objectives never share a letter, unless the observation is wrong.
        games.objectives[:, :round_] = used.reshape(len(shown), round_).T
    games.objectives[:, round_ + 1 :] = hidden.objectives

    row = np.flatnonzero(views["row"])
    last = row[views["row_players"].argsort()]  # (num_players,) what each played in the last turn
    columns = np.where(views["tableaux"], views["columns"][:, batch.rules.card_colours], _OUTSIDE)
    taken = views["tableaux"][0].sum(dtype=int)
    tableaux = columns.argsort(axis=1, kind="stable")[:, :taken]  # (num_players, cards)
    if taken == 1 and (np.diff(tableaux[last.argsort(), 0]) < 0).any():
        raise ValueError("in the last turn, the lowest card took the lowest prize, and so on")
    own = np.flatnonzero(views["hand"] > views["known"][0])
    unknown = np.concatenate([np.tile(own, (n, 1)), hidden.cards], 1)
    *parts, deck = np.split(unknown, views["unknown"].cumsum(dtype=int), axis=1)
    public = (np.tile(np.flatnonzero(cards), (n, 1)) for cards in views["known"])
    held = [np.concatenate(cards, 1) for cards in zip(public, parts, strict=True)]
    hands = np.stack(held, 1)  # (n, num_players, cards)
    if round_ == 0:
        # A player's hand, the card of the last turn and the tableau are one card more than were
        # dealt: after one turn, the tableau is a prize of the first row.
        seen = np.column_stack([last if clock else row, tableaux])
        cards = np.concatenate([hands, np.tile(seen, (n, 1, 1))], 2)
        drawn = np.concatenate([cards[:, :, :-1].reshape(n, -1), cards[:, :, -1]], 1)
    else:
        # Only the draws of this round matter. A card that was drawn and played since can be any
        # card that is in no hand, such as a prize.
        cards = np.concatenate([np.tile(row[:, None], (n, 1, 1)), hands], 2)
        draws = np.where(views["unknown"] > 0, cards[:, :, -1], row)
        earlier = views["hand"] | (views["row"] > 0) | views["tableaux"].any(0)
        earlier |= views["known"].any(0)
        earlier[draws[0]] = 0
        drawn = np.concatenate([np.tile(np.flatnonzero(earlier), (n, 1)), draws], 1)
    games.deck[:] = np.concatenate([drawn, deck], 1)

    kernels.set_up_all(batch.arrays)
    games.clock[:], games.row[:], games.hands[:] = clock, row, np.left_shift(1, hands).sum(2)
    if clock:
        games.played[:, clock - 1] = last
    games.points[:, :round_, :, COLOUR_POINTS] = views["round_scores"][:, :round_].T
    placed = np.tile(tableaux.astype(np.int8), (n, 1, 1))
    kernels.lay_tableaux(batch.arrays, placed, log_start(batch.rules, round_))
    return batch
