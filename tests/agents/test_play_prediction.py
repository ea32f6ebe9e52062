"""What bots predict of the other players, and the prizes that follow from it."""

from itertools import product

import numpy as np
import pytest

from mindup_agents.play_prediction import predict_plays, predicted_plays, prize_probabilities
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.observation import layout_of

CONFIG = GameConfig(3, 2)


def test_prize_probabilities_are_those_of_all_outcomes() -> None:
    rng = np.random.default_rng(0)
    plays = rng.random((2, 3, 5))
    plays /= plays.sum(axis=2, keepdims=True)
    expected = np.zeros((2, 5, 4))
    for row, *cards in product(range(2), range(5), range(5), range(5)):
        probability = np.prod([plays[row, player, card] for player, card in enumerate(cards)])
        for own in range(5):
            expected[row, own, sum(card < own for card in cards)] += probability
    np.testing.assert_allclose(prize_probabilities(plays), expected)


@pytest.mark.parametrize("bot", ["predictor", "search:simulations=2", "champion-2:worlds=1"])
def test_only_cards_that_an_opponent_can_hold_are_predicted(bot: str) -> None:
    agent, env = make_agent(bot, CONFIG), BatchEnv(CONFIG, 2)
    env.reset(seed=1)
    rng, layout = np.random.default_rng(0), layout_of(CONFIG)
    learned = False
    for turn in range(CONFIG.num_turns):
        seen = env.seen["observation"].reshape(6, -1)
        bits = rng.integers(0, 2**64, 6, np.uint64)
        given = {"episode_start": np.full(6, turn == 0), "random_bits": bits}
        plays = predict_plays(agent, seen, CONFIG, **given)
        np.testing.assert_allclose(plays.sum(axis=2), 1, rtol=1e-6)
        views = layout.views(seen)
        public = (views["row"] > 0) | views["tableaux"].any(axis=1) | (views["hand"] > 0)
        for player in (1, 2):
            of_others = np.delete(views["known"], player, axis=1).any(axis=1)
            assert not plays[:, player - 1][public | of_others].any()
            learned |= bool((plays[:, player - 1] > 0.5).any())
        env.step(np.where(env.seen["action_mask"] > 0, rng.random((2, 3, 60)), -1).argmax(axis=2))
    assert learned


def test_a_prediction_is_that_of_the_turn_that_the_bot_sees() -> None:
    """Of champion-2 in its last turn of a round but one, when it knows almost all hands."""
    env = BatchEnv(CONFIG, 4)
    env.reset(seed=2)
    for _ in range(CONFIG.num_turns - 2):
        env.step(env.seen["action_mask"].argmax(axis=2))
    seen = env.seen["observation"].reshape(12, -1)
    plays = predict_plays("champion-2:worlds=1", seen, CONFIG)
    hands = layout_of(CONFIG).views(seen)["hand"].reshape(4, 3, -1)
    of_next = hands[:, [1, 2, 0]].reshape(12, -1) > 0
    known = layout_of(CONFIG).views(seen)["unknown"][:, 1] == 0
    assert known.any() and not plays[known, 0][~of_next[known]].any()


def test_other_bots_predict_nothing() -> None:
    assert predicted_plays(make_agent("greedy", CONFIG)) is None
    env = BatchEnv(CONFIG, 1)
    env.reset(seed=0)
    seen = env.seen["observation"][0]
    with pytest.raises(ValueError, match="bot 'greedy' predicts no cards; accepted: predictor"):
        predict_plays("greedy", seen, CONFIG)
