"""Exact values are those of an independent walk, and of OpenSpiel's algorithms on the same game."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.policy import Policy, python_policy_to_pyspiel_policy

from mindup_env import GameConfig
from mindup_env.agent import as_agent
from mindup_env.cards import card_of
from mindup_env.config import VARIANTS
from mindup_env.exact import ExactGame, play_probabilities
from mindup_env.open_spiel import load_game
from mindup_env.open_spiel.history import history_of
from mindup_env.open_spiel.observer import observation

FIXED = (2, 4, 1, 5, 3)
ONE_TURN = GameConfig(2, num_rounds=1, hand_size=2, num_cards=6, score_order=FIXED)
TWO_TURNS = GameConfig(2, num_rounds=1, hand_size=3, num_cards=8, score_order=FIXED)
THREE_PLAYERS = GameConfig(3, num_rounds=1, hand_size=2, num_cards=9, score_order=FIXED)


PUBLISHED = {  # players, deals, information states, ends; exploitability and win share of random
    "2p-1t": (2, 630, 420, 2_520, 0.1841, 0.393),
    "3p-1t": (3, 75_600, 7_560, 604_800, 0.1595, 0.241),
    "2p-2t": (2, 5_040, 32_760, 181_440, 0.3035, 0.332),
    "2p-2r": (2, 5_040, 404_040, 725_760, 0.3419, 0.318),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_small_games_have_the_published_sizes_and_values(name: str) -> None:
    game = ExactGame(VARIANTS[name])
    players, deals, states, ends, exploitability, share = PUBLISHED[name]
    assert game.config.num_players == players and len(game.turns[0].states) == deals
    assert sum(len(turn.seats) for turn in game.turns) == states and len(game.returns) == ends
    assert game.exploitability("random") == pytest.approx(exploitability, abs=6e-5)
    assert game.win_share("random", "greedy") == pytest.approx(share, abs=6e-4)


def shares_of_one_turn(hands: Any, row: Any, plays: tuple[int, ...]) -> list[float]:
    """The win shares after the only turn of a game with hands of two, by the text of the rules."""
    scores = []
    for hand, card in zip(hands, plays, strict=True):
        (kept,) = {*hand} - {card}
        prize = row[sorted(plays).index(card)]
        cards = [card_of(prize), card_of(kept)]
        columns = (0, 0) if cards[0].colour == cards[1].colour else (0, 1)
        scores.append(sum(FIXED[each] for each in columns) + sum(each.points for each in cards))
    winners = [score == max(scores) for score in scores]
    return [winner / sum(winners) for winner in winners]


def deals_of_one_turn(config: GameConfig) -> Iterator[tuple[Any, Any]]:
    """Every deal of hands of two and of a row."""
    numbers, players = {*range(1, config.num_cards + 1)}, config.num_players
    for hands in permutations(combinations(numbers, 2), players):
        left = numbers.difference(*hands)
        if len(left) == len(numbers) - 2 * players:  # no card is in two hands
            for row in combinations(sorted(left), players):
                yield hands, row


@pytest.mark.parametrize("config", [VARIANTS["2p-1t"], ONE_TURN, THREE_PLAYERS])
def test_random_play_is_as_exploitable_as_a_walk_over_all_games_finds(config: GameConfig) -> None:
    values: dict[Any, float] = defaultdict(float)
    deals = 0
    for hands, row in deals_of_one_turn(config):
        deals += 1
        for plays in product(*hands):
            shares = shares_of_one_turn(hands, row, plays)
            for seat, share in enumerate(shares):
                values[seat, hands[seat], row, plays[seat]] += share
    best: dict[Any, float] = defaultdict(float)
    for (*state, _), value in values.items():
        best[tuple(state)] = max(best[tuple(state)], value)
    players = config.num_players
    against = 2 ** (players - 1)  # the plays of the others
    expected = sum(best.values()) / (deals * against * players) - 1 / players
    assert ExactGame(config).exploitability("random") == pytest.approx(expected)


def load_tree(config: GameConfig) -> Any:
    return pyspiel.convert_to_cached_tree(pyspiel.convert_to_turn_based(load_game(config)))


@pytest.mark.parametrize("config", [ONE_TURN, TWO_TURNS])
def test_values_and_equilibria_are_those_of_openspiel(config: GameConfig) -> None:
    tree, game = load_tree(config), ExactGame(config)
    uniform = pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree))
    assert game.exploitability("random") == pytest.approx(uniform)
    solver, own = pyspiel.CFRPlusSolver(tree), game.solve()
    for _ in range(5):
        strategy = next(own)
        solver.evaluate_and_update_policy()
    found = pyspiel.exploitability(tree, solver.average_policy())
    assert found < uniform / 5
    assert game.exploitability(strategy) == pytest.approx(found)


class Leaning:
    """Plays a card with a probability in proportion to its number."""

    def act(self, *_: Any) -> Any:
        raise AssertionError

    def play_probabilities(self, _: Any, action_mask: Any, *_more: Any) -> Any:
        weights = action_mask * np.arange(1, action_mask.shape[1] + 1)
        return weights / weights.sum(1, keepdims=True)


class BotPolicy(Policy):
    """The action probabilities of a bot in a game of one turn, for OpenSpiel."""

    def __init__(self, game: Any, bot: Any) -> None:
        super().__init__(game, list(range(game.num_players())))
        self.bot = as_agent(bot, ONE_TURN)

    def action_probabilities(self, state: Any, player_id: Any = None) -> dict[int, float]:
        player = state.current_player() if player_id is None else player_id
        seen = observation(history_of(state).games[0], player)[None]
        mask = np.zeros((1, ONE_TURN.num_cards), np.int8)
        mask[0, state.legal_actions(player)] = 1
        turn = [{"observation": seen, "action_mask": mask}]
        (odds,) = play_probabilities(self.bot, turn, 1)
        return {action: odds[action] for action in state.legal_actions(player)}


@pytest.mark.parametrize("bot", ["planner", Leaning()])
def test_bots_are_measured_as_by_openspiel(bot: Any) -> None:
    game, tree = ExactGame(ONE_TURN), load_tree(ONE_TURN)
    policy = BotPolicy(pyspiel.convert_to_turn_based(load_game(ONE_TURN)), bot).to_tabular()
    found = pyspiel.exploitability(tree, python_policy_to_pyspiel_policy(policy))
    assert game.exploitability(bot) == pytest.approx(found)
    (odds,) = game.strategy(bot)
    np.testing.assert_allclose(odds.sum(1), 1)
    assert game.win_share([odds], "lowest") == pytest.approx(1 - game.win_share("lowest", [odds]))


class Coin:
    """Plays the lowest or the highest card, by a random bit."""

    def act(self, _: Any, action_mask: Any, __: Any, random_bits: Any) -> Any:
        highest = action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(1)
        return np.where(random_bits % 2 == 0, action_mask.argmax(1), highest)


def test_the_chance_of_a_bot_is_counted() -> None:
    (odds,) = ExactGame(ONE_TURN).strategy(Coin(), samples=200)
    assert ((odds > 0.3) & (odds < 0.7)).all() and np.allclose(odds.sum(1), 1)


def test_a_bot_that_remembers_sees_every_turn() -> None:
    seen: list[tuple[bool, int]] = []

    class Watcher:
        def act(self, _: Any, action_mask: Any, episode_start: Any, __: Any) -> Any:
            seen.append((bool(episode_start.all()), int(action_mask[0].sum())))
            return action_mask.argmax(axis=1)

    ExactGame(TWO_TURNS).strategy(Watcher())
    assert seen == [(True, 3), (True, 3), (False, 2)]


@pytest.mark.parametrize("chosen", [-1, 9, [[1]]])
def test_a_bot_that_plays_no_card_of_its_hand_is_refused(chosen: Any) -> None:
    class Wrong:
        def act(self, _: Any, action_mask: Any, *__: Any) -> Any:
            return np.zeros(len(action_mask), int) + chosen

    with pytest.raises(ValueError, match=r"bot 'Wrong' (cannot play card|must be integers)"):
        ExactGame(TWO_TURNS).strategy(Wrong())


def test_earlier_turns_are_recalled() -> None:
    game = ExactGame(TWO_TURNS)
    first, second = game.turns
    assert len(first.seats) == 2 * 56 * 10, "a hand of three of eight cards, and a row of two"
    np.testing.assert_array_equal(first.seats[second.before], second.seats)
    played = first.actions[second.before, second.slots]
    assert not (second.actions == played[:, None]).any(), "the card has left the hand"
    assert len(game.returns) == len(second.states) * 4
    np.testing.assert_allclose(game.returns.sum(1), 0, atol=1e-6)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (replace(ONE_TURN, num_objectives=1), "without objectives"),
        (replace(ONE_TURN, score_order=None), "with a score_order"),
        (GameConfig(3, score_order=FIXED), "at most 1,048,576 ends, as VARIANTS have"),
        ("2p-2t", "config must be a GameConfig"),
    ],
)
def test_a_game_without_exact_values_is_refused(config: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ExactGame(config)
