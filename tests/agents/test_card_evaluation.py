"""Bots play the card that they evaluate highest."""

import numpy as np
import pytest

from mindup_agents.card_evaluation import (
    CARD_PROBABILITY,
    EXPECTED_POINTS,
    WIN_PROBABILITY,
    CardEvaluator,
    evaluation_of,
)
from mindup_agents.policy import PolicyAgent
from mindup_env import BatchEnv, GameConfig, make_agent
from tests.training.policies import random_policy

CONFIG = GameConfig(num_objectives=1)


def arguments(turn: int) -> tuple[tuple[int, ...], tuple[np.ndarray, ...]]:
    """The hand of seat 2 and the arguments of its agent, after turns of low cards."""
    env = BatchEnv(CONFIG)
    env.reset(seed=4)
    for _ in range(turn):
        env.step(env.seen["action_mask"].argmax(axis=2))
    seen = env.seen["observation"][0, 2:3], env.seen["action_mask"][0, 2:3]
    return env.game(0).hand(2), (*seen, np.array([turn == 0]), np.array([9], np.uint64))


@pytest.mark.parametrize(
    ("spec", "unit"),
    [
        ("greedy", EXPECTED_POINTS),
        ("planner", EXPECTED_POINTS),
        ("predictor", EXPECTED_POINTS),
        ("search:simulations=16", WIN_PROBABILITY),
    ],
)
@pytest.mark.parametrize("turn", [0, 8])
def test_the_card_with_the_highest_value_is_played(spec: str, unit: str, turn: int) -> None:
    agent = make_agent(spec, CONFIG)
    hand, given = arguments(turn)
    (action,) = agent.act(*given).tolist()
    evaluation = evaluation_of(agent, hand)
    assert evaluation is not None and evaluation.unit == unit
    assert tuple(evaluation.values) == hand
    assert max(evaluation.values, key=evaluation.values.__getitem__) == action + 1
    if unit == WIN_PROBABILITY:
        assert all(0 <= chance <= 1 for chance in evaluation.values.values())


def test_a_mixed_strategy_gives_its_probabilities() -> None:
    agent = make_agent("search:simulations=16,simultaneous=true", CONFIG)
    hand, given = arguments(3)
    agent.act(*given)
    evaluation = evaluation_of(agent, hand)
    assert evaluation is not None and evaluation.unit == CARD_PROBABILITY
    assert sum(evaluation.values.values()) == pytest.approx(1)


@pytest.mark.parametrize("temperature", [0.0, 2.0])
def test_a_policy_gives_its_probabilities_at_any_temperature(temperature: float) -> None:
    agent = PolicyAgent.of(random_policy(CONFIG), CONFIG, temperature)
    hand, given = arguments(8)
    (action,) = agent.act(*given).tolist()
    evaluation = evaluation_of(agent, hand)
    assert evaluation is not None and evaluation.unit == CARD_PROBABILITY
    assert sum(evaluation.values.values()) == pytest.approx(1)
    likeliest = max(evaluation.values, key=evaluation.values.__getitem__)
    assert temperature or likeliest == action + 1


def test_a_bot_without_evaluations_has_none() -> None:
    agent = make_agent("random", CONFIG)
    assert not isinstance(agent, CardEvaluator)
    assert evaluation_of(agent, (1, 2)) is None
