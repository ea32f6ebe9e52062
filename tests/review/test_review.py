"""The review of games: what it may depend on, and how rarely it calls a good choice a mistake."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from mindup_agents.card_evaluation import COMPARED, WIN_PROBABILITY
from mindup_agents.champion import Champion
from mindup_agents.review import Choice, ComparedWorlds, GameReview, compare_cards, review_game
from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.agent import ActArguments
from mindup_env.engine.state import Float64Array
from tests.review.games import CONFIG, random_turns, rotated, with_other_hidden_cards

WORLDS = 24
GAMES = random_turns(Game(CONFIG, 3), 9)
"""A whole round, and a part of the second."""


def review(games: list[Game], seed: int = 0) -> GameReview:
    return review_game(games, seed=seed, worlds=WORLDS)


def mistakes(review: GameReview) -> list[Choice]:
    return [choice for choice in review.choices if choice.is_mistake]


def choices_of(review: GameReview, seat: int) -> list[Choice]:
    return [choice for choice in review.choices if choice.seat == seat]


@pytest.fixture(scope="module")
def reviewed() -> GameReview:
    return review(GAMES)


# What it depends on


@pytest.mark.parametrize("turns", [3, 7])
def test_hidden_cards_of_the_others_change_nothing(turns: int, reviewed: GameReview) -> None:
    other = with_other_hidden_cards(GAMES[: turns + 1])
    assert other[-1].hand(1) != GAMES[turns].hand(1) and other[-1].hand(0) == GAMES[turns].hand(0)
    found = choices_of(review(other), 0)
    assert found == choices_of(reviewed, 0)[:turns]
    assert len(found) == turns


def test_a_review_is_the_same_at_every_seat(reviewed: GameReview) -> None:
    turned = review(rotated(GAMES))
    assert turned.deal == (*reviewed.deal[-1:], *reviewed.deal[:-1])
    for seat in range(3):
        for one, other in zip(
            choices_of(reviewed, seat), choices_of(turned, (seat + 1) % 3), strict=True
        ):
            assert one._replace(seat=0) == other._replace(seat=0)


def test_a_seed_gives_one_review(reviewed: GameReview) -> None:
    assert review(GAMES).to_dict() == reviewed.to_dict()
    assert review(GAMES[:3], seed=1).choices != reviewed.choices[:6]


def test_a_review_can_be_stopped_while_it_works() -> None:
    parts: list[float] = []

    def stop(part: float) -> None:
        parts.append(part)
        if part > 0.3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        review_game(GAMES, worlds=WORLDS, on_progress=stop)
    assert parts == sorted(parts) and parts[0] == 0 and parts[-1] < 0.5


# Mistakes


def compared(first: Float64Array, second: Float64Array) -> ComparedWorlds:
    """The first card was played."""
    best = int(first.mean(axis=0).argmax())
    pair = np.stack([second[:, best], second[:, 0]], axis=1)
    cards = tuple(range(first.shape[1]))
    return ComparedWorlds(cards, first, best, pair, np.array([[1], [0], [2]]))


def test_choices_among_equal_cards_are_rarely_called_mistakes() -> None:
    """A 99 % interval excludes 0 on this side in one of 200 cases."""
    rng, decisions = np.random.default_rng(0), 2000
    alarms = biased_alarms = 0
    for _ in range(decisions):
        shared = rng.normal(0.3, 0.2, (240, 1))  # the luck of a world is the same for all cards
        values = shared + rng.normal(0, 0.1, (240, 8))
        alarms += Choice.of(compared(values[:60], values[60:]), 0, 0, 0).is_mistake
        biased_alarms += Choice.of(compared(values, values), 0, 0, 0).is_mistake
    assert alarms / decisions < 0.0075
    assert biased_alarms / decisions > 0.015  # the highest mean, measured where it was chosen


def test_a_worse_card_is_a_mistake() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0.3, 0.1, (240, 4)) + np.array([0, 0.1, 0, 0])
    choice = Choice.of(compared(values[:60], values[60:]), 0, 5, 2)
    assert choice.is_mistake and (choice.turn, choice.seat) == (5, 2)
    assert (choice.played, choice.best) == (1, 2)
    assert choice.cost == pytest.approx(0.1, abs=0.03) and choice.margin < 0.05
    shown = choice.values
    assert shown[1] == pytest.approx(choice.win_probability - choice.cost)
    assert shown[2] == pytest.approx(choice.win_probability)
    half = Choice.of(compared(values[:60], values[60:]), 0, 5, 2, lambda value: value / 2)
    of_half = half.cost, half.margin, half.win_probability, *half.values.values()
    parts = choice.cost, choice.margin, choice.win_probability, *choice.values.values()
    assert 2 * np.array(of_half) == pytest.approx(parts)
    first = values[:60].mean(axis=0)
    assert shown[2] - shown[3] == pytest.approx(first[1] - first[2]), "where both were played"
    assert choice.prizes == {1: (1, 0), 2: (2 / 3, 1 / 3)}, "one is lower in one of three worlds"
    same = Choice.of(compared(values[:60, 1:], values[60:, 1:]), 0, 0, 0)
    assert same.cost == same.margin == 0 and not same.is_mistake


def test_win_probabilities_are_from_0_to_1() -> None:
    """Also where a network answers a little more or less."""
    values = np.tile([-0.02, 1.01], (20, 1))
    choice = Choice.of(compared(values, values), 0, 0, 0, Champion(GameConfig(4)).chance)
    assert choice.values == {1: 0, 2: 1} and choice.win_probability == 1


def test_costs_add_up_and_only_clear_ones_are_mistakes(reviewed: GameReview) -> None:
    """A cost whose interval has 0, or that is below half a percent, is no mistake."""
    made = [(0, 0.02, 0.01), (1, 0.3, 0.1), (0, 0.04, 0.05), (0, 0.1234567, 0.01), (1, 0.004, 0)]
    choices = tuple(
        Choice(turn, seat, 1, 2, 0.5, cost, margin, {1: 0.5 - cost, 2: 0.5}, {})
        for turn, (seat, cost, margin) in enumerate(made)
    )
    review = replace(reviewed, choices=choices)
    assert [choice.turn for choice in mistakes(review)] == [0, 1, 3]
    assert review.costs == pytest.approx([0.1834567, 0.304, 0])
    plain = review.to_dict()["choices"]
    assert [choice["mistake"] for choice in plain] == [True, True, False, True, False]
    assert (plain[3]["cost"], plain[3]["values"]) == (0.1235, {"1": 0.3765, "2": 0.5})


def test_who_plays_the_best_card_is_rarely_mistaken() -> None:
    """The cards come from the same evaluation, in other sampled games."""
    search = Champion(CONFIG, worlds=160)
    env = BatchEnv(CONFIG, 1, autoreset=False)
    seen, _ = env.reset(seed=1)
    games, rng = [env.game(0)], np.random.default_rng(5)
    while not games[-1].over:
        mask = seen["action_mask"][0]
        bits = rng.integers(0, 2**64, 3, np.uint64)
        start = np.full(3, len(games) == 1)
        given = ActArguments(seen["observation"][0], mask, start, bits)
        found_worlds = compare_cards(search, given, mask.argmax(axis=1).tolist())
        seen, *_ = env.step([[each.best for each in found_worlds]])
        games.append(env.game(0))
    found = review_game(games, worlds=160)
    assert len(found.choices) == 63 and len(mistakes(found)) <= 3
    random_play = review_game(random_turns(Game(CONFIG, 1), 21), worlds=160)
    assert len(mistakes(random_play)) > 10
    assert sum(random_play.costs) > 3 * sum(found.costs)


# Luck


def test_a_deal_is_worth_what_its_seats_can_expect(reviewed: GameReview) -> None:
    assert 0.2 < min(reviewed.deal) < max(reviewed.deal) < 0.6
    assert abs(sum(reviewed.deal) - 1) > 0.01, "each seat estimates its own"
    late = random_turns(Game(CONFIG, 3), 20)
    spread = np.ptp(review(late[-1:]).deal)  # one turn before the end, more is certain
    assert spread > 2 * np.ptp(reviewed.deal)


def test_search_reviews_games_of_two_players(reviewed: GameReview) -> None:
    found = review(random_turns(Game(GameConfig(2), 3), 2))
    assert len(found.choices) == 4 and len(found.deal) == 2
    assert (reviewed.unit, found.unit) == (WIN_PROBABILITY, COMPARED)


@pytest.mark.parametrize("num_winners", [1, 2])
def test_the_result_is_part_of_a_finished_game(num_winners: int, reviewed: GameReview) -> None:
    assert reviewed.win_shares is None
    played = (random_turns(Game(CONFIG, seed), 21) for seed in count())
    games = next(each for each in played if len(each[-1].winners) == num_winners)
    shares = review_game(games[-2:], worlds=8).win_shares
    assert shares is not None and sum(shares) == pytest.approx(1)
    assert {seat for seat, share in enumerate(shares) if share} == set(games[-1].winners)
    plain = replace(reviewed, win_shares=shares).to_dict()
    assert plain["win_shares"] == list(shares) and len(plain["choices"]) == 27
