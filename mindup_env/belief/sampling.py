"""Full games that a seat cannot tell from the one it plays."""

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import BatchEnv, BatchState
from mindup_env.belief.hidden import draw_objectives, hide_cards, order_score_cards
from mindup_env.belief.public_state import lay_table
from mindup_env.belief.validation import check_agreement, read
from mindup_env.belief.weights import check_weights
from mindup_env.checks import check_int
from mindup_env.config import GameConfig
from mindup_env.engine.batch import make_keys
from mindup_env.engine.state import Games, Int8Array, make_games


def sample(
    observation: npt.ArrayLike,
    config: GameConfig,
    n: int,
    rng: np.random.Generator,
    weights: npt.ArrayLike | None = None,
) -> BatchState:
    """``n`` full games that agree with all that a seat knows from one observation of it.

    The viewer is player 0 of these games and its opponents follow in seat order, so that
    ``BatchEnv(config, n, autoreset=False).set_state(range(n), state)`` shows player 0 the
    observation again, byte for byte, and can be played on to the end. A game that is dealt after
    that one depends on ``rng`` too.

    Without ``weights``, the hidden cards are a uniformly random assignment of the unseen cards to
    the opponents' hands and to the deck. Later orders of the score cards, and later objectives
    where they are fresh each round, are drawn as in a deal.

    That is the exact posterior only if the opponents play at random. Before play every assignment
    is as likely as any other. What is seen of the play then counts for each assignment by how
    likely the cards played were to come from those hands: random play makes that the same for
    all hands of a size, but a player who prefers some cards tells by each card played which
    cards are likely still in the hand.

    For a bot that believes more, ``weights`` (opponents, cards) has a row for each opponent, in
    seat order from the viewer, and a column for each card by action; those of seen cards do not
    count. One opponent after another draws its unknown cards one by one, each with a probability
    of its weight divided by the weights of all unseen cards that are not drawn yet (the
    distribution of Plackett and Luce; opponents who come later choose from what is left). So with
    one unknown card, the first opponent holds a card with exactly its share of the weights; more
    cards, or an earlier opponent who wants the same ones, even the shares out. The cards still in
    the deck stay uniformly random among the rest. Weights are refused if an opponent with unknown
    cards could be left without a card of a weight above zero, whatever chance decides.

    The games have no past: of the turns before, only the cards of the last one are in them, and
    of finished rounds only the totals. A record of such a game begins with the state sampled.
    """
    if not isinstance(config, GameConfig):
        raise ValueError(f"config must be a GameConfig, not {config!r}")
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, not {rng!r}")
    n = check_int("n", n, 1)
    seen = read(observation, config)
    checked = None if weights is None else check_weights(weights, config)
    games = make_games(config, n)
    lay_table(seen, games)
    hide_cards(seen, games, rng, checked)
    order_score_cards(seen, games, rng)
    draw_objectives(seen, games, rng)
    state = BatchState(games, make_keys(int(rng.integers(2**64, dtype=np.uint64)), n))
    check_agreement(seen, _sight_of_first(state, config))
    return state


def _sight_of_first(state: BatchState, config: GameConfig) -> Int8Array:
    """What player 0 sees of the first game."""
    first = BatchState(Games._make(field[:1] for field in state.games), state.keys[:1])
    env = BatchEnv(config, autoreset=False)
    sight: Int8Array = env.set_state([0], first)["observation"][0, 0]
    return sight
