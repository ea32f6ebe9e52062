"""A history is a game of the engine, and chance deals it with the exact odds."""

import copy
import itertools
import pickle
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import comb
from types import SimpleNamespace

import numpy as np
import pyspiel
import pytest
from numpy.typing import NDArray

from mindup_env import Game, GameConfig
from mindup_env.config import ScoreOrder
from mindup_env.open_spiel.history import CARD, Chance, HistoryState
from mindup_env.open_spiel.observer import Observer, information_state_string, observation

SCORE_ORDER = (2, 4, 1, 5, 3)
CONFIGS = [
    GameConfig(num_players=3, num_objectives=2),
    GameConfig(num_players=2, num_rounds=4, hand_size=2),
    GameConfig(num_players=4, num_rounds=1, num_objectives=5),
]


def small(
    num_cards: int, rounds: int = 1, hand_size: int = 2, score_order: ScoreOrder | None = None
) -> GameConfig:
    return GameConfig(2, 0, rounds, hand_size, num_cards, score_order)


def play_on(history: HistoryState, rng: random.Random) -> HistoryState:
    """One draw, or one turn, at random by the odds of the game."""
    if history.dealing:
        outcomes, odds = zip(*history.chance.outcomes(history.drawn), strict=True)
        return history.draw(rng.choices(outcomes, odds)[0])
    game = history.games[-1]
    return history.play(
        tuple(rng.choice(game.hand(player)) for player in range(game.config.num_players))
    )


def random_history(chance: Chance, seed: int) -> HistoryState:
    """A whole game."""
    rng, history = random.Random(seed), HistoryState(chance)
    while not history.over:
        history = play_on(history, rng)
    return history


def dealt(history: HistoryState, odds: float = 1.0) -> Iterator[tuple[HistoryState, float]]:
    """Every way that chance may go from here until somebody plays, with its odds."""
    if not history.dealing:
        yield history, odds
        return
    for outcome, chance in history.chance.outcomes(history.drawn):
        yield from dealt(history.draw(outcome), odds * chance)


# Chance


def test_every_deal_is_one_path_and_all_are_equally_likely() -> None:
    paths = list(dealt(HistoryState(Chance(small(7, score_order=SCORE_ORDER)))))
    games = [history.games[-1] for history, _ in paths]
    number = comb(7, 2) * comb(5, 2) * comb(3, 2)
    assert len({(game.hand(0), game.hand(1), game.row) for game in games}) == len(paths) == number
    assert all(odds == pytest.approx(1 / number) for _, odds in paths)


def test_a_later_round_deals_a_card_to_each_and_all_are_equally_likely() -> None:
    """Meanwhile the game is the one before; what comes after leaves a history as it was."""
    begun = HistoryState(Chance(small(9, rounds=2, score_order=SCORE_ORDER)))
    assert begun.games == () and begun.dealing and not begun.over
    history = next(history for history, _ in dealt(begun))
    game = history.games[-1]
    after = history.play((game.hand(0)[0], game.hand(1)[0]))
    assert after.dealing and after.rounds == 2 and after.games[-1] is game and history.plays == ()
    gone = {*game.hand(0), *game.hand(1), *game.row}
    expected = set(itertools.permutations({*range(1, 10)} - gone, 2))
    found = {}
    for later, odds in dealt(after):
        now = later.games[-1]
        drawn = [{*now.hand(seat)} - {*now.known(seat)} for seat in (0, 1)]
        found[drawn[0].pop(), drawn[1].pop()] = odds
    assert found.keys() == expected
    assert all(odds == pytest.approx(1 / len(expected)) for odds in found.values())


def test_all_orders_of_score_cards_come_up_or_one_is_fixed() -> None:
    paths = list(dealt(HistoryState(Chance(GameConfig()), tuple(range(4 * 8)))))
    orders = {history.games[-1].score_cards for history, _ in paths}
    assert orders == set(itertools.permutations((1, 2, 3, 4, 5)))
    assert all(odds == pytest.approx(1 / 120) for _, odds in paths)
    history = random_history(Chance(replace(CONFIGS[1], score_order=SCORE_ORDER)), seed=1)
    assert {game.score_cards for game in history.games} == {SCORE_ORDER}
    assert {*history.chance.draws} == {CARD}


@pytest.mark.parametrize("objectives", [1, 2, 3, 5])
def test_objectives_have_the_odds_of_the_engine(objectives: int) -> None:
    """Seen in many deals of the engine: what may come up does, as often as it should."""
    config = GameConfig(num_players=2, num_rounds=2, hand_size=2, num_objectives=objectives)
    chance, base = Chance(config), (*range(6), 0)
    deals = [Game(config, seed=seed).deal.objectives for seed in range(3000)]
    first = Counter(shown[0][:2] for shown in deals)
    expected: dict[tuple[str, ...], float] = {}
    for one, odds in chance.outcomes(base):
        name = chance.name(base, one)
        if objectives == 1:
            expected[name,] = odds
            continue
        for two, odds_after in chance.outcomes((*base, one)):
            expected[name, chance.name((*base, one), two)] = odds * odds_after
    assert sum(expected.values()) == pytest.approx(1)
    assert first.keys() <= expected.keys()
    assert all(
        abs(first[shown] - 3000 * odds) < 5 * (3000 * odds) ** 0.5
        for shown, odds in expected.items()
    )


@pytest.mark.parametrize("objectives", range(6))
def test_deals_go_by_the_rules_from_the_first_draw_to_the_last(objectives: int) -> None:
    config = GameConfig(num_players=3, num_objectives=objectives)
    history = random_history(Chance(config), seed=objectives)
    for number in range(len(history.drawn) + 1):
        history.chance.deal(history.drawn[:number]).check(config)


# Histories


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_history_is_the_game_of_its_deal(config: GameConfig) -> None:
    history = random_history(Chance(config), seed=2)
    deal = Chance(config).deal(history.drawn)
    game = Game.from_deal(config, deal)
    assert len(history.games) == config.num_turns + 1
    players = range(config.num_players)
    recalled = [information_state(history, player) for player in players]
    for turn, earlier in enumerate(history.games):
        assert earlier.plays == history.plays[:turn]
        for player in players:
            seen = observation(earlier, player)
            np.testing.assert_array_equal(seen, observation(game, player))
            np.testing.assert_array_equal(seen, recalled[player][turn])
        if turn < config.num_turns:
            game.play(history.plays[turn])
    assert history.games[-1] == game and game.over
    assert copy.deepcopy(history) is history
    again = pickle.loads(pickle.dumps(history))
    assert again.games == history.games and again.drawn == history.drawn


# What a seat recalls


def information_state(history: HistoryState, player: int) -> NDArray[np.float32]:
    observer = Observer(history.chance.config, pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(SimpleNamespace(history_state=history), player)
    return observer.dict["observation"]


def test_text_and_vectors_recall_the_same() -> None:
    """They tell the same histories apart, for every seat, in many deals of a small game."""
    chance = Chance(small(9, rounds=2, score_order=(1, 2, 3, 4, 5)))
    pairs, histories = set(), 0
    for begun, _ in dealt(HistoryState(chance, (2, 5, 0))):
        earlier = begun.games[-1]
        for cards in itertools.product(earlier.hand(0), earlier.hand(1)):
            for history, _ in dealt(begun.play(cards)):
                histories += 1
                for player in (0, 1):
                    vectors = player, information_state(history, player).tobytes()
                    pairs.add((information_state_string(history, player), vectors))
    assert len({text for text, _ in pairs}) == len({vectors for _, vectors in pairs}) == len(pairs)
    assert len(pairs) < 2 * histories, "some are the same for a seat"


def test_the_past_is_recalled_where_the_present_is_the_same() -> None:
    """Two ways to the same table: the vector of the moment does not tell them apart."""
    chance = Chance(small(12, hand_size=5, score_order=(1, 2, 3, 4, 5)))
    begun = HistoryState(chance, tuple(range(11))).draw(11)
    ways = [
        begun.play(one).play(two).play((3, 8)) for one, two in (((4, 7), (5, 9)), ((5, 9), (4, 7)))
    ]
    for player in (0, 1):
        now = [observation(history.games[-1], player).tobytes() for history in ways]
        assert now[0] == now[1]
        assert len({information_state(history, player).tobytes() for history in ways}) == 2
        assert len({information_state_string(history, player) for history in ways}) == 2
