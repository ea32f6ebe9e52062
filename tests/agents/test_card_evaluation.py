"""Bots play the card that they evaluate highest."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.card_evaluation import (
    CARD_PROBABILITY,
    COMPARED,
    EXPECTED_POINTS,
    WIN_PROBABILITY,
    evaluation_of,
    predictions_of,
)
from mindup_env import BatchEnv, GameConfig, make_agent
from tests.agents.policies import write_policy
from tests.agents.positions import all_seats

CONFIG = GameConfig(num_objectives=1)


def after(turns: int, num_games: int = 1) -> BatchEnv:
    """Games after turns of low cards."""
    env = BatchEnv(CONFIG, num_games, autoreset=False)
    env.reset(seed=4)
    for _ in range(turns):
        env.step(env.seen["action_mask"].argmax(axis=2))
    return env


@pytest.fixture(autouse=True, scope="module")
def _policy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A policy in the current folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("policy"))
        write_policy(Path("a.onnx"), CONFIG)
        yield


def make(spec: str) -> Any:
    return make_agent(spec, CONFIG)


@pytest.mark.parametrize(
    ("spec", "unit"),
    [
        ("greedy", EXPECTED_POINTS),
        ("planner", EXPECTED_POINTS),
        ("predictor", EXPECTED_POINTS),
        ("search:worlds=4", COMPARED),
        ("champion:worlds=9", WIN_PROBABILITY),
        ("policy:a.onnx", CARD_PROBABILITY),
        ("policy:a.onnx,temperature=2", CARD_PROBABILITY),
    ],
)
@pytest.mark.parametrize("turn", [0, 8])
def test_the_card_with_the_highest_value_is_played(spec: str, unit: str, turn: int) -> None:
    """Except by one that draws a card from the probabilities."""
    agent, env = make(spec), after(turn)
    hand = env.game(0).hand(2)
    given = all_seats(env).pick([2])._replace(episode_start=np.array([turn == 0]))
    (action,) = agent.act(*given).tolist()
    evaluation = evaluation_of(agent, hand)
    assert evaluation is not None and evaluation["unit"] == unit
    values = {int(card): value for card, value in evaluation["values"].items()}
    assert tuple(values) == hand
    if "temperature" not in spec:
        assert max(values, key=values.__getitem__) == action + 1
    if unit != EXPECTED_POINTS:
        assert all(0 <= chance <= 1 for chance in values.values())
    if unit == CARD_PROBABILITY:
        assert sum(values.values()) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("spec", ["greedy", "planner", "predictor", "search", "policy:a.onnx"])
def test_a_game_that_is_over_has_no_values_and_gets_action_0(spec: str) -> None:
    agent = make(spec)
    assert not agent.act(*all_seats(after(CONFIG.num_turns))).any()
    assert not agent.evaluate_cards()[1].any()


def test_a_bot_without_evaluations_or_predictions_has_none() -> None:
    assert evaluation_of(make("random"), (1, 2)) is None
    assert predictions_of(make("greedy")) is predictions_of(make("policy:a.onnx")) is None


@pytest.mark.parametrize("spec", ["predictor", "search:worlds=20", "champion:worlds=20"])
def test_the_cards_of_opponents_are_predicted(spec: str) -> None:
    """In the second round: seat 2 knows all cards of the others but one of each."""
    agent, env = make(spec), after(6)
    agent.act(*all_seats(env).pick([2]))
    predicted = predictions_of(agent)
    assert predicted is not None and len(predicted) == CONFIG.num_players - 1
    game = env.game(0)
    for opponent, chances in zip((3, 0, 1), predicted, strict=True):
        assert sum(chances.values()) == pytest.approx(1, abs=0.01)
        known, cards = {*game.known(opponent)}, {*map(int, chances)}
        assert known & cards and not cards & {*game.hand(2)}
        others = {card for seat in {0, 1, 3} - {opponent} for card in game.known(seat)}
        assert not cards & others


def test_a_policy_with_the_state_of_self_play_predicts_cards() -> None:
    env = BatchEnv(GameConfig(), 1)
    env.reset(seed=4)
    agent = make_agent("self-play", env.config)
    agent.act(*all_seats(env).pick([0]))
    predicted = predictions_of(agent)
    assert predicted is not None and len(predicted) == env.config.num_players - 1
    assert all(sum(chances.values()) == pytest.approx(1, abs=0.01) for chances in predicted)
