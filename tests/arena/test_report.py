"""What a report says, and how it is shown."""

import io
import json
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.container import BarContainer
from rich.console import Console

from mindup_agents.labels import labels
from mindup_arena import (
    ArenaSettings,
    Estimate,
    draw,
    make_figure,
    print_report,
    write_html,
    write_json,
)
from mindup_arena.match import MatchResults
from mindup_arena.output import COLUMNS, text_of
from mindup_arena.play import Forfeits, PlayedChunk
from mindup_arena.report import RATING, Report
from mindup_arena.settings import Chunk
from mindup_env import GameConfig

TWO = ArenaSettings(("ann", "bob"), GameConfig(num_players=2), deals=2, chunk_deals=1)


def two_deals() -> Report:
    """Two deals, each a chunk, of ann against bob, who forfeits in both."""
    scores = np.array([[[30, 20], [10, 10]], [[40, 20], [30, 50]]])  # (deals, rotations, places)
    ranks = np.array([[[0, 1], [0, 0]], [[0, 1], [1, 0]]])
    played = [
        PlayedChunk(
            chunk,
            MatchResults(scores[[at]], ranks[[at]]),
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
        played.append(PlayedChunk(chunk, results, {}))
    return Report(settings, played, {})


FOUR = ArenaSettings(("<b>low</b>", "mid:depth=3", "good", "best"), GameConfig(3), 40)
COMPARED = ArenaSettings(("a", "b", "c"), GameConfig(3), 40, against=("c", "d"))
TRAINED = ArenaSettings(
    ("policy:runs/quick-4p-seed0/policy.onnx",),
    GameConfig(4),
    40,
    against=("random", "greedy", "planner"),
)
MANY = ArenaSettings(("policy:a-long-folder/policy.onnx", *"bcdefghi"), GameConfig(4), 5)


def test_measures_of_bots_by_hand() -> None:
    report = two_deals()
    ann, bob = report.bots
    assert ann["win_share"].value == 62.5 and bob["win_share"].value == 37.5
    assert ann["mean_score"].value == 27.5
    assert ann["mean_rank"] == pytest.approx(((1 + 1.5 + 1 + 2) / 4, 1, 2)), "no rank is outside"
    assert report.cross_table[0, 1].value == 62.5 and report.cross_table[1, 0].value == 37.5
    assert report.ranking == [0, 1] and report.num_games == 4 and report.differences == {}


def test_zero_has_one_sign() -> None:
    assert text_of(Estimate(-0.2, -0.4, 1), COLUMNS[RATING][1]) == "+0\n+0..+1"


def test_the_rating_of_a_bot_that_always_wins_is_within_its_interval() -> None:
    results = MatchResults(np.array([[[9, 1]] * 2] * 2), np.array([[[0, 1]] * 2] * 2))
    played = [PlayedChunk(Chunk(0, range(2)), results, {})]
    ann, bob = (each["rating"] for each in Report(TWO, played, {}).bots)
    assert ann == pytest.approx([ann.value] * 3) and bob.value == pytest.approx(-ann.value)
    assert 100 < ann.value < 4000


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
@pytest.mark.parametrize("settings", [FOUR, COMPARED, TRAINED, MANY])
def test_the_terminal_never_breaks_a_number_or_an_interval(
    settings: ArenaSettings, width: int
) -> None:
    report = random_report(settings)
    text = printed(report, width)
    assert max(map(len, text.splitlines())) <= width
    words = text.split()
    for bot in report.bots:
        value, low, high = bot["rating"]
        assert {f"{value:+.0f}", f"{low:+.0f}..{high:+.0f}"} <= {*words}
    for value, low, high in report.cross_table.values():
        assert {f"{value:.1f}", f"{low:.1f}..{high:.1f}"} <= {*words}
    for label in labels(settings.names):
        if len(label) < 20:
            assert label in words, "it is on one line"


def test_rivals_have_no_ratings_and_the_first_table_is_the_win_shares_from_them() -> None:
    report = random_report(TRAINED)
    played, title, head, numbers, *_, last = printed(report, 80).splitlines()
    assert played.startswith("40 deals in all seat rotations, 480 games")
    assert title.startswith("Win share % of one (row) against copies of another (column)")
    assert head.split() == ["random", "greedy", "planner"]
    shares = [report.cross_table[0, rival].value for rival in (1, 2, 3)]
    assert numbers.split() == ["quick-4p-seed0", *(f"{share:.1f}" for share in shares)]
    assert last.startswith("With 95 % intervals over deals")
    assert "rating" not in printed(report, 80) and report.to_dict()["bots"] == []


def test_bots_are_ranked_by_their_mean_win_share_from_the_rivals() -> None:
    report = random_report(COMPARED)
    shares = {pair: share.value for pair, share in report.cross_table.items()}
    means = [shares[0, 2] + shares[0, 3], shares[1, 2] + shares[1, 3], 100 / 3 + shares[2, 3]]
    assert report.ranking == sorted(range(3), key=lambda bot: -means[bot])
    assert report.ranking[0] == 2 != min(means)


def test_a_name_that_leaves_no_room_for_numbers_is_folded() -> None:
    long = "search:worlds=50," + "+".join(["models"] * 20)
    text = printed(random_report(ArenaSettings(("greedy", long), GameConfig(3), 40)), 80)
    assert (
        "".join(text.split()).count("1search:worlds=50") and max(map(len, text.splitlines())) <= 80
    )


def test_the_page_shows_names_as_texts_and_the_intervals_at_its_end(tmp_path: Path) -> None:
    write_html(tmp_path / "a.html", random_report(FOUR))
    page = (tmp_path / "a.html").read_text()
    assert "<b>" not in page and "&lt;b&gt;low" in page and "default-src 'none'" in page
    assert f"{random_report(FOUR).bots[3]['rating'].value:+.0f}" in page
    assert page.index("intervals") > page.index("<img") > page.index("Bots by rating")


def test_every_bot_that_forfeited_has_a_line(tmp_path: Path) -> None:
    report = two_deals()
    report.forfeits[0] = Forfeits(1, "decision 5, ann.py:3: Error: oh")
    write_html(tmp_path / "b.html", report)
    page = (tmp_path / "b.html").read_text()
    for text in (" ".join(page.split()), " ".join(printed(report, 80).split())):
        assert "bob forfeited 3 of its games, first in decision 1" in text
        assert "ann forfeited 1 of its games, first in decision 5" in text


# Pictures


def test_with_rivals_the_picture_has_a_bar_for_each_match_and_equal_play(tmp_path: Path) -> None:
    report = random_report(COMPARED)
    (axes,) = make_figure(report).axes
    bars = [bar for bars in axes.containers if isinstance(bars, BarContainer) for bar in bars]
    shares = sorted(share.value for share in report.cross_table.values())
    assert sorted(bar.get_width() for bar in bars) == pytest.approx(shares)
    written = [text.get_text() for text in axes.texts]
    assert sorted(written) == sorted(f"{share:.1f}" for share in shares)
    intervals = [each for each in axes.collections if isinstance(each, LineCollection)]
    ends = [[x for x, _ in line] for each in intervals for line in each.get_segments()]
    expected = [[low, high] for _, low, high in report.cross_table.values()]
    assert np.sort(ends, axis=0) == pytest.approx(np.sort(expected, axis=0))
    (equal_play,) = axes.lines
    assert np.array(equal_play.get_xdata()) == pytest.approx(100 / 3)
    draw(tmp_path / "a.svg", report)
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_text_can_be_read_on_every_cell() -> None:
    """The relative luminance that gives the contrast 4.5 of WCAG 2, from black."""
    report = random_report(replace(FOUR, seed=1))
    extremes = cycle([Estimate(0.0, 0.0, 0.0), Estimate(100.0, 100.0, 100.0)])
    report.__dict__["cross_table"] = dict(zip(report.cross_table, extremes, strict=False))
    axes = make_figure(report).axes[0]
    (image,) = axes.images
    cells: Any = image.to_rgba(np.asarray(image.get_array()))
    played = cells[cells[..., 3] > 0, :3]
    assert {text.get_color() for text in axes.texts} == {"#222222"}
    assert len(played) == 12 and (played**2.2 @ [0.2126, 0.7152, 0.0722]).min() > 0.25
