"""The report on the terminal and in files, and the names of its bots."""

import csv
import io
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from mindup_agents.labels import labels
from mindup_arena.estimate import estimate_shares
from mindup_arena.failures import Forfeit
from mindup_arena.picture import draw, make_figure
from mindup_arena.report import Report
from mindup_arena.report_files import (
    COLUMNS,
    SPEED,
    print_report,
    to_dict,
    write_csv,
    write_json,
)
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig
from mindup_env.report.picture import picture_format
from tests.arena.reports import random_report, tiny_report

ANN = estimate_shares(np.array([[0.75], [0.5]]), 2)[0].times(100)
"""Ann's win share in the tiny report, from those of its two deals."""
FORFEIT = Forfeit(1, 4, "ValueError: [bold] no", (1,), '  File "bob.py", line 7, in act')


def printed(report: Report, width: int = 200) -> str:
    text = io.StringIO()
    print_report(report, Console(file=text, width=width))
    return text.getvalue()


def test_a_tiny_report_by_hand() -> None:
    """Ann wins one game and shares one in the first deal, wins one and loses one in the second."""
    ann, bob = tiny_report().bots
    assert ann["win_share"] == pytest.approx(ANN)
    assert bob["win_share"] == pytest.approx((37.5, 100 - ANN.high, 100 - ANN.low))
    quantile = 12.7062  # of Student's t with one degree of freedom, for two deals
    assert ann["mean_score"] == pytest.approx((27.5, 27.5 - 7.5 * quantile, 27.5 + 7.5 * quantile))
    assert ann["mean_rank"].value == 1.375
    assert ann["margin"] == pytest.approx((2.5, 2.5 - 2.5 * quantile, 2.5 + 2.5 * quantile))
    # Two and a half wins of four; resamples give two, two and a half or three.
    ratio = 400 * math.log10(2.5 / 1.5)
    assert ann["rating"][0] - bob["rating"][0] == pytest.approx(ratio, rel=0.05)
    assert ann["rating"][1] == pytest.approx(0, abs=0.1)
    cells = {(cell.one, cell.field): cell.win_share for cell in tiny_report().cross_table}
    assert cells == {(0, 1): ann["win_share"], (1, 0): bob["win_share"]}, "it has two sides"


def test_files_have_every_number_of_a_bot(tmp_path: Path) -> None:
    write_json(tmp_path / "report.json", tiny_report(FORFEIT))
    plain = json.loads((tmp_path / "report.json").read_text())
    ann, bob = plain["bots"]
    assert ann["name"] == "ann"
    share = [ann[f"win_share{end}"] for end in ("", "_low", "_high")]
    assert share == pytest.approx(ANN, abs=1e-4)
    assert (ann["mean_score"], ann["mean_rank"], ann["margin"]) == (27.5, 1.375, 2.5)
    assert (ann["decisions_per_second"], bob["decisions_per_second"]) == (20, 40000)
    assert (ann["games_forfeited"], bob["games_forfeited"]) == (0, 1)
    assert plain["forfeits"] == [
        {
            "bot": "bob",
            "match": ["ann", "bob"],
            "games": [{"deal": 1, "rotation": 1}],
            "decision": 5,
            "reason": FORFEIT.reason,
            "traceback": FORFEIT.traceback,
        }
    ]
    assert plain["games"] == 4
    assert "decisions_per_second" not in str(to_dict(tiny_report()))
    write_csv(tmp_path / "report.csv", tiny_report())
    lines = list(csv.DictReader((tmp_path / "report.csv").read_text().splitlines()))
    assert len(lines) == 2 * 5 + 2
    ends = [str(round(end, 4)) for end in ANN]
    assert [*lines[0].values()] == ["ann", "", "win_share", *ends]
    assert lines[-1]["against"] == "ann"


def test_files_and_the_terminal_name_the_same_measures() -> None:
    report = random_report(ArenaSettings(("ann", "bob", "cy"), deals=5, chunk_deals=5))
    columns = [*COLUMNS, SPEED]
    assert {column.key for column in columns} >= report.bots[0].keys()
    for column in columns:
        name = re.sub(r"[ -]", "_", column.heading.removesuffix(" %").lower())
        assert column.key.startswith(name)


def test_the_terminal_shows_the_tables_and_the_forfeits() -> None:
    text, share = printed(tiny_report(FORFEIT)), f"{ANN.low:.1f}..{ANN.high:.1f}"
    assert all(part in text for part in (share, "! 1 forfeited", "[bold] no", "decision 5", "40k"))


@pytest.mark.parametrize(
    ("bots", "expected"),
    [
        (["greedy", "mybot:Bot:depth=3"], ["greedy", "mybot:Bot:depth=3"]),
        (["policy:runs/a/policy.onnx", "policy:b/best.onnx"], ["a", "best"]),
        (["policy:policy.onnx", "policy:x,temperature=1"], ["policy", None]),
        (["policy:runs/a/policy.onnx", "policy:old/a/policy.onnx"], [None, None]),
        (["policy:runs/greedy/policy.onnx", "greedy"], [None, "greedy"]),
    ],
)
def test_a_policy_is_named_by_its_run_where_that_is_unique(
    bots: list[str], expected: list[str | None]
) -> None:
    assert labels(bots) == [short or bot for short, bot in zip(expected, bots, strict=True)]


def test_a_single_deal_has_no_intervals(tmp_path: Path) -> None:
    report = random_report(ArenaSettings(("ann", "bob"), GameConfig(num_players=3), deals=1))
    text = printed(report)
    assert to_dict(report)["bots"][0]["win_share_low"] is None and ".." not in text
    draw(tmp_path / "one.svg", report)


def test_the_picture_shows_each_cell_and_rating(tmp_path: Path) -> None:
    report = random_report(ArenaSettings(("ann", "bob", "cy"), deals=5, chunk_deals=5))
    cross_table, ratings = make_figure(report).axes
    shown = [text.get_text() for text in cross_table.texts]
    for cell in report.cross_table:
        assert f"{cell.win_share.value:.1f}" in shown
    best = max(report.bots, key=lambda measures: measures["rating"].value)["rating"]
    assert ratings.texts[0].get_text().startswith(f"{best.value:+.0f} ")
    draw(tmp_path / "report.png", report)
    assert (tmp_path / "report.png").read_bytes().startswith(b"\x89PNG")
    settings = ArenaSettings(("ann", "bob", "cy"), deals=5, chunk_deals=5, one_vs_field=True)
    cross_table, *_ = make_figure(random_report(settings)).axes
    rivals = {text.get_text() for text in cross_table.get_xticklabels()}
    assert rivals == {"bob", "cy"}, "no column of cells that were not played"


@pytest.mark.parametrize("name", ["report.doc", "report"])
def test_a_picture_of_an_unknown_format_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"cannot draw .*; accepted suffixes: .*\.png"):
        picture_format(Path(name))


# Names

SPECS = (
    "policy:runs/4_players-4p-seed0/policy.onnx",
    "policy:runs/4_players-4p-seed1/policy.onnx",
    "search:worlds=400,models=random",
    "champion:worlds=120,models=planner",
    "planner",
    "greedy",
    "mybots.strategies:Careful:depth=3",
    "bots.rollouts:Rollouts:level=3,verbose=true",
)


def rows_of(text: str, title: str) -> list[str]:
    """The lines of a table that begin with a place."""
    lines = text[text.index(title) :].split("\n")[1:]
    ends = "Win share", "1 is", "1 a is"
    end = next(i for i, line in enumerate(lines) if line.startswith(ends))
    return [line for line in lines[:end] if line[:1].isdigit()]


def test_eight_bots_with_long_specs_fit_on_80_columns() -> None:
    report = random_report(ArenaSettings(SPECS, deals=3, chunk_deals=2))
    text = printed(report, 80)
    assert max(map(len, text.split("\n"))) <= 80
    ranking, cross_table = (rows_of(text, title) for title in ("Bots over all", "Win share % of"))
    for place, bot in enumerate(report.ranking, start=1):
        measures = report.bots[bot]
        assert ranking[place - 1].startswith(f"{place} ") and len(ranking) == len(SPECS)
        values = f"{measures['win_share'].value:.1f}", f"{measures['mean_score'].value:.1f}"
        assert ranking[place - 1].split()[-6:-4] == list(values), "a bot has one line"
        shares = [
            f"{cell.win_share.value:.1f}"
            for field in report.ranking
            for cell in report.cross_table
            if (cell.one, cell.field) == (bot, field)
        ]
        assert cross_table[place - 1].split()[-7:] == shares and len(cross_table) == len(SPECS)
    assert "1 2 3 4 5 6 7 8" in " ".join(text.split())
    explained = " ".join(text.split())
    assert all(spec in explained for spec in SPECS), "what is cut is explained"
    for measures in report.bots:
        assert f"{measures['margin'].low:+.1f}..{measures['margin'].high:+.1f}" in text
    text = printed(random_report(ArenaSettings(("ann", "bob", "cy"), deals=3, chunk_deals=2)), 80)
    assert " is " not in text.partition("Bots over")[2]
    titles = ["cy", "bob", "ann"]
    assert [line for line in text.split("\n") if line.split() == titles], "short names head columns"


def test_the_game_is_described() -> None:
    config = GameConfig(2, 1, 2, 5, 30, (2, 4, 1, 5, 3))
    text = printed(random_report(ArenaSettings(("ann", "bob"), config, deals=2)))
    assert "2 players, 1 objective, 2 rounds, first hands of 5, 30 cards" in text
    assert "score cards in the order (2, 4, 1, 5, 3)" in text
    assert "2 deals, 3 players, 12 games" in printed(
        random_report(ArenaSettings(("ann", "bob"), GameConfig(3), deals=2)), width=200
    )
