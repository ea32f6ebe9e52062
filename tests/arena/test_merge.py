"""Arenas of the same bots with other seeds are merged into one report."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from mindup_arena import ArenaSettings, merge_arenas, run, run_arena
from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.schedule import chunks
from mindup_env import GameConfig, cli
from mindup_env.runs.run_folder import RunFolder
from tests.arena.reports import play_here

BOTS = "random", "lowest", "tests.arena.bots:Faulty:at=3"
SETTINGS = ArenaSettings(BOTS, GameConfig(num_players=2, num_rounds=1), deals=4, chunk_deals=3)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Arenas with the seeds 2 and 1, and of 4 and 5 deals."""
    found = []
    with patch.object(run, "play_in_processes", play_here):
        for seed, deals in ((2, 4), (1, 5)):
            found.append(tmp_path_factory.mktemp("arenas") / f"seed-{seed}")
            run_arena(replace(SETTINGS, seed=seed, deals=deals), folder=found[-1])
    return found


def test_a_merged_report_is_about_all_deals(folders: list[Path]) -> None:
    report = merge_arenas(folders)
    assert report.num_games == 9 * 2 * 3 and report.settings.deals == 9
    assert [(run.seed, run.deals) for run in report.runs] == [(1, 5), (2, 4)]
    shares = []
    for folder in folders:
        for chunk in chunks(RunFolder.read(folder, "arena", ArenaSettings).settings):
            if chunk.match == 0:
                played = ArenaFolder(folder).load(chunk)
                shares += played.results.win_shares[..., 0].mean(axis=1).tolist()
    (cell,) = (each for each in report.cross_table if (each.one, each.field) == (0, 1))
    assert cell.win_share.value == pytest.approx(100 * np.mean(shares))
    deals = {deal for lost in report.forfeits for deal, _ in lost.games}
    assert deals == {*range(9)}, "deals of the second arena are numbered on"


def test_the_fingerprints_of_all_arenas_must_agree(folders: list[Path], tmp_path: Path) -> None:
    (known,) = merge_arenas(folders).fingerprints
    assert {*known.files} == {*BOTS}
    changed = Path(shutil.copytree(folders[1], tmp_path / "changed"))
    file = changed / "run.json"
    file.write_text(file.read_text().replace('"numba": "', '"numba": "0'))
    with pytest.raises(ValueError, match="because bots have changed: numba was "):
        merge_arenas([folders[0], changed])


def test_the_command_reports_all_seeds(
    folders: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["arena", "merge", *map(str, folders), "--json", str(tmp_path / "a")]) == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "9 deals, 2 players, 1 round, 54 games, seeds 1, 2." in said
    plain = json.loads((tmp_path / "a").read_text())
    assert [run["seed"] for run in plain["merged"]] == [1, 2]
    win_share = merge_arenas(folders[::-1]).bots[0]["win_share"].value
    assert plain["bots"][0]["win_share"] == round(win_share, 4), "in any order of the folders"


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({}, r"6 chunks are missing: mindup arena rank --resume"),
        ({"bots": ("random", "highest")}, r"bots is random lowest .* in the one, and random high"),
        ({"config": GameConfig(num_players=3, num_rounds=1)}, "do not fit: config is"),
        ({"one_vs_field": True}, "one_vs_field is False in the one, and True in the other"),
        ({"time_limit": 2.0}, "time_limit is None in the one"),
        ({"seed": 2, "deals": 1}, "both have the deals 0 to 0 of the seed 2"),
        ({"seed": 2, "agent_seed": 5, "deals": 9}, "both have the deals 0 to 3 of the seed 2"),
    ],
)
def test_what_does_not_fit_is_refused(
    changed: dict[str, Any], error: str, folders: list[Path], tmp_path: Path
) -> None:
    with RunFolder.create(tmp_path, "arena", replace(SETTINGS, **{"seed": 9, **changed})):
        pass
    with pytest.raises(ValueError, match=error):
        merge_arenas([folders[0], tmp_path])


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["a"], "merge needs the folders of at least 2 arenas, not 1"),
        (["a", "b", "--json", "/dev/null/a"], "cannot write /dev/null/a"),
    ],
)
def test_a_wrong_command_is_refused(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["arena", "merge", *words]) == 2
    assert error in capsys.readouterr().err
