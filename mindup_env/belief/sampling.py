"""Full games that one seat cannot distinguish from the game it plays."""

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import BatchState
from mindup_env.batch_env.state import make_state, observe_game
from mindup_env.belief.hidden import HiddenPart, draw_hidden_part, hands_of, write_deals
from mindup_env.belief.observed import Observed, check_agreement, read_observation
from mindup_env.belief.weights import check_weights
from mindup_env.config import GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.state import Int64Array
from mindup_env.game import Game
from mindup_env.settings.checks import check_int


def sample(
    observation: npt.ArrayLike,
    config: GameConfig,
    n: int,
    rng: np.random.Generator,
    weights: npt.ArrayLike | None = None,
) -> BatchState:
    """Samples full games that agree with one observation.

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
        observation: the vector (size,) that the seat sees.
        config: the rules of the game.
        n: number of games to sample.
        rng: the source of all chance.
        weights: for each opponent, in seat order from the viewer, the weight of each card by its
            action (opponents, num_cards); the weights of seen cards do not count.

    Returns:
        The state of ``n`` games, for ``BatchEnv.set_state``.

    Raises:
        ValueError: if no game agrees with the observation, or if some opponent could be left with
            unknown cards to draw and no card of positive weight.
    """
    check_config(config)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator, not {rng!r}")
    n = check_int("n", n, 1)
    seen = read_observation(observation, config)
    checked = None if weights is None else check_weights(weights, config)
    hidden = draw_hidden_part(seen, n, rng, checked)
    keys = make_keys(int(rng.integers(2**64, dtype=np.uint64)), n)
    hands = hands_of(seen, hidden)
    games = _first_game(seen, hidden, hands[0]).pick(np.zeros(n, np.int64)).games
    write_deals(seen, hidden, games)
    games.hands[:] = hands
    return make_state(config, games, keys)


def _first_game(seen: Observed, hidden: HiddenPart, hands: Int64Array) -> Batch:
    """The first of the sampled games; an observation that it does not show is refused."""
    first = Batch(seen.config, 1)
    write_deals(seen, HiddenPart._make(part[:1] for part in hidden), first.games)
    kernels.set_up_all(first.arrays)
    if not seen.past_visible:
        seen.start(hands).write(first)
    elif seen.clock == 1:
        kernels.play_all(first.arrays, seen.last_turn[None])
    # All games have what the viewer sees in common; what is hidden is a deal of the unseen cards.
    check_agreement(seen, observe_game(Game._of(first))["observation"][0])
    return first
