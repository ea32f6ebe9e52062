"""What chance decides: every deal of the engine, with its exact odds."""

import itertools
from collections import Counter
from math import comb

import pytest

from mindup_env import Game, GameConfig
from mindup_env.open_spiel.chance import Chance, Draws
from mindup_env.open_spiel.history_state import HistoryState
from mindup_env.open_spiel.parameters import read_deck
from tests.open_spiel.history_states import SCORE_ORDER, SIX_CARDS, TINY, dealt, random_history


def cards_of(game: Game) -> tuple[tuple[int, ...], ...]:
    hands = (game.hand(player) for player in range(game.config.num_players))
    return *hands, game.row


def test_every_deal_is_one_path_and_all_are_equally_likely() -> None:
    deck = read_deck(f"{SIX_CARDS}/pink")
    config = GameConfig(num_players=2, num_rounds=1, hand_size=2, deck=deck)
    paths = list(dealt(HistoryState(Chance(config, SCORE_ORDER))))
    found = Counter(cards_of(history.games[-1]) for history, _ in paths)
    number = comb(7, 2) * comb(5, 2) * comb(3, 2)
    assert len(found) == len(paths) == number
    assert all(odds == pytest.approx(1 / number) for _, odds in paths)


def test_a_later_round_deals_a_card_to_each_and_all_are_equally_likely() -> None:
    deck = read_deck(f"{SIX_CARDS}/pink/blue+1/blue")
    config = GameConfig(num_players=2, num_rounds=2, hand_size=2, deck=deck)
    history = next(history for history, _ in dealt(HistoryState(Chance(config, SCORE_ORDER))))
    game = history.games[-1]
    after = history.played((game.hand(0)[0], game.hand(1)[0]))
    assert after.dealing and after.rounds == 2 and after.game is game
    gone = {card for cards in cards_of(game) for card in cards}
    expected = set(itertools.permutations(set(range(1, 10)) - gone, 2))
    found = {}
    for later, odds in dealt(after):
        drawn = [{*later.games[-1].hand(seat)} - {*later.games[-1].known(seat)} for seat in (0, 1)]
        found[drawn[0].pop(), drawn[1].pop()] = odds
    assert found.keys() == expected
    assert all(odds == pytest.approx(1 / len(expected)) for odds in found.values())


@pytest.mark.parametrize(
    ("colours", "reached"),
    [(1, 1), (2, 2), (3, 2)],
    ids=["one colour", "two colours", "more colours than cards"],
)
def test_score_cards_that_nobody_can_reach_are_not_told_apart(colours: int, reached: int) -> None:
    names = ["orange", "pink", "blue", "green", "purple"][:colours]
    deck = read_deck("/".join(names[card % colours] for card in range(6)))
    chance = Chance(GameConfig(num_players=2, num_rounds=1, hand_size=2, deck=deck))
    draws = Draws(cards=tuple(range(6)))
    paths = list(dealt(HistoryState(chance, draws)))
    assert len(paths) == {1: 5, 2: 5 * 4}[reached]
    assert len({history.games[-1].score_cards[:reached] for history, _ in paths}) == len(paths)
    assert all(sorted(history.games[-1].score_cards) == [1, 2, 3, 4, 5] for history, _ in paths)


def test_all_orders_of_score_cards_come_up_where_they_matter() -> None:
    chance = Chance(GameConfig())
    cards = tuple(range(4 * 8))
    orders = {
        history.games[-1].score_cards for history, _ in dealt(HistoryState(chance, Draws(cards)))
    }
    assert orders == set(itertools.permutations((1, 2, 3, 4, 5)))


def test_a_fixed_order_lies_there_in_every_round() -> None:
    config = GameConfig(num_players=2, num_rounds=3, hand_size=3)
    history = random_history(Chance(config, SCORE_ORDER), seed=1)
    assert {game.score_cards for game in history.games} == {SCORE_ORDER}
    assert history.draws.score_cards == ()


@pytest.mark.parametrize("objectives", [1, 2, 3, 5])
def test_objectives_have_the_odds_of_the_engine(objectives: int) -> None:
    """Seen in many deals of the engine: what may come up does, as often as it should."""
    config = GameConfig(num_players=2, num_rounds=2, hand_size=2, num_objectives=objectives)
    chance = Chance(config)
    deals = [Game(config, seed=seed).deal.objectives for seed in range(3000)]
    first = Counter(shown[0][:2] for shown in deals)
    base = Draws(tuple(range(6)), (0, 1))
    expected: dict[tuple[str, ...], float] = {}
    for one, odds in chance.outcomes(base, 1):
        draws = chance.draw(base, 1, one)
        name = chance.name(base, 1, one)
        if objectives == 1:
            expected[name,] = odds
            continue
        for two, odds_after in chance.outcomes(draws, 1):
            expected[name, chance.name(draws, 1, two)] = odds * odds_after
    assert sum(expected.values()) == pytest.approx(1)
    assert first.keys() <= expected.keys()
    assert all(
        abs(first[shown] - 3000 * odds) < 5 * (3000 * odds) ** 0.5
        for shown, odds in expected.items()
    )


@pytest.mark.parametrize("objectives", range(6))
def test_objectives_of_later_rounds_go_by_the_rules(objectives: int) -> None:
    """A game refuses a deal that breaks them."""
    chance = Chance(GameConfig(num_players=3, num_objectives=objectives))
    for seed in range(5):
        history = random_history(chance, seed)
        draws = history.draws.objectives
        assert len(draws) == objectives * (3 if objectives in (1, 2) else 1)
        assert len(set(draws)) == len(draws)


def test_the_number_of_draws_is_told() -> None:
    for config in (TINY, GameConfig(num_objectives=2), GameConfig(num_players=6)):
        chance = Chance(config)
        assert chance.num_draws == sum(map(len, random_history(chance, 0).draws))
        assert chance.most_outcomes == max(config.num_cards, 14)
