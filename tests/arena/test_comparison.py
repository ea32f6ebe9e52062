"""A comparison of two bots, and its paired differences, tests and corrections."""

import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from mindup_arena import play_match, run
from mindup_arena.comparison import ComparisonSettings, print_comparison, run_comparison
from mindup_arena.comparison.command import with_panel
from mindup_arena.comparison.differences import (
    compare_deals,
    correlation,
    holm,
    more_deals,
    paired_difference,
    sign_flip_test,
)
from mindup_arena.estimate import Estimate, Floats, estimate_shares
from mindup_arena.report import FORFEITED
from mindup_arena.schedule import matches
from mindup_env import GameConfig, cli
from tests.arena.reports import play_here

CONFIG = GameConfig(num_players=3, num_rounds=1)
SETTINGS = ComparisonSettings(("greedy", "lowest", "random", "highest"), CONFIG, deals=12, seed=3)
GAME = ["--players", "3", "--rounds", "1", "--deals", "12", "--seed", "3"]
BOTS = ["greedy", "lowest", "--against", "random", "highest"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison by command, with its folder and its file."""
    folder = tmp_path_factory.mktemp("comparison")
    files = ["--out", str(folder / "kept"), "--json", str(folder / "new" / "a.json")]
    assert cli.main(["arena", "compare", *BOTS, *GAME, *files]) == 0
    return folder


def test_both_bots_play_the_same_seats_against_each_bot_of_the_panel() -> None:
    assert matches(SETTINGS) == [(0, 2, 2), (0, 3, 3), (1, 2, 2), (1, 3, 3)]
    assert SETTINGS.panel == ("random", "highest")
    panel = "random", "greedy", "predictor"
    assert with_panel(["mybot:Bot", "planner"]) == ("mybot:Bot", "planner", *panel)
    assert with_panel(["a", "b"], ["lowest"]) == ("a", "b", "lowest")


def test_the_differences_are_those_of_the_matches(folder: Path) -> None:
    plain = json.loads((folder / "new" / "a.json").read_text())

    def share(one: str, field: str) -> float:
        results = play_match([one, field, field], CONFIG, deals=12, seed=3)
        return 100 * float(results.win_shares[..., 0].mean())

    differences = []
    for found in plain["panel"]:
        first, second = (share(bot, found["against"]) for bot in ("greedy", "lowest"))
        assert (found["first"], found["second"]) == pytest.approx((first, second), abs=1e-3)
        assert found["difference"] == pytest.approx(first - second, abs=1e-3)
        assert found["difference_low"] < found["difference"] < found["difference_high"]
        assert found["p_value"] <= found["corrected_p_value"] <= 1
        differences.append(first - second)
    assert [found["against"] for found in plain["panel"]] == ["random", "highest"]
    whole = plain["whole_panel"]
    assert whole["difference"] == pytest.approx(np.mean(differences), abs=1e-3)
    played = [play_match(["greedy", *[bot] * 2], CONFIG, 12, 3) for bot in SETTINGS.panel]
    per_deal = np.mean([each.win_shares[..., 0].mean(axis=1) for each in played], axis=0)
    (expected,) = estimate_shares(per_deal[:, None], 2 * 3)
    found = [whole[name] for name in ("first", "first_low", "first_high")]
    assert found == pytest.approx(expected.times(100), abs=1e-3)
    assert plain["games"] == 12 * 3 * 4 and plain["forfeits"] == []


def test_python_workers_and_a_resumed_command_give_the_same_comparison(folder: Path) -> None:
    comparison = run_comparison(SETTINGS, workers=2, folder=folder / "again")
    expected = (folder / "kept" / "report.json").read_text()
    for name in ("new/a.json", "again/report.json"):
        assert (folder / name).read_text() == expected
    min((folder / "again" / "results").iterdir()).unlink()
    assert cli.main(["arena", "compare", "--resume", str(folder / "again")]) == 0
    assert (folder / "again" / "report.json").read_text() == expected
    assert comparison.whole_panel.significant
    text = io.StringIO()
    print_comparison(comparison, Console(file=text, width=80))
    assert "whole panel: greedy wins more than lowest" in text.getvalue()
    assert max(map(len, text.getvalue().splitlines())) <= 80


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "play_in_processes", play_here)


@pytest.mark.usefixtures("in_this_process")
def test_the_forfeits_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faulty = "tests.arena.bots:Faulty:at=2"
    words = ["arena", "compare", faulty, "lowest", "--against", "highest", *GAME]
    assert cli.main([*words, "--json", str(tmp_path / "a.json")]) == FORFEITED
    assert "one over none" in " ".join(capsys.readouterr().out.split())
    forfeits = json.loads((tmp_path / "a.json").read_text())["forfeits"]
    assert {forfeit["bot"] for forfeit in forfeits} == {faulty}


@pytest.mark.usefixtures("in_this_process")
def test_bots_without_a_difference_stay_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["tests.arena.bots:Highest", "highest", "--against", "lowest"]
    assert cli.main(["arena", "compare", *bots, *GAME]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "whole panel: undecided, and no difference to be seen" in printed


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["greedy"], "a comparison needs 2 bots, not 1"),
        (["greedy", "greedy"], "bot 'greedy' is named twice"),
        (["greedy", "lowest", "--against", "lowest"], "bot 'lowest' is named twice"),
        (["greedy", "lowest", "--json", "."], "cannot write ."),
        (["--resume", "nowhere"], "no run of mindup arena compare in nowhere: it has no run.json"),
    ],
)
def test_a_wrong_command_is_refused(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["arena", "compare", *words]) == 2
    assert f"mindup: {error}" in capsys.readouterr().err


# The differences

GAMES = 4


def play(first: float, second: float, deals: int, arenas: int) -> tuple[Floats, Floats]:
    """The win shares (deals, arenas) of two bots with these chances; luck favours both or none."""
    random = np.random.default_rng(1)
    luck = random.uniform(0.5, 1.5, (deals, arenas))
    one, other = (random.binomial(GAMES, chance * luck) / GAMES for chance in (first, second))
    return one, other


@pytest.mark.parametrize("deals", [10, 40])
@pytest.mark.parametrize(("first", "second"), [(0.02, 0.05), (0.3, 0.5), (0.6, 0.6)])
def test_intervals_of_differences_cover_the_truth(deals: int, first: float, second: float) -> None:
    shares = play(first, second, deals, 1000)
    estimates = [estimate_shares(each, GAMES) for each in shares]
    found = [
        paired_difference(one, other, correlation(shares[0][:, index], shares[1][:, index]))
        for index, (one, other) in enumerate(zip(*estimates, strict=True))
    ]
    covered = np.mean([low <= first - second <= high for _, low, high in found])
    assert covered > 0.93
    assert min(high - low for _, low, high in found) > 0.001


def test_equal_bots_seldom_differ_significantly() -> None:
    first, second = play(0.3, 0.3, 12, 200)
    p_values = [sign_flip_test(differences, 0) for differences in (first - second).T]
    assert np.mean(np.array(p_values) < 0.05) < 0.08
    assert np.mean(np.array(p_values) < 0.5) > 0.35


def test_pairing_shows_what_separate_shares_hide() -> None:
    """The luck of the deals is the same for both bots, and much larger than their difference."""
    luck = np.tile([0.0, 0.25, 0.75, 1.0], 10)[:, None]
    first, second = np.clip(luck + 0.1, 0, 1), luck
    (found,) = compare_deals(first, second, GAMES, 0)
    assert found.first.low < found.second.high, "the separate intervals overlap"
    assert found.difference.low > 0 and found.significant


def test_the_sign_flip_test_of_few_deals_is_exact() -> None:
    """Of the 2^5 signs, two give at least the sum of five equal differences."""
    assert sign_flip_test(np.full(5, 0.25), 0) == pytest.approx(2 / 32, rel=0.1)
    assert sign_flip_test(np.array([0.5, -0.5, 0.0]), 0) == 1
    assert sign_flip_test(np.zeros(4), 0) == 1
    assert sign_flip_test(np.full(100, 0.25), 0) == pytest.approx(1 / 20001)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_the_correction_of_holm_keeps_the_order(p_values: list[float]) -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    corrected = holm(p_values)
    assert all(own <= found <= 1 for own, found in zip(p_values, corrected, strict=True))
    assert min(corrected) == pytest.approx(min(1, len(p_values) * min(p_values)))
    order = np.argsort(p_values, kind="stable")
    assert list(np.array(corrected)[order]) == sorted(corrected)


def test_the_number_of_missing_deals_shows_the_difference() -> None:
    """It has the promised power: about 80 % of comparisons of so many deals are significant."""
    random = np.random.default_rng(2)
    seen: Floats = random.permutation(np.repeat([-0.25, 0.0, 0.5], [10, 10, 10]))
    missing = more_deals(seen, 0.05)
    assert missing is not None
    needed = len(seen) + missing
    drawn = random.choice(seen, (200, needed))
    significant = np.mean([sign_flip_test(each, 0) < 0.05 for each in drawn])
    assert 0.7 < significant < 0.9
    assert more_deals(seen - seen.mean(), 0.05) is None
    assert more_deals(seen[:1], 0.05) is None


def test_undecided_comparisons_name_the_missing_deals() -> None:
    """The more comparisons, the more deals they need."""
    first, second = np.array([[0.5], [0.25], [0.75]]), np.full((3, 1), 0.25)
    (alone,) = compare_deals(first, second, GAMES, 0)
    assert not alone.significant and alone.more_deals is not None
    among_three, *_ = compare_deals(np.tile(first, 3), np.tile(second, 3), GAMES, 0)
    assert among_three.corrected_p_value == min(1, 3 * alone.p_value)
    assert among_three.more_deals is not None and among_three.more_deals > alone.more_deals
    (certain,) = compare_deals(np.full((30, 1), 0.75), np.full((30, 1), 0.25), GAMES, 0)
    assert certain.significant and certain.more_deals is None


def test_the_interval_of_uncorrelated_shares_adds_their_lengths_as_variances() -> None:
    one, other = Estimate(0.6, 0.5, 0.8), Estimate(0.3, 0.2, 0.35)
    value, low, high = paired_difference(one, other, 0)
    assert value == pytest.approx(0.3)
    assert low == pytest.approx(0.3 - math.hypot(0.1, 0.05))
    assert high == pytest.approx(0.3 + math.hypot(0.2, 0.1))
    closer = paired_difference(one, other, 0.5)
    assert low < closer.low < closer.high < high
