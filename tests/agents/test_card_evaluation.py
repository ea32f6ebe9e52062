"""Bots play the card that they evaluate highest."""

from typing import Any

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
POLICY = random_policy(CONFIG)


def arguments(turn: int) -> tuple[tuple[int, ...], tuple[np.ndarray, ...]]:
    """The hand of seat 2 and the arguments of its agent, after turns of low cards."""
    env = BatchEnv(CONFIG)
    env.reset(seed=4)
    for _ in range(turn):
        env.step(env.seen["action_mask"].argmax(axis=2))
    seen = env.seen["observation"][0, 2:3], env.seen["action_mask"][0, 2:3]
    return env.game(0).hand(2), (*seen, np.array([turn == 0]), np.array([9], np.uint64))


def make(spec: str) -> Any:
    name, _, temperature = spec.partition("=")
    if name == "policy":
        return PolicyAgent.of(POLICY, CONFIG, float(temperature))
    return make_agent(spec, CONFIG)


@pytest.mark.parametrize(
    ("spec", "unit"),
    [
        ("greedy", EXPECTED_POINTS),
        ("planner", EXPECTED_POINTS),
        ("predictor", EXPECTED_POINTS),
        ("search:simulations=16", WIN_PROBABILITY),
        ("champion-2:worlds=16", WIN_PROBABILITY),
        ("search:simulations=16,simultaneous=true", CARD_PROBABILITY),
        ("policy=0", CARD_PROBABILITY),
        ("policy=2", CARD_PROBABILITY),
    ],
)
@pytest.mark.parametrize("turn", [0, 8])
def test_the_card_with_the_highest_value_is_played(spec: str, unit: str, turn: int) -> None:
    """Except by those that draw a card from the probabilities."""
    agent, (hand, given) = make(spec), arguments(turn)
    (action,) = agent.act(*given).tolist()
    evaluation = evaluation_of(agent, hand)
    assert evaluation is not None and evaluation.unit == unit
    assert tuple(evaluation.values) == hand
    if "simultaneous" not in spec and spec != "policy=2":
        assert max(evaluation.values, key=evaluation.values.__getitem__) == action + 1
    if unit != EXPECTED_POINTS:
        assert all(0 <= chance <= 1 for chance in evaluation.values.values())
    if unit == CARD_PROBABILITY:
        assert sum(evaluation.values.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    "spec",
    ["greedy", "planner", "predictor", "search:simulations=4", "champion-2:worlds=9", "policy=0"],
)
def test_every_row_has_its_own_values(spec: str) -> None:
    """The values of a row are those that the bot computes for this row alone."""
    env = BatchEnv(CONFIG, 3)
    env.reset(seed=5)
    seen = [env.seen[name].reshape(12, -1) for name in ("observation", "action_mask")]
    starts, bits = np.ones(12, np.bool_), np.arange(12, dtype=np.uint64)

    def values_of(rows: slice) -> np.ndarray:
        agent = make(spec)
        actions = agent.act(*(each[rows] for each in (*seen, starts, bits)))
        assert isinstance(agent, CardEvaluator)
        _, values = agent.evaluate_cards()
        legal = np.where(seen[1][rows] == 1, values, -np.inf)
        assert (legal.max(axis=1) == legal[np.arange(len(actions)), actions]).all()
        return legal

    together = values_of(slice(12))
    alone = np.concatenate([values_of(slice(row, row + 1)) for row in (2, 11)])
    assert together.shape == (12, CONFIG.num_cards)
    assert together[[2, 11]] == pytest.approx(alone, rel=1e-5)
    assert not np.array_equal(together[2], together[11])


def test_a_game_that_is_over_has_no_values() -> None:
    agent, env = make("policy=0"), BatchEnv(CONFIG, autoreset=False)
    env.reset(seed=1)
    for _ in range(CONFIG.num_turns):
        env.step(env.seen["action_mask"].argmax(axis=2))
    seen = env.seen["observation"][0], env.seen["action_mask"][0]
    agent.act(*seen, np.zeros(4, np.bool_), np.zeros(4, np.uint64))
    assert not agent.evaluate_cards()[1].any()


def test_a_bot_without_evaluations_has_none() -> None:
    agent = make_agent("random", CONFIG)
    assert not isinstance(agent, CardEvaluator)
    assert evaluation_of(agent, (1, 2)) is None
