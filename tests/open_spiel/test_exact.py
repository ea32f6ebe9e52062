"""Exact algorithms on tiny decks, and bots measured by them."""

from functools import cache
from typing import Any

import pyspiel
import pytest
from open_spiel.python.policy import python_policy_to_pyspiel_policy

from examples.studies.exploitability import measured
from mindup_env import GameConfig
from mindup_env.open_spiel import BotPolicy, load_game, load_tree
from mindup_env.open_spiel.parameters import read_deck
from tools.tables.reports import report

SIX_CARDS = read_deck("orange+1/pink/blue-1/pink/orange/blue+2")
TINY = GameConfig(num_players=2, num_rounds=1, hand_size=2, deck=SIX_CARDS)
"""One turn: all of it can be looked at."""
SCORE_ORDER = (2, 4, 1, 5, 3)


@cache
def tree() -> Any:
    return load_tree(TINY, score_order=SCORE_ORDER)


def turn_based() -> Any:
    return pyspiel.convert_to_turn_based(load_game(TINY, score_order=SCORE_ORDER))


def exploitability(bot: str, samples: int = 1) -> float:
    policy = BotPolicy(turn_based(), bot, samples=samples).to_tabular()
    return float(pyspiel.exploitability(tree(), python_policy_to_pyspiel_policy(policy)))


UNIFORM = 0.2
"""The win share that uniform play loses to its worst enemy."""


def test_regret_minimisation_comes_close_to_an_equilibrium() -> None:
    solver = pyspiel.CFRSolver(tree())
    for _ in range(100):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(tree(), solver.average_policy()) < UNIFORM / 50


def test_the_published_figures_are_those_of_today() -> None:
    """Among them those of bots: one turn is all that greedy thinks of, and here it is the game."""
    published = report("exploitability")["one turn"]
    assert published["uniform"] == pytest.approx(UNIFORM)
    assert measured(TINY) == pytest.approx(published, abs=1e-4)


def test_the_chance_of_a_bot_is_counted() -> None:
    assert exploitability("random", samples=200) == pytest.approx(UNIFORM, abs=0.03)
    state = turn_based().new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    odds = BotPolicy(turn_based(), "random", samples=200).action_probabilities(state)
    assert list(odds) == state.legal_actions()
    assert all(0.3 < chance < 0.7 for chance in odds.values())


def test_a_bot_that_remembers_sees_every_turn() -> None:
    config = GameConfig(num_players=2, num_rounds=2, hand_size=3)
    game = load_game(config)
    seen: list[tuple[bool, int]] = []

    class Watcher:
        def act(self, observation: Any, action_mask: Any, episode_start: Any, words: Any) -> Any:  # noqa: ARG002
            seen.append((bool(episode_start[0]), int(action_mask[0].sum())))
            return action_mask.argmax(axis=1)

    state = game.new_initial_state()
    for _ in range(3):
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        seen.clear()
        odds = BotPolicy(game, Watcher()).action_probabilities(state, 1)
        assert odds[state.legal_actions(1)[0]] == 1
        state.apply_actions([state.legal_actions(player)[0] for player in (0, 1)])
    assert seen == [(True, 3), (False, 2), (False, 4)]


def test_a_bot_is_refused_where_it_cannot_see() -> None:
    with pytest.raises(ValueError, match="from load_game or load_tree, not from kuhn_poker"):
        BotPolicy(pyspiel.load_game("kuhn_poker"), "lowest")
