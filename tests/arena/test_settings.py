"""The settings of an arena, and its folder, refuse damage in words."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mindup_arena import ArenaSettings
from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.schedule import chunks
from mindup_env import GameConfig, cli
from mindup_env.runs.folder_lock import lock_folder

SETTINGS = ArenaSettings(("random", "lowest"), GameConfig(2, num_rounds=1), deals=1)
GAME = ["random", "lowest", "--players", "2", "--rounds", "1", "--deals", "1"]
RESULT: dict[str, Any] = {
    "line_up": 0,
    "deals": [0, 1],
    "forfeits": [{"bot": 1, "decision": 2, "reason": "SystemExit: 3"}],
    "scores": [[[30, 20], [10, 10]]],
    "ranks": [[[0, 1], [0, 0]]],
}
TIMING = {"0": {"decisions": 40, "seconds": 0.5}}


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"bots": 3}, "bots must be a list, not 3"),
        ({"bots": "random"}, "bots must be a list, not 'random'"),
        ({"bots": (1, 2)}, "bots must be the specs of bots, not 1"),
        ({"config": None}, "config must be a GameConfig, not None"),
        ({"deals": 10**9}, "deals must be 1 to 1000000, not 1000000000"),
        ({"time_limit": float("inf")}, "time_limit must be a finite number, not inf"),
        ({"record": 5}, "record must be the path of a folder, not 5"),
        ({"one_vs_field": 1}, "one_vs_field must be True or False, not 1"),
        ({"chunk_deals": 10**9}, "chunk_deals must be 1 to 10000"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ArenaSettings(**{"bots": ("random", "lowest"), **values})


def test_an_alias_is_stored_with_its_number() -> None:
    bots = ArenaSettings(("random", "champion:worlds=8"), deals=1).bots
    assert bots == ("random", "champion-2:worlds=8")
    with pytest.raises(ValueError, match="bot 'champion-2' is named twice"):
        ArenaSettings(("champion", "champion-2"), deals=1)


def test_a_list_of_bots_is_accepted() -> None:
    bots: Any = ["random", "lowest"]
    assert ArenaSettings(bots, SETTINGS.config, deals=1) == SETTINGS


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: "",
        lambda _: "[" * 100_000,
        lambda _: "[]",
        lambda plain: json.dumps({**plain, "bots": 3}),
        lambda plain: json.dumps({**plain, "config": 3}),
    ],
)
def test_damaged_settings_name_their_file(
    damage: Callable[[dict[str, Any]], str], tmp_path: Path
) -> None:
    folder = ArenaFolder(tmp_path)
    folder.begin(SETTINGS)
    path = tmp_path / "settings.json"
    path.write_text(damage(json.loads(path.read_text())))
    with pytest.raises(
        ValueError, match=r"cannot read the settings of the arena in .*settings\.json: "
    ):
        folder.read_settings()


@pytest.mark.parametrize(
    ("result", "timing"),
    [
        ("{", TIMING),
        ([], TIMING),
        ({**RESULT, "line_up": 1}, TIMING),
        ({**RESULT, "deals": [1, 2]}, TIMING),
        ({**RESULT, "scores": [[[30, 20]]]}, TIMING),
        ({**RESULT, "scores": [[[30, 20.5], [10, 10]]]}, TIMING),
        ({**RESULT, "scores": [[[30, 10**30], [10, 10]]]}, TIMING),
        ({**RESULT, "ranks": [[[0, 2], [0, 0]]]}, TIMING),
        ({**RESULT, "ranks": [[[1, 1], [0, 0]]]}, TIMING),
        ({**RESULT, "forfeits": 1}, TIMING),
        ({**RESULT, "forfeits": [{"bot": 7, "decision": 0, "reason": ""}]}, TIMING),
        ({**RESULT, "forfeits": [{**RESULT["forfeits"][0], "games": []}]}, TIMING),
        ({**RESULT, "forfeits": [{**RESULT["forfeits"][0], "games": [0, 0]}]}, TIMING),
        ({**RESULT, "forfeits": [{**RESULT["forfeits"][0], "games": [2]}]}, TIMING),
        ({**RESULT, "forfeits": [{**RESULT["forfeits"][0], "traceback": 1}]}, TIMING),
        (RESULT, None),
        (RESULT, {"7": TIMING["0"]}),
        (RESULT, {"0": {"decisions": 1, "seconds": float("nan")}}),
        (RESULT, {"0": {**TIMING["0"], "usage": 1}}),
        (RESULT, {"0": {**TIMING["0"], "usage": {"cost": 10**400}}}),
    ],
    ids=str,
)
def test_a_damaged_chunk_names_its_files(result: Any, timing: Any, tmp_path: Path) -> None:
    folder, chunk = ArenaFolder(tmp_path), chunks(SETTINGS)[0]
    folder.begin(SETTINGS)
    for name, plain in (("results", result), ("timings", timing)):
        if plain is not None:
            (tmp_path / name / "chunk-00000.json").write_text(
                plain if isinstance(plain, str) else json.dumps(plain)
            )
    with pytest.raises(ValueError, match=r"chunk-00000\.json .* remove both to play the chunk"):
        folder.load(chunk, SETTINGS)


def test_a_folder_in_use_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with lock_folder(tmp_path / "out"):
        assert cli.main(["arena", *GAME, "--out", str(tmp_path / "out")]) == 2
        assert "out is in use by process" in capsys.readouterr().err
        words = ["--out", str(tmp_path / "other"), "--record", str(tmp_path / "out")]
        assert cli.main(["arena", *GAME, *words]) == 2
        assert "out is in use by process" in capsys.readouterr().err


def test_leftovers_are_removed_and_records_can_be_in_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    for folder in (tmp_path, tmp_path / "results"):
        (folder / ".chunk-00000.json.0123456789abcdef").write_text("{")
    words = ["--resume", str(tmp_path), "--record", str(tmp_path)]
    assert cli.main(["arena", *GAME, *words]) == 0
    assert not list(tmp_path.rglob(".*"))
    assert len(list(tmp_path.glob("line-up-000/*.json"))) == 2


def test_an_error_of_a_worker_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The records are written by the workers."""
    out, records = tmp_path / "out", tmp_path / "records"
    records.mkdir()
    (records / "line-up-000").write_text("in the way")
    words = [*GAME, "--out", str(out), "--record", str(records)]
    assert cli.main(["arena", *words]) == cli.SYSTEM_ERROR
    (line,) = capsys.readouterr().err.splitlines()
    advice = f"to resume: mindup arena --resume {out}"
    assert line == f"mindup: {records / 'line-up-000'}: File exists; {advice}"
    (records / "line-up-000").unlink()
    assert cli.main(["arena", "--resume", str(out)]) == 0


def test_a_full_disk_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fill_disk(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    assert cli.main(["arena", *GAME, "--out", str(tmp_path)]) == 0
    for option in ("--json", "--csv", "--picture"):
        path = tmp_path / "report.png"
        words = ["arena", "--resume", str(tmp_path), option, str(path)]
        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", fill_disk)
            assert cli.main(words) == cli.SYSTEM_ERROR
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"mindup: {tmp_path}")
        assert line.endswith(
            f"No space left on device; to resume: mindup arena --resume {tmp_path}"
        )
    assert not list(tmp_path.rglob(".*"))
