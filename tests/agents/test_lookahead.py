"""The sampled games of champion-2, compiled and uncompiled."""

import numpy as np
import pytest

from mindup_agents.champion_2.bot import LookaheadBot
from mindup_env import GameConfig
from tests.agents.positions import joined, whole_games

CONFIG = GameConfig(3)
TURNS = whole_games(CONFIG, 1)
BEFORE, ARGUMENTS = (
    joined([TURNS[turn].pick([seat]) for seat, turn in enumerate(turns)])
    for turns in ([1, 11, 19], [2, 12, 20])
)
"""Two turns of each round, each time of one seat; the last one is the last turn of the game."""


@pytest.mark.parametrize("models", ["", "planner", "champion-1"])
def test_predictions_and_values_are_probabilities(models: str) -> None:
    """Of the cards of each opponent by each model, of the models, and of winning."""
    bot = LookaheadBot(CONFIG, 4, 0.5, models, 0.0, "")
    bot.act(*BEFORE)
    chosen = bot.act(*ARGUMENTS)
    beliefs = bot._beliefs
    if not models:
        cards = beliefs.card_probabilities[:, 1:].sum(axis=-1)
        assert cards == pytest.approx(np.ones(cards.shape))
    probabilities = beliefs.model_probabilities[:, 1:]
    assert probabilities.sum(axis=-1) == pytest.approx(np.ones((3, 2)))
    assert ((probabilities > 0).sum(axis=-1) == (1 if models else len(beliefs.prior))).all()
    _, values = bot.evaluate_cards()
    legal = np.where(ARGUMENTS.action_mask == 1, values, -np.inf)
    assert (legal.max(axis=1) == legal[np.arange(3), chosen]).all()
    assert (values >= 0).all() and (values <= 1).all() and len(np.unique(values)) > 4
