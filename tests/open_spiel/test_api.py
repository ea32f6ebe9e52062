"""OpenSpiel's own tests of a game, its algorithms, bots measured by them, and parameters."""

import random
import sys
from collections import Counter
from functools import partial
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import ismcts, mcts

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.config import VARIANTS
from mindup_env.open_spiel import load_game, resample
from mindup_env.open_spiel.game import DEFAULTS, read_parameters

SCORE_ORDER = (2, 4, 1, 5, 3)
TINY = GameConfig(2, num_rounds=1, hand_size=2, num_cards=6, score_order=SCORE_ORDER)
"""One turn: all of it can be looked at."""
LARGE = "turn_based_simultaneous_game(game=mindup(players=3,objectives=2,rounds=2))"


def turn_based() -> Any:
    return pyspiel.convert_to_turn_based(load_game(TINY))


class TestWholeTree(api_test.EnforceAPIOnFullTreeBase):
    game, game_name = turn_based(), "tiny"

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        hands, rows = 15 * 6, 1
        chance_nodes = sum(
            not state.is_terminal() and state.is_chance_node() for state in cls.all_states
        )
        api_test.TOTAL_NUM_STATES["tiny"] = (chance_nodes, hands * rows * 3, hands * rows * 4)
        # Each of the two knows a hand and a row, and four cards are left for these.
        api_test.PERFECT_RECALL_NUM_STATES["tiny"] = 2 * 15 * 6


class TestSomeStates(api_test.EnforceAPIOnPartialTreeBase):
    game, game_name = pyspiel.load_game(LARGE), "large"


@pytest.mark.parametrize(
    "name",
    [
        "mindup(players=3)",
        "mindup(players=2,rounds=1,hand_size=2,cards=6)",
        "mindup(players=3,rounds=2,hand_size=3,objectives=2)",
        "mindup(players=6,rounds=1,hand_size=2,objectives=4)",
        LARGE,
    ],
)
def test_random_play_keeps_the_rules_of_openspiel(name: str) -> None:
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def play_at_random(game: Any, seed: int) -> Any:
    state, rng = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, odds)[0])
        else:
            players = range(game.num_players())
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in players])
    return state


def test_returns_are_the_rewards_of_the_environments() -> None:
    config = GameConfig(num_players=3, num_rounds=2, hand_size=3)
    env = BatchEnv(config, 1, autoreset=False)
    env.reset(seed=0)
    for seed in range(5):
        state = play_at_random(load_game(config), seed)
        deal = state.history_state.games[-1].deal
        env.set_game(0, Game.from_deal(config, deal))
        paid = np.zeros(3)
        for cards in state.history_state.plays:
            paid += env.step(np.array([cards]) - 1)[1][0]
        np.testing.assert_allclose(state.returns(), paid, atol=1e-5)


def deal_at_random(state: Any, rng: np.random.RandomState) -> None:
    while state.is_chance_node():
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choice(outcomes, p=odds))


@pytest.mark.parametrize("config", [VARIANTS["2p-2r"], GameConfig(), GameConfig(3, 2)], ids=str)
def test_a_search_with_hidden_information_plays_a_whole_game(config: GameConfig) -> None:
    game = pyspiel.convert_to_turn_based(load_game(config))
    state, rng = game.new_initial_state(), np.random.RandomState(1)
    worlds = partial(resample, rng=np.random.default_rng(1))
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 2, random_state=rng)
    bot.set_resampler(worlds)
    dealt, others = np.zeros((config.num_players, config.hand_size)), 0
    while True:
        deal_at_random(state, rng)
        if state.is_terminal():
            break
        player = state.current_player()
        other = worlds(state, player)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert len(other.history()) == len(state.history())
        hands = np.reshape(other.history()[: dealt.size], dealt.shape)
        assert (np.diff(hands) > 0).all(), "as chance deals them"
        others += other.history() != state.history()
        state.apply_action(bot.step(state))
    assert others >= config.num_rounds and sum(state.returns()) == pytest.approx(0)


def test_resampled_are_the_cards_and_choices_of_the_others() -> None:
    game = pyspiel.convert_to_turn_based(load_game(VARIANTS["2p-1t"]))
    state, rng = game.new_initial_state(), np.random.default_rng(1)
    for action in (1, 2, 3, 4, 0, 6, 2):
        state.apply_action(action)
    worlds = Counter(tuple(resample(state, 1, rng).history()) for _ in range(600))
    assert {history[2:6] for history in worlds} == {(3, 4, 0, 6)}
    assert {(*history[:2], history[6]) for history in worlds} == {
        (*hand, card) for hand in combinations((1, 2, 5), 2) for card in hand
    }
    assert all(70 < number < 130 for number in worlds.values())
    for player in (0, -1):
        with pytest.raises(ValueError, match="for the player to move"):
            resample(state, player, rng)


def test_what_is_seen_of_a_state_is_what_the_project_shows() -> None:
    config = GameConfig(num_players=3)
    state = load_game(config).new_initial_state()
    other = pyspiel.convert_to_turn_based(state.get_game()).new_initial_state()
    while state.is_chance_node():
        action = state.legal_actions()[-1]
        state.apply_action(action)
        other.apply_action(action)
    deal = state.history_state.games[-1].deal
    env = BatchEnv(config, 1)
    env.reset(seed=0)
    seen = env.set_game(0, Game.from_deal(config, deal))["observation"]
    for player in range(3):
        one_hot = [float(player == other) for other in range(3)]
        assert state.observation_tensor(player) == [*one_hot, *seen[0, player].tolist()]
        to_move = [1.0, 0.0, 0.0]
        tensor = [*to_move, *one_hot, *state.observation_tensor(player)]
        assert other.observation_tensor(player) == tensor, "of the turn-based game"
    assert "score cards" in state.observation_string(0)
    private = pyspiel.IIGObservationType(public_info=False, perfect_recall=False)
    with pytest.raises(ValueError, match="public information and that of one player"):
        state.get_game().make_py_observer(private)


def test_without_openspiel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "mindup_env.open_spiel")
    with pytest.raises(ImportError, match=r"pip install 'mindup-env\[open-spiel\]'"):
        import_module("mindup_env.open_spiel")


# Parameters


def test_a_config_goes_through_openspiel() -> None:
    config = GameConfig(3, 1, 2, 3, 30, SCORE_ORDER)
    game = load_game(config)
    for same in (game, pyspiel.load_game(str(game))):
        assert same.config == config
    assert load_game().config == GameConfig()


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"players": 7}, "num_players must be 2 to 6, not 7"),
        ({"score_cards": "1/2/3"}, "score_order must have each of"),
        ({"score_cards": "fixed"}, "a value of score_order must be a whole number, not 'fixed'"),
    ],
)
def test_what_cannot_be_played_is_refused(parameters: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_parameters({**DEFAULTS, **parameters})
