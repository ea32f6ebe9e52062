"""Nash average and alpha-rank, of tables whose answer is known and of any table."""

import io

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.console import Console

from mindup_arena import empirical_game
from mindup_arena.deal_statistics import Duel
from mindup_arena.empirical_game import alpha_rank, game_measures, has_alpha_rank, nash_average
from mindup_arena.estimate import Floats
from mindup_arena.picture import make_figure
from mindup_arena.report_files import to_dict
from mindup_arena.settings import ArenaSettings
from mindup_arena.terminal import print_report
from tests.arena.reports import random_report

CIRCLE = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
"""Rock, paper, scissors."""

needs_open_spiel = pytest.mark.skipif(
    not has_alpha_rank(), reason="OpenSpiel is not installed beside RLlib"
)


def with_copies(payoffs: Floats, bots: list[int]) -> Floats:
    return np.asarray(payoffs[np.ix_(bots, bots)])


def test_bots_in_a_circle_have_equal_weights() -> None:
    assert nash_average(CIRCLE).weights == pytest.approx([1 / 3] * 3)


def test_a_circle_of_unequal_wins_by_hand() -> None:
    """The weight of a bot is in proportion to what the other two win from each other."""
    payoffs = np.array([[0, 1, -2], [-1, 0, 3], [2, -3, 0]], np.float64)
    assert nash_average(payoffs).weights == pytest.approx([3 / 6, 2 / 6, 1 / 6])


def test_copies_of_a_bot_share_its_weight() -> None:
    found = nash_average(with_copies(CIRCLE, [0, 1, 1, 1, 2, 2]))
    expected = [1 / 3, *[1 / 9] * 3, *[1 / 6] * 2]
    assert found.weights == pytest.approx(expected, abs=1e-5)
    assert found.payoffs == pytest.approx([0] * 6, abs=1e-6)


def test_a_bot_that_beats_all_has_all_the_weight() -> None:
    payoffs = np.array([[0, -3, -4], [3, 0, -2], [4, 2, 0]], np.float64)
    weights, averages = nash_average(payoffs)
    assert weights.tolist() == [0, 0, 1]
    assert averages.tolist() == [-4, -2, 0]


@needs_open_spiel
def test_a_population_stays_with_the_bot_that_beats_all_and_goes_round_in_a_circle() -> None:
    payoffs = np.array([[0, -3, -4], [3, 0, -2], [4, 2, 0]], np.float64)
    beaten, circle = alpha_rank(np.array([payoffs, CIRCLE]))
    assert beaten[2] > 0.95
    assert circle == pytest.approx([1 / 3] * 3)


def test_a_bot_that_loses_to_all_has_no_weight_beside_a_circle() -> None:
    payoffs = np.zeros((4, 4))
    payoffs[:3, :3], payoffs[:3, 3], payoffs[3, :3] = CIRCLE, 2, -2
    weights, averages = nash_average(payoffs)
    assert weights == pytest.approx([1 / 3] * 3 + [0])
    assert averages == pytest.approx([0, 0, 0, -2])


def test_a_mixture_of_some_bots_is_not_the_only_one_however_it_is_rounded() -> None:
    """Bots 0, 3 and 4 tie in mixtures that lose to no bot: 2 to 1 to 1 is one of them."""
    payoffs = np.array(
        [[0, -1, 0, 0, 0], [1, 0, -2, 0, -2], [0, 2, 0, -2, 2], [0, 0, 2, 0, 0], [0, 2, -2, 0, 0]],
        np.float64,
    )
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0]):
        expected = np.array([1 / 3, 0, 0, 1 / 3, 1 / 3])[order]
        found = nash_average(with_copies(payoffs, order)).weights
        assert found == pytest.approx(expected, abs=1e-5)


def test_bots_that_are_all_equal_have_equal_weights() -> None:
    assert nash_average(np.zeros((4, 4))).weights == pytest.approx([0.25] * 4)


@settings(deadline=None, max_examples=60)
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
    weights, averages = nash_average(payoffs)
    assert weights.min() >= 0 and weights.sum() == pytest.approx(1)
    assert averages.max() < 1e-5, "no bot wins against the mixture"
    copied = nash_average(with_copies(payoffs, [0, *range(bots)])).weights
    assert copied[0] == pytest.approx(copied[1], abs=1e-3)
    reverse = [*range(bots)][::-1]
    assert nash_average(with_copies(payoffs, reverse)).weights[::-1] == pytest.approx(
        weights, abs=1e-3
    )


def test_measures_come_from_both_sides_of_a_duel() -> None:
    duels = [Duel(one, field, 0, 0) for one in range(3) for field in range(3) if one != field]
    shares = np.array([0.6, 0.4, 0.2, 0.5, 0.3, 0.1])  # of 0 against 1 and 2, of 1, of 2
    resampled = np.tile(shares, (20, 1))
    found = game_measures(duels, shares, resampled, num_bots=3, num_deals=20)
    assert [each.value for each in found["nash_weight"]] == [100, 0, 0]
    averages = [each.value for each in found["nash_average"]]
    assert averages == pytest.approx([0, 100 * (0.2 - 0.6) / 2, 100 * (0.3 - 0.4) / 2])
    assert game_measures(duels[:5], shares[:5], resampled[:, :5], 3, 20) == {}
    assert game_measures(duels[:2], shares[:2], resampled[:, :2], 2, 20) == {}


@needs_open_spiel
def test_the_report_has_the_measures_in_every_form() -> None:
    report = random_report(ArenaSettings(("ann", "bob", "cy"), deals=5, chunk_deals=5))
    for bot in to_dict(report)["bots"]:
        for name in ("nash_average", "nash_weight", "alpha_rank"):
            assert bot[f"{name}_low"] <= bot[name] <= bot[f"{name}_high"]
    text = io.StringIO()
    print_report(report, Console(file=text, width=80))
    assert "Nash average and alpha-rank" in text.getvalue()
    assert "Equilibrium in %" in [axes.get_title() for axes in make_figure(report).axes]


def test_one_against_a_field_has_no_such_measures() -> None:
    report = random_report(
        ArenaSettings(("ann", "bob", "cy"), deals=5, chunk_deals=5, one_vs_field=True)
    )
    assert "nash_average" not in report.bots[0]
    assert len(make_figure(report).axes) == 2


def test_without_its_libraries_alpha_rank_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        empirical_game, "find_spec", lambda name: None if name == "networkx" else name
    )
    report = random_report(ArenaSettings(("ann", "bob", "cy"), deals=6, chunk_deals=6))
    assert "alpha_rank" not in report.bots[0] and "nash_weight" in report.bots[0]
    text = io.StringIO()
    print_report(report, Console(file=text, width=80))
    assert "pip install 'mindup-env[arena,open-spiel]'" in " ".join(text.getvalue().split())
    assert make_figure(report).axes[2].get_legend_handles_labels()[1] == ["Nash weight"]
