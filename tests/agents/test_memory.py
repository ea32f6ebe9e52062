"""The features memory-1: what was played makes models of the opponents more or less likely."""

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.features import SeatFeatures, make_encoder
from mindup_agents.features.memory import LEAST_PROBABILITY, MEMORY_MODELS, PRIOR_SHARE
from mindup_env import BatchEnv, GameConfig

CONFIG = GameConfig(3, num_rounds=2, hand_size=4)
OPPONENTS, GAMES = CONFIG.num_players - 1, 2


def models_of(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The probabilities (N, S, P - 1, models) at the end of the table of rows without padding."""
    shape = make_encoder("memory-1", CONFIG).shape
    size = OPPONENTS * MEMORY_MODELS
    return (
        rows[..., shape.table - size : shape.table].reshape(*rows.shape[:2], OPPONENTS, -1).copy()
    )


def test_models_follow_bayes_rule_with_the_cards_that_were_played() -> None:
    env, rng = BatchEnv(CONFIG, GAMES), np.random.default_rng(0)
    env.reset(seed=3)
    features = SeatFeatures(env, "memory-1")
    raw = SeatFeatures(env, "raw-1")
    expected = np.full((GAMES, CONFIG.num_players, OPPONENTS, MEMORY_MODELS), 1 / MEMORY_MODELS)
    for turn in range(2 * CONFIG.num_turns):
        rows = features.read()
        np.testing.assert_allclose(models_of(rows), expected, rtol=1e-4)
        size = raw.shape.table
        np.testing.assert_array_equal(rows[..., :size], raw.read()[..., :size])
        plays = rng.random((*expected.shape, CONFIG.num_cards), np.float32)
        features.remember(plays.reshape(-1, *plays.shape[2:]))
        masks = env.seen["action_mask"]
        actions = np.where(masks > 0, rng.random(masks.shape), -1).argmax(axis=2)
        for game, seat, opponent in np.ndindex(expected.shape[:3]):
            card = actions[game, (seat + 1 + opponent) % CONFIG.num_players]
            own = expected[game, seat, opponent]
            own *= plays[game, seat, opponent, :, card] + LEAST_PROBABILITY
            own[:] = (1 - PRIOR_SHARE) * own / own.sum() + PRIOR_SHARE / MEMORY_MODELS
        if (turn + 1) % CONFIG.num_turns == 0:  # the next game has begun
            expected[:] = 1 / MEMORY_MODELS
        env.step(actions)


def test_without_predictions_all_models_stay_equally_likely() -> None:
    env = BatchEnv(CONFIG, GAMES)
    env.reset(seed=3)
    features = SeatFeatures(env, "memory-1")
    for _ in range(CONFIG.num_turns):
        assert models_of(features.read()) == pytest.approx(1 / MEMORY_MODELS)
        env.step(env.seen["action_mask"].argmax(axis=2))
