"""A comparison of two bots, from Python and by ``mindup compare``."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from mindup_arena import play_match, run
from mindup_arena.comparison import ComparisonSettings, print_comparison, run_comparison
from mindup_arena.comparison.report import with_panel
from mindup_arena.estimate import estimate_shares
from mindup_arena.report import FORFEITED
from mindup_arena.schedule import matches
from mindup_env import GameConfig, cli

CONFIG = GameConfig(num_players=3, num_rounds=1)
SETTINGS = ComparisonSettings(("greedy", "lowest", "random", "highest"), CONFIG, deals=12, seed=3)
GAME = ["--players", "3", "--rounds", "1", "--deals", "12", "--seed", "3"]
BOTS = ["greedy", "lowest", "--against", "random", "highest"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison by command, with its folder and its file."""
    folder = tmp_path_factory.mktemp("comparison")
    files = ["--out", str(folder / "kept"), "--json", str(folder / "new" / "a.json")]
    assert cli.main(["compare", *BOTS, *GAME, *files]) == 0
    return folder


def test_both_bots_play_the_same_seats_against_each_bot_of_the_panel() -> None:
    assert matches(SETTINGS) == [(0, 2, 2), (0, 3, 3), (1, 2, 2), (1, 3, 3)]
    assert SETTINGS.panel == ("random", "highest")


def test_the_differences_are_those_of_the_matches(folder: Path) -> None:
    plain = json.loads((folder / "new" / "a.json").read_text())

    def share(one: str, field: str) -> float:
        results = play_match(CONFIG, [one, field, field], deals=12, seed=3)
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
    played = [play_match(CONFIG, ["greedy", *[bot] * 2], 12, 3) for bot in SETTINGS.panel]
    per_deal = np.mean([each.win_shares[..., 0].mean(axis=1) for each in played], axis=0)
    (expected,) = estimate_shares(per_deal[:, None], 2 * 3)
    found = [whole[name] for name in ("first", "first_low", "first_high")]
    assert found == pytest.approx(expected.times(100), abs=1e-3)
    assert plain["games"] == 12 * 3 * 4 and plain["forfeits"] == []


def test_python_and_workers_give_the_same_comparison(folder: Path) -> None:
    comparison = run_comparison(SETTINGS, workers=2, folder=folder / "again")
    for name in ("new/a.json", "again/report.json"):
        assert (folder / name).read_text() == (folder / "kept" / "report.json").read_text()
    assert comparison.whole_panel.significant
    text = io.StringIO()
    print_comparison(comparison, Console(file=text, width=80))
    assert "whole panel: greedy wins more than lowest" in text.getvalue()
    assert max(map(len, text.getvalue().splitlines())) <= 80


def test_an_interrupted_comparison_is_resumed(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(run, "play_in_processes", stop)
        assert cli.main(["compare", *BOTS, *GAME]) == cli.INTERRUPTED
    (kept,) = tmp_path.iterdir()
    assert f"to resume: mindup compare --resume {kept}" in capsys.readouterr().err
    assert cli.main(["compare", "--resume", str(kept)]) == 0
    expected = (folder / "kept" / "report.json").read_text()
    assert (kept / "report.json").read_text() == expected


def test_the_forfeits_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faulty = "tests.arena.bots:Faulty:at=2"
    words = ["compare", faulty, "lowest", "--against", "highest", *GAME]
    assert cli.main([*words, "--json", str(tmp_path / "a.json")]) == FORFEITED
    assert "one over none" in " ".join(capsys.readouterr().out.split())
    forfeits = json.loads((tmp_path / "a.json").read_text())["forfeits"]
    assert {forfeit["bot"] for forfeit in forfeits} == {faulty}


def test_bots_without_a_difference_stay_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["tests.arena.bots:Highest", "highest", "--against", "lowest"]
    assert cli.main(["compare", *bots, *GAME]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "whole panel: undecided, and no difference to be seen" in printed


def test_the_default_panel_is_without_the_compared_bots() -> None:
    assert with_panel(["mybot:Bot", "planner"]) == (
        *("mybot:Bot", "planner"),
        *("random", "greedy", "predictor"),
    )
    assert with_panel(["a", "b"], ["lowest"]) == ("a", "b", "lowest")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["greedy"], "a comparison needs 2 bots, not 1"),
        (["greedy", "greedy"], "bot 'greedy' is named twice"),
        (["greedy", "lowest", "--against", "lowest"], "bot 'lowest' is named twice"),
        (["greedy", "lowest", "--json", "."], "cannot write ."),
        (["--resume", "nowhere"], "no run of mindup compare in nowhere: it has no run.json"),
    ],
)
def test_a_wrong_command_is_refused(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["compare", *words]) == 2
    assert f"mindup: {error}" in capsys.readouterr().err
