"""Exact algorithms on tiny decks, and bots measured by them."""

from functools import cache
from typing import Any

import pytest
from open_spiel.python.policy import python_policy_to_pyspiel_policy

from examples.studies.exploitability import measured
from mindup_env import GameConfig
from mindup_env.open_spiel import BotPolicy, load_game, load_tree
from mindup_env.open_spiel.pyspiel_extra import pyspiel
from tests.open_spiel.history_states import SCORE_ORDER, TINY
from tools.tables.reports import report


@cache
def tree() -> Any:
    return load_tree(TINY, score_order=SCORE_ORDER)


def turn_based() -> Any:
    return pyspiel.convert_to_turn_based(load_game(TINY, score_order=SCORE_ORDER))


def exploitability(bot: str, samples: int = 1) -> float:
    policy = BotPolicy(turn_based(), bot, samples=samples).to_tabular()
    return float(pyspiel.exploitability(tree(), python_policy_to_pyspiel_policy(policy)))


@cache
def uniform() -> float:
    return float(pyspiel.exploitability(tree(), pyspiel.UniformRandomPolicy(tree())))


def test_uniform_play_loses_a_fifth_of_the_victories_to_its_worst_enemy() -> None:
    assert uniform() == pytest.approx(0.2)


@pytest.mark.parametrize("solver", [pyspiel.CFRSolver, pyspiel.CFRPlusSolver])
def test_regret_minimisation_comes_close_to_an_equilibrium(solver: Any) -> None:
    solving = solver(tree())
    for _ in range(100):
        solving.evaluate_and_update_policy()
    assert pyspiel.exploitability(tree(), solving.average_policy()) < uniform() / 50


def test_bots_are_measured() -> None:
    """One turn is all that greedy thinks of, and here it is the whole game."""
    assert 0 < exploitability("greedy") < uniform() / 5 < uniform() < exploitability("highest")


def test_the_published_figures_are_those_of_today() -> None:
    published = report("exploitability")["one turn"]
    assert measured(TINY) == pytest.approx(published, abs=1e-4)


def test_the_chance_of_a_bot_is_counted() -> None:
    assert exploitability("random", samples=200) == pytest.approx(uniform(), abs=0.03)
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
