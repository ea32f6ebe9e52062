"""The linear bidder: what it sees, and that it plays the card it values most."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_agents.linear import FEATURES, play_against_random
from mindup_env import Game, GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys


def weights_of(**given: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[given.get(feature, 0.0) for feature in FEATURES]])


def choice(batch: Batch, weights: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> int:
    """The card number that seat 0 of the only game plays."""
    cards = np.zeros((1, batch.config.num_players), np.int8)
    seat = np.zeros(1, np.int8)
    play_against_random(batch.table, make_keys(0, 1), seat, weights, cards)
    return int(cards[0, 0]) + 1


def after(turns: int, seed: int) -> Batch:
    batch, keys = Batch(GameConfig(4), 1), make_keys(seed, 1)
    kernels.deal_all(batch.table, keys)
    cards = np.zeros((1, 4), np.int8)
    for _ in range(turns):
        kernels.play_at_random(batch.table, keys, cards)
    return batch


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**64 - 1), st.integers(0, 20), st.permutations([1, 2, 3]))
def test_it_does_not_see_what_is_hidden(seed: int, turns: int, others: list[int]) -> None:
    batch = after(turns, seed)
    weights = weights_of(prize=2.0, points=-0.5, keep=-1.0, high=1.0, middle=0.5)
    before = choice(batch, weights)
    batch.games.hands[0, 1:] = batch.games.hands[0, others]
    batch.games.deck[0] = batch.games.deck[0, ::-1]
    assert choice(batch, weights) == before


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**64 - 1), st.integers(0, 20))
def test_it_plays_the_card_with_the_most_of_a_feature(seed: int, turns: int) -> None:
    batch = after(turns, seed)
    game = Game.from_batch(batch, 0)
    hand = game.hand(0)
    points = {card: game.config.deck[card].points for card in hand}
    assert choice(batch, weights_of()) == hand[0]
    assert choice(batch, weights_of(high=1.0)) == hand[-1]
    assert points[choice(batch, weights_of(points=1.0))] == max(points.values())
    from_middle = {card: abs(card - 30.5) for card in hand}
    assert from_middle[choice(batch, weights_of(middle=1.0))] == min(from_middle.values())


def test_it_wins_the_best_prize_it_can_expect() -> None:
    # Score cards 1-5-2-3-4: nothing is placed yet, so every prize opens the column worth 1 and
    # the bonus decides. The row is 16 (+2), 18, 42 (-1), 48 (-1): best is the lowest place.
    deck = [5, 20, 59, 1, 2, 3, 4, 6, 7, 8, 9, 10, 16, 18, 42, 48]
    deck += [card for card in range(1, 61) if card not in deck]
    config = GameConfig(4, num_rounds=1, hand_size=3)
    game = Game.from_deal(config, deck, [(1, 5, 2, 3, 4)])
    assert choice(game._batch, weights_of(prize=1.0)) == 5
    assert choice(game._batch, weights_of(prize=-1.0)) == 59
