"""A budget ends a run, covers all its processes, and can be raised to go on."""

import os
from pathlib import Path

import pytest

from mindup_agents.llm import BUDGET, budget_of_run
from mindup_agents.llm.environment import RUN, Prices, parse_budget
from mindup_agents.llm.kept_answers import KeptAnswers
from mindup_env.agent import StopRunError
from tests.llm.games import first_turn, model
from tests.llm.server import StandIn, completion

EACH = 0.01
"""The cost of an answer at these prices."""
PRICES = "10/0"


def test_a_run_stops_when_the_budget_is_spent_and_goes_on_with_a_larger_one(
    server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = first_turn(4)
    expected = model().act(*seats).tolist()
    server.requests.clear()
    for budget, asked in ((2.5 * EACH, 3), (5.5 * EACH, 6), (100 * EACH, 8)):
        monkeypatch.setenv(BUDGET, str(budget))
        bot = model(tmp_path, prices=PRICES, concurrency=1)
        if asked < len(expected):
            problem = rf"the budget of {budget:g} is spent \({asked * EACH:.4f}\): resume"
            with pytest.raises(StopRunError, match=problem):
                bot.act(*seats)
        else:
            assert bot.act(*seats).tolist() == expected
        assert len(server.requests) == asked
    monkeypatch.setenv(BUDGET, str(EACH))
    assert model(tmp_path, prices=PRICES).act(*seats).tolist() == expected, "all is paid already"


def test_the_budget_of_an_arena_is_one_for_all_of_its_bots(server: StandIn, tmp_path: Path) -> None:
    """Each has a folder of its own; the files of other runs beside it do not count."""
    model(tmp_path / "other" / "bots" / "one", prices=PRICES).act(*first_turn(1))
    with budget_of_run(str(3.5 * EACH), tmp_path / "arena"):
        folders = [tmp_path / "arena" / "bots" / name for name in ("one", "two")]
        one, two = (
            model(folder, prices=PRICES, concurrency=1, seed=seed)
            for seed, folder in enumerate(folders)
        )
        one.act(*first_turn(1))
        with pytest.raises(StopRunError, match=r"is spent \(0\.0400\)"):
            two.act(*first_turn(2))
    assert len(server.requests) == 2 + 4
    assert BUDGET not in os.environ and RUN not in os.environ


def test_no_more_than_the_requests_that_were_sent_exceed_the_budget(
    server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUDGET, str(EACH / 2))
    with pytest.raises(StopRunError, match="is spent"):
        model(tmp_path, prices=PRICES, concurrency=3).act(*first_turn(20))
    assert 1 <= len(server.requests) <= 3
    assert KeptAnswers(tmp_path).spent == pytest.approx(len(server.requests) * EACH)


def test_a_budget_needs_prices_and_counted_tokens(
    server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUDGET, "1")
    with pytest.raises(ValueError, match="prices of every model, such as llm:stand-in,prices="):
        model()
    server.answers = lambda _: completion("card 1", total_tokens=3)
    with pytest.raises(StopRunError, match="does not count tokens"):
        model(tmp_path, prices=PRICES, concurrency=1).act(*first_turn(1))
    assert len(server.requests) == 1


@pytest.mark.parametrize("text", ["", "0", "-1", "nan", "inf", "much"])
def test_a_wrong_budget_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a budget must be a number above 0"):
        parse_budget(text)


def test_prices_are_those_of_a_million_tokens() -> None:
    assert Prices.parse("") is None
    prices = Prices.parse("2.5/10")
    assert prices and prices == (2.5, 10) and prices.cost(1_000_000, 100_000) == 3.5
    for text in ("2.5", "1/2/3", "-1/2", "a/b", "1/", "nan/1", "1 / 2"):
        with pytest.raises(ValueError, match=r"such as 2\.5/10"):
            Prices.parse(text)
