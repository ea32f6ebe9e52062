"""Nash average and alpha-rank, of tables whose answer is known and of any table."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mindup_arena.empirical_game import (
    alpha_rank,
    game_measures,
    has_alpha_rank,
    nash_average,
    payoffs_of,
)
from rich.console import Console

from mindup_arena import empirical_game
from mindup_arena.estimate import Floats
from mindup_arena.picture import make_figure
from mindup_arena.report_files import print_report, to_dict
from mindup_arena.settings import ArenaSettings
from tests.arena.reports import random_report

CIRCLE = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
"""Rock, paper, scissors."""
BEST_OF_THREE = np.array([[0, -3, -4], [3, 0, -2], [4, 2, 0]], np.float64)
BESIDE_A_CIRCLE = np.zeros((4, 4))
BESIDE_A_CIRCLE[:3, :3], BESIDE_A_CIRCLE[:3, 3], BESIDE_A_CIRCLE[3, :3] = CIRCLE, 2, -2

needs_open_spiel = pytest.mark.skipif(
    not has_alpha_rank(), reason="OpenSpiel is not installed beside RLlib"
)


def reordered(payoffs: Floats, bots: list[int]) -> Floats:
    return np.asarray(payoffs[np.ix_(bots, bots)])


@pytest.mark.parametrize(
    ("payoffs", "weights"),
    [
        pytest.param(CIRCLE, [1 / 3] * 3, id="a circle"),
        # A weight is in proportion to what the other two win from each other.
        pytest.param([[0, 1, -2], [-1, 0, 3], [2, -3, 0]], [3 / 6, 2 / 6, 1 / 6], id="unequal"),
        pytest.param(
            reordered(CIRCLE, [0, 1, 1, 1, 2, 2]), [1 / 3, *[1 / 9] * 3, *[1 / 6] * 2], id="copies"
        ),
        pytest.param(BEST_OF_THREE, [0, 0, 1], id="a bot that beats all"),
        pytest.param(BESIDE_A_CIRCLE, [1 / 3] * 3 + [0], id="a bot that loses to all in a circle"),
        pytest.param(np.zeros((4, 4)), [0.25] * 4, id="all equal"),
        # Bots 0, 3 and 4 tie in mixtures that lose to no bot: 2 to 1 to 1 is one of them.
        pytest.param(
            [
                *([0, -1, 0, 0, 0], [1, 0, -2, 0, -2], [0, 2, 0, -2, 2]),
                *([0, 0, 2, 0, 0], [0, 2, -2, 0, 0]),
            ],
            [1 / 3, 0, 0, 1 / 3, 1 / 3],
            id="several mixtures",
        ),
    ],
)
def test_known_tables_in_both_orders(payoffs: Floats, weights: list[float]) -> None:
    assert nash_average(payoffs) == pytest.approx(weights, abs=1e-5), "lists are tables too"
    table = np.array(payoffs)
    assert nash_average(table[::-1, ::-1]) == pytest.approx(weights[::-1], abs=1e-5)


@pytest.mark.parametrize("measure", [payoffs_of, nash_average, alpha_rank])
def test_what_is_no_table_is_refused(measure: Callable[[Any], Floats]) -> None:
    for wrong, said in (
        ([0.5, 0.2], r"must be numbers of shape \(2, 2\) \(bots, bots\), not float64 of shape"),
        ([[0, 1, 2], [0, 1, 2]], r"of shape \(3, 3\) \(bots, bots\), not int64 of shape \(2, 3\)"),
        ([[0, np.nan], [0, 0]], "must be finite"),
    ):
        with pytest.raises(ValueError, match=said):
            measure(wrong)


def test_win_shares_are_not_taken_for_payoffs() -> None:
    with pytest.raises(ValueError, match="antisymmetric: see payoffs_of"):
        nash_average([[0.25, 0.6], [0.1, 0.25]])


@needs_open_spiel
def test_a_population_stays_with_the_bot_that_beats_all_and_goes_round_in_a_circle() -> None:
    beaten, circle = alpha_rank(np.array([BEST_OF_THREE, CIRCLE]))
    assert beaten[2] > 0.95
    assert circle == pytest.approx([1 / 3] * 3)
    assert alpha_rank(CIRCLE) == pytest.approx([1 / 3] * 3)
    shares = np.array([[0.25, 0.3], [0.2, 0.25]])
    assert payoffs_of(shares).tolist() == pytest.approx(np.array([[0, 0.05], [-0.05, 0]]))
    for measure in (nash_average, alpha_rank):
        assert measure(payoffs_of(shares)) == pytest.approx([1, 0], abs=0.05), "of two bots"


@settings(max_examples=60)
@given(
    st.integers(2, 6).flatmap(
        lambda n: st.lists(st.integers(-3, 3), min_size=n * n, max_size=n * n)
    )
)
@example(  # its many equilibria are far from equal weights
    [
        *(0, 2, -2, 0, 3, -1, 2, 0, -2, 2, -1, 2, 3, 0, 0, 1, -3, 2),
        *(-2, 0, 2, 0, 0, 3, 0, -2, 1, -3, 0, -1, 2, 0, 1, 0, 3, 0),
    ]
)
def test_the_nash_average_is_an_equilibrium_in_any_order_of_the_bots(numbers: list[int]) -> None:
    bots = round(len(numbers) ** 0.5)
    table = np.array(numbers, np.float64).reshape(bots, bots)
    payoffs = table - table.T
    weights = nash_average(payoffs)
    assert weights.min() >= 0 and weights.sum() == pytest.approx(1)
    assert (payoffs @ weights).max() < 1e-5, "no bot wins against the mixture"
    copied = nash_average(reordered(payoffs, [0, *range(bots)]))
    assert copied[0] == pytest.approx(copied[1], abs=1e-3)
    assert nash_average(payoffs[::-1, ::-1])[::-1] == pytest.approx(weights, abs=1e-3)


def test_measures_come_from_both_sides_of_a_duel() -> None:
    duels = [(one, field) for one in range(3) for field in range(3) if one != field]
    shares = np.array([0.6, 0.4, 0.2, 0.5, 0.3, 0.1])  # of 0 against 1 and 2, of 1, of 2
    resampled = np.tile(shares, (20, 1))
    found = game_measures(duels, shares, resampled, num_bots=3, num_deals=20)
    assert [each.value for each in found["nash_weight"]] == [100, 0, 0]
    averages = [each.value for each in found["nash_average"]]
    assert averages == pytest.approx([0, 100 * (0.2 - 0.6) / 2, 100 * (0.3 - 0.4) / 2])
    assert game_measures(duels[:5], shares[:5], resampled[:, :5], 3, 20) == {}
    assert game_measures(duels[:2], shares[:2], resampled[:, :2], 2, 20) == {}


@pytest.mark.parametrize("ranked", [pytest.param(True, marks=needs_open_spiel), False])
def test_the_report_has_the_measures_in_every_form(
    monkeypatch: pytest.MonkeyPatch, *, ranked: bool
) -> None:
    if not ranked:
        found = {"open_spiel": True, "matplotlib": True}
        monkeypatch.setattr(empirical_game, "find_spec", found.get)  # without networkx
    report = random_report(
        ArenaSettings(("ann", "bob", "cy"), deals=5 if ranked else 6, chunk_deals=6)
    )
    names = ["nash_average", "nash_weight", *(["alpha_rank"] if ranked else [])]
    for bot in to_dict(report)["bots"]:
        assert all(bot[f"{name}_low"] <= bot[name] <= bot[f"{name}_high"] for name in names)
    assert ("alpha_rank" in report.bots[0]) == ranked
    text = io.StringIO()
    print_report(report, Console(file=text, width=80))
    assert "Nash average and alpha-rank" in text.getvalue()
    hint = "pip install 'mindup-env[arena,open-spiel]'" in " ".join(text.getvalue().split())
    assert hint == (not ranked)
    shares = make_figure(report).axes[2]
    assert shares.get_title() == "Equilibrium in %"
    bars = ["Nash weight", *(["alpha-rank"] if ranked else [])]
    assert shares.get_legend_handles_labels()[1] == bars


def test_one_against_a_field_has_no_such_measures() -> None:
    report = random_report(
        ArenaSettings(("ann", "bob", "cy"), deals=5, chunk_deals=5, one_vs_field=True)
    )
    assert "nash_average" not in report.bots[0]
    assert len(make_figure(report).axes) == 2
