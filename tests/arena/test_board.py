"""Leaderboards: what the page of results, or of an arena, says."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_arena import write_html
from mindup_arena.benchmark.board import numbers
from mindup_arena.benchmark.charts import Scale, log_scale_of, scale_of
from mindup_arena.benchmark.protocol import PANEL
from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.benchmark.result_file import write_result
from mindup_arena.estimate import Estimate
from mindup_arena.failures import Forfeit
from mindup_arena.report_files import speed_text
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig, cli
from tests.arena.benchmark_results import made_result
from tests.arena.reports import random_report, tiny_report
from tests.html_tables import Tables

LOADED = re.compile(r"<(?!a\s)\w+\s[^>]*?(?:src|href|data)=|url\(|@import")
EVIL = "</script><script title='\"'><em>&amp;"


def ranked(folder: Path, *results: BenchmarkResult) -> int:
    """Writes some results, and the page of them; the exit status of the command."""
    paths = [folder / f"result-{number}.json" for number in range(len(results))]
    for path, result in zip(paths, results, strict=True):
        write_result(path, result)
    return cli.main(["benchmark", "board", *map(str, paths), "--html", str(folder / "board.html")])


def leaderboard(folder: Path, *results: BenchmarkResult) -> str:
    """The page that the command writes."""
    assert ranked(folder, *results) == 0
    return (folder / "board.html").read_text(encoding="utf-8")


RESULTS = [
    made_result("greedy", -0.5, decisions_per_second=200_000.0),
    made_result("mybot:Bot", 1.5, name=EVIL, decisions_per_second=0.4, games_forfeited=7, seed=3),
    made_result("planner", 0.2, decisions_per_second=None),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    return leaderboard(tmp_path_factory.mktemp("board"), *RESULTS)


def minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def test_the_ranking_is_that_of_the_scores(page: str) -> None:
    title, *rows = Tables(page).rows["Ranking"]
    assert [title[0], title[1], *title[3:]] == ["#", "bot", "score", "decisions/s"]
    names = [f"{EVIL} 7 games forfeited", "planner", "greedy"]
    assert [row[1] for row in rows] == names and [row[0] for row in rows] == ["1", "2", "3"]
    best = RESULTS[1].score
    assert rows[0][3] == minus(f"{best.value:.1f} {best.low:.1f} to {best.high:.1f}")
    assert [row[4] for row in rows] == ["0.4", "\N{EN DASH}", "200k"]


def test_every_view_has_its_games(page: str) -> None:
    tables = Tables(page).rows
    views = ["", *(f": {n} players" for n in (3, 4, 5, 6)), ": 0 objectives", ": 3 objectives"]
    title = "Score against copies of each rival"
    assert set(tables) == {f"{kind}{view}" for kind in ("Ranking", title) for view in views}
    games = [game for game in RESULTS[0].settings.games if game.players == 5]
    (row,) = [each for each in tables["Ranking: 5 players"] if each[1] == "greedy"]
    assert row[3].split()[0] == minus(f"{RESULTS[0].score_in(games).value:.1f}")
    (row,) = [each for each in tables[f"{title}: 5 players"] if each[0] == "greedy"]
    against = [RESULTS[0].score_in(games, name) for name in PANEL]
    expected = [minus(f"{each.value:.0f}") for each in against]
    expected[1] = "\N{EN DASH}"  # against itself
    assert row[1:] == ["0" if each == minus("-0") else each for each in expected]


def test_the_page_loads_nothing(page: str) -> None:
    tables = Tables(page)
    assert not LOADED.search(page) and not {"script", "em"} & tables.tags, "names end no element"
    assert any(title.startswith(f"{EVIL} against random: ") for title in tables.titles)
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert len(policy) == 1 and policy[0].startswith("default-src 'none'; style-src 'sha256-")


def test_strength_against_cost_has_a_point_for_each_known_speed(page: str) -> None:
    (chart,) = re.findall(r"<svg[^>]*cost.*?</svg>", page, re.DOTALL)
    assert chart.count("<circle") == 2
    places = [float(x) for x in re.findall(r'<circle cx="([\d.]+)%', chart)]
    assert places[0] > places[1]  # greedy is faster
    assert ">decisions per second<" in chart and "<title>greedy: score" in chart


def test_a_board_without_speeds_has_no_chart_of_costs(tmp_path: Path) -> None:
    page = leaderboard(tmp_path, made_result("planner", decisions_per_second=None))
    assert "Strength against cost" not in page


def test_the_board_says_what_was_played_compared_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = made_result("planner", decisions_per_second=5.0, machine={"processor": "another"})
    page = leaderboard(tmp_path, *RESULTS[:2], other)
    games = max(each.settings.num_games for each in RESULTS[:2])
    assert "8 kinds of game" in page and f"up to {games:,} games of a bot" in page
    (row,) = [each for each in Tables(page).rows["Ranking"] if each[1] == "planner"]
    assert row[4] == "\N{EN DASH}", "speeds are those of one machine"
    assert "<dd>another</dd>" in page
    assert f"board.html shows greedy, {EVIL}, planner\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"size": "full"}, "cannot be compared: one has the size"),
        ({"players": 4}, "cannot be compared: one has the size"),
        ({"name": "greedy"}, "have the name 'greedy'"),
    ],
)
def test_results_that_do_not_belong_together_are_refused(
    other: dict[str, Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = made_result("greedy"), made_result("planner", **other)
    assert ranked(tmp_path, *results) == 2
    error = capsys.readouterr().err
    assert message in error and "result-0.json" in error and "result-1.json" in error
    assert not (tmp_path / "board.html").exists()


def test_rivals_that_changed_between_results_are_named(tmp_path: Path) -> None:
    versions: list[dict[str, str]] = [
        {"random": "1f", "planner": "2f"},
        {"random": "1f", "planner": "3f"},
        {},
    ]
    first, changed, unknown = (
        made_result(bot, fingerprints=found)
        for bot, found in zip(("greedy", "mybot:Bot", "planner"), versions, strict=True)
    )
    said = "The code of planner was not the same in all results."
    assert said in leaderboard(tmp_path, first, changed)
    assert "not the same" not in leaderboard(tmp_path, first, unknown)


# Of an arena


def test_an_arena_has_the_same_page(tmp_path: Path) -> None:
    report = random_report(ArenaSettings((EVIL, "lowest", "random"), GameConfig(3, 1), deals=9))
    write_html(tmp_path / "a.html", report)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    parsed, names = Tables(page), report.settings.bots
    (_, best, *_), (title, cells) = parsed.rows["Ranking"], [*parsed.rows.items()][1]
    rating = report.bots[report.ranking[0]]["rating"].value
    assert best[1] == names[report.ranking[0]] and best[3].startswith(f"{rating:+.0f} ")
    assert title.startswith("Win share in % against copies") and "33.3 for equal play" in title
    shares = {(duel.one, duel.field): f"{duel.win_share.value:.1f}" for duel in report.cross_table}
    assert cells[0][1:] == [names[bot] for bot in report.ranking]
    for one, row in zip(report.ranking, cells[1:], strict=True):
        expected = [shares.get((one, field), "\N{EN DASH}") for field in report.ranking]
        assert row == [names[one], *expected]
    assert not {"script", "em"} & parsed.tags and not LOADED.search(page)

    write_html(tmp_path / "b.html", tiny_report(Forfeit(1, 4, "late", (0, 1))))
    rows = Tables((tmp_path / "b.html").read_text(encoding="utf-8")).rows["Ranking"]
    assert {row[1] for row in rows[1:]} == {"ann", "bob 2 games forfeited"}


# Numbers and axes


def test_numbers_are_short() -> None:
    signed = numbers("{:.1f}")
    assert (signed(-0.04), signed(-3.26)) == ("0.0", "\N{MINUS SIGN}3.3")
    assert numbers("{:+.0f}")(12) == "+12"
    assert [*map(speed_text, (7.219e5, 0.0123, 6.1e6))] == ["722k", "0.0123", "6.1M"]


def test_axes_hold_all_numbers_and_have_round_ticks() -> None:
    scale = scale_of([Estimate(-20, -25, -14), Estimate(40, np.nan, np.nan)])
    assert scale.low < -25 and scale.high > 40
    assert scale.ticks() == [-20, 0, 20, 40] and scale.place(scale.low) == 0
    assert Scale(-1, 1).ticks(4) == [-1, -0.5, 0, 0.5, 1]
    assert log_scale_of([1000.0]) == Scale(3, 4)
    assert log_scale_of([0.5, 2000.0]) == Scale(-1, 4)
