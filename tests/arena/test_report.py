"""What a report says, and how it is shown."""

import io
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from mindup_arena import ArenaSettings, draw, print_report, write_html, write_json
from mindup_arena.match import MatchResults
from mindup_arena.play import DecisionTime, Forfeits, PlayedChunk
from mindup_arena.report import Report
from mindup_arena.settings import Chunk
from mindup_env import GameConfig

TWO = ArenaSettings(("ann", "bob"), GameConfig(num_players=2), deals=2, chunk_deals=1)


def two_deals() -> Report:
    """Two deals, each a chunk, of ann against bob, who forfeits in both."""
    scores = np.array([[[30, 20], [10, 10]], [[40, 20], [30, 50]]])  # (deals, rotations, places)
    ranks = np.array([[[0, 1], [0, 0]], [[0, 1], [1, 0]]])
    times = {0: DecisionTime(40, 2.0), 1: DecisionTime(40, 0.001)}
    played = [
        PlayedChunk(
            chunk,
            MatchResults(scores[[at]], ranks[[at]]),
            times,
            {1: Forfeits(at + 1, f"decision {at + 1}, bob.py:7: Error: [b]<oh>")},
        )
        for at, chunk in enumerate(TWO.chunks)
    ]
    return Report(TWO, played, {})


@cache
def random_report(settings: ArenaSettings) -> Report:
    """A report of random results, in which every bot is a little better than the one before."""
    random, played = np.random.default_rng(settings.seed), []
    for number, places in enumerate(settings.matches):
        match, size = np.array(places), len(places)
        scores = np.round(80 + 4 * match + random.normal(0, 10, (settings.deals, size, size)))
        ranks = (scores[..., None, :] > scores[..., :, None]).sum(axis=-1)
        results = MatchResults(scores.astype(np.int64), ranks)
        chunk = Chunk(number, range(settings.deals))
        played.append(PlayedChunk(chunk, results, {0: DecisionTime(1000, 0.5)}, {}))
    return Report(settings, played, {})


FOUR = ArenaSettings(("<b>low</b>", "mid:depth=3", "good", "best"), GameConfig(3), 40)
COMPARED = ArenaSettings(("a", "b", "c"), GameConfig(3), 40, against=("c", "d"))


def test_measures_of_bots_by_hand() -> None:
    report = two_deals()
    ann, bob = report.bots
    assert ann["win_share"].value == 62.5 and bob["win_share"].value == 37.5
    assert (ann["mean_score"].value, ann["margin"].value) == (27.5, 2.5)
    assert ann["mean_rank"].value == pytest.approx((1 + 1.5 + 1 + 2) / 4)
    assert report.cross_table[0, 1].value == 62.5 and report.cross_table[1, 0].value == 37.5
    assert report.ranking == [0, 1] and report.num_games == 4 and report.differences == {}


def test_the_rating_of_a_bot_that_always_wins_is_within_its_interval() -> None:
    results = MatchResults(np.array([[[9, 1]] * 2] * 2), np.array([[[0, 1]] * 2] * 2))
    played = [PlayedChunk(Chunk(0, range(2)), results, {}, {})]
    ann, bob = (each["rating"] for each in Report(TWO, played, {}).bots)
    assert ann == pytest.approx([ann.value] * 3) and bob.value == pytest.approx(-ann.value)


def test_each_bot_of_mixed_matches_has_the_mean_of_its_seats() -> None:
    report = random_report(FOUR)
    for bot in range(4):
        shares, scores = [], []
        for match, results in zip(FOUR.matches, report.results, strict=True):
            for place in np.flatnonzero(np.array(match) == bot):
                shares.append(results.win_shares[..., place].mean())
                scores.append(results.scores[..., place].mean())
        assert report.bots[bot]["win_share"].value == pytest.approx(100 * np.mean(shares))
        assert report.bots[bot]["mean_score"].value == pytest.approx(np.mean(scores))
    assert report.ranking == [3, 2, 1, 0]


def test_differences_are_paired_by_deal_over_the_same_rivals() -> None:
    report = random_report(COMPARED)
    assert report.differences.keys() == {(0, 1), (0, 2), (1, 2)}
    shares = report.duel_shares
    own = (shares[0, 2] + shares[0, 3]) / 2
    expected = own - (1 / 3 + shares[2, 3]) / 2, own - (shares[1, 2] + shares[1, 3]) / 2
    for pair, per_deal in zip([(0, 2), (0, 1)], expected, strict=True):
        (value, low, high), _ = report.differences[pair]
        assert value == pytest.approx(100 * per_deal.mean())
        half = 2.0227 * 100 * per_deal.std(ddof=1) / np.sqrt(40)  # Student's t, from a table
        assert (low, high) == pytest.approx((value - half, value + half), abs=0.01)


def test_times_and_forfeits_are_summed_over_chunks() -> None:
    report = two_deals()
    assert report.times == [(80, 4.0), (80, 0.002)] and report.times[0].speed == 20
    assert report.forfeits == {1: (3, "decision 1, bob.py:7: Error: [b]<oh>")}


@pytest.mark.parametrize("settings", [FOUR, COMPARED])
def test_json_has_every_number(settings: ArenaSettings, tmp_path: Path) -> None:
    report = random_report(settings)
    write_json(tmp_path / "a.json", report)
    plain = json.loads((tmp_path / "a.json").read_text())
    for bot, expected in zip(plain["bots"], report.bots, strict=True):
        for name, estimate in expected.items():
            numbers = [bot[f"{name}{end}"] for end in ("", "_low", "_high")]
            assert numbers == pytest.approx(estimate, abs=1e-4)
    names = settings.names
    for each, (pair, share) in zip(plain["cross_table"], report.cross_table.items(), strict=True):
        assert (each["one"], each["field"]) == tuple(names[bot] for bot in pair)
        assert each["win_share"] == pytest.approx(share.value, abs=1e-4)
    for each, difference in zip(plain["differences"], report.differences.values(), strict=True):
        assert each["more_deals"] == difference.more_deals
        assert each["difference"] == pytest.approx(difference.estimate.value, abs=1e-4)


def printed(report: Report, width: int) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    print_report(report, console)
    return console.export_text()


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_terminal_never_breaks_a_number(width: int) -> None:
    for report in (random_report(FOUR), random_report(COMPARED)):
        words = printed(report, width).split()
        for bot in report.bots:
            assert f"{bot['rating'].value:+.0f}" in words
        for share in report.cross_table.values():
            assert f"{share.value:.1f}" in words


def test_a_long_name_fills_its_lines_in_the_terminal() -> None:
    settings = ArenaSettings(("greedy", "search:worlds=50,models=random"), GameConfig(3), 40)
    lines = printed(random_report(settings), 80).splitlines()
    in_two_lines, whole = (line for line in lines if line.startswith("1 search:"))
    assert in_two_lines.startswith("1 search:wo") and "models" not in in_two_lines
    assert whole.startswith("1 search:worlds=50,models=random ")


def test_a_wide_terminal_shows_intervals_and_a_narrow_one_no_half_of_them() -> None:
    (_, low, high), *_ = random_report(FOUR).cross_table.values()
    interval = f"{low:.1f}..{high:.1f}"
    assert interval in printed(random_report(FOUR), 200)
    assert interval not in printed(random_report(FOUR), 40)


def test_the_page_and_the_picture_show_names_as_texts(tmp_path: Path) -> None:
    write_html(tmp_path / "a.html", random_report(FOUR))
    page = (tmp_path / "a.html").read_text()
    assert "<b>" not in page and "&lt;b&gt;low" in page and "default-src 'none'" in page
    assert f"{random_report(FOUR).bots[3]['rating'].value:+.0f}" in page
    write_html(tmp_path / "b.html", two_deals())
    assert "bob forfeited 3 games, first in decision 1" in (tmp_path / "b.html").read_text()
    draw(tmp_path / "a.svg", random_report(COMPARED))
    assert "<svg" in (tmp_path / "a.svg").read_text()
