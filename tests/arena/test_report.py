"""The report on the terminal and in files."""

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from mindup_agents.labels import labels
from mindup_arena.estimate import estimate_shares
from mindup_arena.failures import Forfeit
from mindup_arena.picture import draw, make_figure
from mindup_arena.report import Report
from mindup_arena.report_files import to_dict, write_csv, write_json
from mindup_arena.settings import ArenaSettings
from mindup_arena.terminal import print_report
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


def test_the_cross_table_of_one_against_one_has_two_sides() -> None:
    cells = {(cell.one, cell.field): cell.win_share for cell in tiny_report().cross_table}
    bob = 37.5, 100 - ANN.high, 100 - ANN.low
    assert cells == {(0, 1): pytest.approx(ANN), (1, 0): pytest.approx(bob)}


def test_json_has_every_number_of_a_bot(tmp_path: Path) -> None:
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
            "line_up": ["ann", "bob"],
            "games": [{"deal": 1, "rotation": 1}],
            "decision": 5,
            "reason": FORFEIT.reason,
            "traceback": FORFEIT.traceback,
        }
    ]
    assert plain["games"] == 4 and plain["reproducible"] is True
    assert "decisions_per_second" not in str(to_dict(tiny_report()))


def test_csv_has_a_line_for_each_number(tmp_path: Path) -> None:
    write_csv(tmp_path / "report.csv", tiny_report())
    lines = list(csv.DictReader((tmp_path / "report.csv").read_text().splitlines()))
    assert len(lines) == 2 * 5 + 2
    ends = [str(round(end, 4)) for end in ANN]
    assert [*lines[0].values()] == ["ann", "", "win_share", *ends]
    assert lines[-1]["against"] == "ann"


def test_the_terminal_shows_the_tables_and_the_forfeits() -> None:
    text = printed(tiny_report(FORFEIT))
    for part in (
        f"{ANN.low:.1f}..{ANN.high:.1f}",
        "! 1 forfeited",
        "[bold] no",
        "decision 5",
        "40k",
    ):
        assert part in text
    assert "differ" not in text


@pytest.mark.parametrize("bots", [2, 7])
def test_numbers_are_not_folded_on_a_narrow_terminal(bots: int) -> None:
    names = tuple(f"policy:runs/a-rather-long-folder/{bot}.safetensors" for bot in range(bots))
    report = random_report(ArenaSettings(names, deals=3, chunk_deals=2))
    text = printed(report, width=80)
    for measures in report.bots:
        assert f"{measures['margin'].low:+.1f}..{measures['margin'].high:+.1f}" in text
    for cell in report.cross_table:
        assert f" {cell.win_share.value:.1f}" in text


@pytest.mark.parametrize(
    ("bots", "expected"),
    [
        (["greedy", "mybot:Bot:depth=3"], ["greedy", "mybot:Bot:depth=3"]),
        (["policy:runs/a/policy.safetensors", "policy:b/best.safetensors"], ["a", "best"]),
        (["policy:policy.safetensors", "policy:x,temperature=1"], ["policy", None]),
        (["policy:runs/a/policy.safetensors", "policy:old/a/policy.safetensors"], [None, None]),
        (["policy:runs/greedy/policy.safetensors", "greedy"], [None, "greedy"]),
    ],
)
def test_a_policy_is_named_by_its_run_where_that_is_unique(
    bots: list[str], expected: list[str | None]
) -> None:
    assert labels(bots) == [short or bot for short, bot in zip(expected, bots, strict=True)]


def test_the_terminal_explains_short_names() -> None:
    bots = ("policy:runs/quick/policy.safetensors", "bob")
    text = printed(random_report(ArenaSettings(bots, deals=3, chunk_deals=2)))
    assert "quick is policy:runs/quick/policy.safetensors" in text
    assert text.count("policy.safetensors") == 1 and "bob is" not in text


def test_a_single_deal_has_no_intervals_and_a_time_limit_is_marked(tmp_path: Path) -> None:
    limited = ArenaSettings(("ann", "bob"), GameConfig(num_players=3), deals=1, time_limit=2.0)
    report, text = random_report(limited), printed(random_report(limited))
    assert to_dict(report)["reproducible"] is False and "can differ" in text
    assert to_dict(report)["bots"][0]["win_share_low"] is None and ".." not in text
    draw(tmp_path / "one.svg", report)


def test_the_picture_shows_each_cell_and_rating(tmp_path: Path) -> None:
    report = random_report(ArenaSettings(("ann", "bob", "cy"), deals=5, chunk_deals=5))
    cross_table, ratings, _ = make_figure(report).axes
    shown = [text.get_text() for text in cross_table.texts]
    for cell in report.cross_table:
        assert f"{cell.win_share.value:.1f}" in shown
    best = max(report.bots, key=lambda measures: measures["rating"].value)["rating"]
    assert ratings.texts[0].get_text().startswith(f"{best.value:+.0f} ")
    draw(tmp_path / "report.png", report)
    assert (tmp_path / "report.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["report.doc", "report"])
def test_a_picture_of_an_unknown_format_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"cannot draw .*; accepted suffixes: .*\.png"):
        picture_format(Path(name))


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"deals": 0}, "deals must be"),
        ({"bots": ("ann",)}, "at least 2 bots"),
        ({"bots": ("ann", "ann")}, "named twice"),
    ],
)
def test_wrong_settings_are_refused(changed: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        ArenaSettings(**{"bots": ("ann", "bob"), **changed})
