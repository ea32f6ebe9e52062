"""Reports call bots by their names, and can be read on a narrow terminal."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from mindup_arena import ArenaSettings, Report, print_report
from mindup_arena.command import given_names
from mindup_arena.picture import make_figure
from mindup_env import Deck, GameConfig, cli
from mindup_env.runs.run_folder import RunFolder
from tests.arena.reports import random_report

SPECS = (
    "policy:runs/4_players-4p-seed0/policy.safetensors",
    "policy:runs/4_players-4p-seed1/policy.safetensors",
    "search:simulations=400,horizon=game",
    "champion-2:worlds=120,decay=0.9",
    "planner",
    "greedy",
    "mybots.strategies:Careful:depth=3",
    "process:node bots/bot.js --level 3 --verbose",
)
TWO = ["random", "lowest", "--players", "2", "--rounds", "1", "--deals", "1"]


def printed(report: Report, width: int = 80) -> str:
    text = io.StringIO()
    print_report(report, Console(file=text, width=width))
    return text.getvalue()


def rows_of(text: str, title: str) -> list[str]:
    """The lines of a table that begin with a place."""
    lines = text[text.index(title) :].split("\n")[1:]
    ends = "Win share", "Nash average", "1 is", "1 a is"
    end = next(i for i, line in enumerate(lines) if line.startswith(ends))
    return [line for line in lines[:end] if line[:1].isdigit()]


def test_eight_bots_with_long_specs_fit_on_80_columns() -> None:
    report = random_report(ArenaSettings(SPECS, deals=3, chunk_deals=2))
    text = printed(report)
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
    for spec in SPECS:
        assert spec in explained, "what is cut is explained"


def test_short_names_head_the_columns() -> None:
    report = random_report(ArenaSettings(("ann", "bob", "cy"), deals=3, chunk_deals=2))
    text = printed(report)
    assert "cy" in text and " is " not in text.partition("Bots over")[2]
    assert [line.split() for line in text.split("\n") if line.split() == ["cy", "bob", "ann"]]


def test_every_part_of_a_report_has_the_names(tmp_path: Path) -> None:
    path = str(tmp_path / "out")
    names = ["--name", "random=a b"]
    files = ["--out", path, "--json", str(tmp_path / "a.json"), "--csv", str(tmp_path / "a.csv")]
    assert cli.main(["arena", *TWO, *files, *names, "--one-vs-field"]) == 0
    plain = json.loads((tmp_path / "a.json").read_text())
    assert [(bot["name"], bot["spec"]) for bot in plain["bots"]] == [
        ("a b", "random"),
        ("lowest", "lowest"),
    ]
    assert plain["line_ups"] == [["a b", "lowest"]] and "One a b plays" in plain["schedule"]
    assert {cell["one"] for cell in plain["cross_table"]} == {"a b", "lowest"}
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    assert {row["bot"] for row in rows} == {"a b", "lowest"}
    assert cli.main(["arena", "--resume", path, *names, "--name", "lowest=low"]) == 0
    settings = RunFolder.read(tmp_path / "out", "arena", ArenaSettings).settings
    assert settings.names == ("a b", "low"), "a bot can be called anew"
    assert cli.main(["arena", "--resume", path]) == 0
    assert json.loads((tmp_path / "out" / "report.json").read_text())["bots"][1]["name"] == "low"


def test_terminal_and_picture_have_the_names() -> None:
    settings = ArenaSettings(SPECS[:3], deals=3, chunk_deals=2, names=("a", "", "search [400]"))
    report = random_report(settings)
    text = printed(report)
    for line in (f"a is {SPECS[0]}", f"search [400] is {SPECS[2]}", "4_players-4p-seed1 is policy"):
        assert line in text
    drawn = [label.get_text() for label in make_figure(report).axes[0].get_yticklabels()]
    assert sorted(drawn) == ["4_players-4p-seed1", "a", "search [400]"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ["greedy=a"],
            "--name must be BOT=NAME with a bot of the arena, not 'greedy=a'; its bots: r",
        ),
        (["random"], "--name must be BOT=NAME with a bot of the arena, not 'random'"),
        (["random="], "--name must be BOT=NAME"),
        (["random=lowest"], "two bots have the name 'lowest'"),
        (["random=a", "lowest=a"], "two bots have the name 'a'"),
        (["random=a\tb"], "a name must be a printable text, not 'a\\tb'"),
    ],
)
def test_wrong_names_are_refused(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    named = [each for word in words for each in ("--name", word)]
    assert cli.main(["arena", *TWO, *named]) == 2
    assert f"mindup: {error}" in capsys.readouterr().err


@pytest.mark.parametrize("names", [("a",), "ab", ("a", 3), 5])
def test_names_that_do_not_fit_the_bots_are_refused(names: Any) -> None:
    with pytest.raises(ValueError, match="name"):
        ArenaSettings(("random", "lowest"), names=names)


@pytest.mark.parametrize("spec", ["champion", "champion-2"])
def test_an_alias_is_named_under_both_of_its_names(spec: str) -> None:
    assert given_names([f"{spec}=best"], ["random", "champion-2"]) == ("", "best")


def test_the_game_is_described() -> None:
    cards = [(number, "pink", 0) for number in range(1, 31)]
    config = GameConfig(2, 1, 2, 5, Deck(cards))  # type: ignore[arg-type]
    text = printed(random_report(ArenaSettings(("ann", "bob"), config, deals=2)), width=200)
    assert "2 players, 1 objective, 2 rounds, first hands of 5, another deck, of 30 cards" in text
    assert "2 deals, 3 players, 12 games" in printed(
        random_report(ArenaSettings(("ann", "bob"), GameConfig(3), deals=2)), width=200
    )
