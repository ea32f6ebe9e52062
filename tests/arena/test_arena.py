"""An arena, from Python and by ``mindup arena rank``, and the files of its folder."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_arena import ArenaSettings, play_match, run, run_arena
from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.bot import DecisionTime
from mindup_arena.chunk import ChunkPlayer, PlayedChunk
from mindup_arena.failures import Forfeit
from mindup_arena.report_files import to_dict
from mindup_arena.schedule import Chunk, chunks, matches
from mindup_env import Game, GameConfig, cli
from mindup_env.runs.files import lock_folder
from mindup_env.runs.run_folder import RunFolder
from mindup_env.settings import extras
from tests.arena.conftest import GAME
from tests.arena.reports import play_here

CONFIG = GameConfig(num_players=2, num_rounds=1)


def settings_of(folder: Path) -> ArenaSettings:
    return RunFolder.read(folder, "arena", ArenaSettings).settings


def stop(*_: Any, **__: Any) -> None:
    raise KeyboardInterrupt


def test_every_file_is_written(arena: Path) -> None:
    plain = json.loads((arena / "a.json").read_text())
    assert [bot["name"] for bot in plain["bots"]] == ["random", "lowest", "highest"]
    for bot in plain["bots"]:
        assert bot["win_share_low"] <= bot["win_share"] <= bot["win_share_high"]
        assert {"mean_score", "mean_rank", "margin", "rating"} <= set(bot)
        assert bot["decisions_per_second"] > 0
    assert sum(bot["win_share"] for bot in plain["bots"]) == pytest.approx(150, abs=0.01)
    assert (arena / "new" / "a.csv").exists()
    assert "<svg" in (arena / "a.svg").read_text()
    kept = json.loads((arena / "out" / "report.json").read_text())
    assert kept["bots"][0] == {k: v for k, v in plain["bots"][0].items() if "per_second" not in k}


def test_every_part_of_the_game_is_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--players", "2", "--objectives", "5", "--rounds", "2", "--hand-size", "2"]
    words += ["--deals", "2", "--cards", "10"]
    with monkeypatch.context() as patch:
        patch.setattr(run, "play_in_processes", stop)
        start = ["arena", "rank", "random", "lowest", *words, "--out", "out"]
        assert cli.main(start) == cli.INTERRUPTED
    assert settings_of(Path("out")).config == GameConfig(2, 5, 2, 2, 10)
    monkeypatch.setattr(run, "play_in_processes", play_here)
    assert cli.main(["arena", "rank", "--resume", "out"]) == 0


def test_every_game_is_recorded_with_its_seats(arena: Path) -> None:
    written = sorted((arena / "games").glob("*/*.json"))
    assert len(written) == 3 * 3 * 2
    folder, settings = ArenaFolder(arena / "out"), settings_of(arena / "out")
    played = {chunk.match: folder.load(chunk).results for chunk in chunks(settings)}
    for file in written:
        record = json.loads(file.read_text())
        game = Game.replay(record)
        match = int(file.parent.name.rpartition("-")[2])
        _, deal, _, rotation = file.stem.split("-")
        assert game.over and game.deal == Game(game.config, 0, slot=int(deal)).deal
        scores = played[match].scores[int(deal), int(rotation)]
        assert [game.scores[(place + int(rotation)) % 2] for place in (0, 1)] == scores.tolist()
        bots = [settings.bots[bot] for bot in matches(settings)[match]]
        assert [record["names"][(place + int(rotation)) % 2] for place in (0, 1)] == bots


REFUSED = [
    ("random greedy:depth=2", "bot 'greedy:depth=2' cannot be made: "),
    ("random", "an arena needs at least 2 bots, not 1; available: champion, "),
    ("random lowest --deals 0", "deals must be 1 to"),
    ("random lowest --players 7", "players must be 2 to 6, not 7"),
    ("random lowest --workers 0", "--workers must be 1 to 1024"),
    ("random lowest --json /dev/null/a.json", "cannot write /dev/null/a.json"),
    ("random lowest --csv .", "cannot write ."),
    ("random lowest --out /dev/null", "/dev/null is no empty folder: give another"),
    ("random lowest --picture arena.doc", "cannot draw 'arena.doc'; accepted suffixes: ."),
    ("random lowest --out OUT", "has a run already: resume it with --resume "),
    ("--resume nowhere", "no run of mindup arena rank in nowhere: it has no run.json"),
    ("random --resume OUT --one-vs-field --players 3", "not BOT --players --one-vs-field: a run"),
]


@pytest.mark.parametrize(("words", "error"), REFUSED)
def test_a_wrong_command_is_refused_before_anything_is_played(
    words: str,
    error: str,
    arena: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(run, "play_in_processes", None)
    out = str(arena / "out")
    given = (out if word == "OUT" else word for word in words.split())
    assert cli.main(["arena", "rank", *given]) == 2
    assert error in capsys.readouterr().err


@pytest.mark.parametrize(("word", "expected"), [("7", 7), ("secret", 99)])
def test_an_agent_seed_is_given_or_drawn_once(
    word: str, expected: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter([99])
    monkeypatch.setattr("mindup_arena.settings.secrets.randbits", lambda _: next(drawn))
    monkeypatch.setattr(run, "play_in_processes", stop)
    folder = str(tmp_path / "out")
    words = ["random", "lowest", *GAME, "--agent-seed", word, "--out", folder]
    for given in (words, ["--resume", folder]):
        assert cli.main(["arena", "rank", *given]) == cli.INTERRUPTED
        assert settings_of(tmp_path / "out").agent_seed == expected


def test_without_a_folder_results_are_kept_until_they_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(run, "play_in_processes", stop)
        assert cli.main(["arena", "rank", "random", "lowest", *GAME]) == cli.INTERRUPTED
    (folder,) = tmp_path.iterdir()
    assert f"to resume: mindup arena rank --resume {folder}" in capsys.readouterr().err
    monkeypatch.setattr(run, "play_in_processes", play_here)
    assert cli.main(["arena", "rank", "random", "lowest", *GAME, "--one-vs-field"]) == 0
    assert "One random plays every deal in all seat rotations against copies of lowest" in " ".join(
        capsys.readouterr().out.split()
    )
    assert list(tmp_path.iterdir()) == [folder]


def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "scipy" else name)
    assert cli.main(["arena", "rank", "random", "lowest"]) == 2
    assert (
        "mindup arena rank needs scipy: pip install 'mindup-env[arena]'" in capsys.readouterr().err
    )


def test_a_folder_in_use_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with lock_folder(tmp_path / "out"):
        given = ["--out", str(tmp_path / "out")]
        assert cli.main(["arena", "rank", "random", "lowest", *GAME, *given]) == 2
        assert "out is in use by another process" in capsys.readouterr().err


def test_an_error_of_a_worker_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The records are written by the workers; they can be in the folder of the arena."""
    out = str(tmp_path / "out")
    with monkeypatch.context() as patch:
        patch.setattr(run, "play_in_processes", stop)
        words = ["arena", "rank", "random", "lowest", *GAME, "--out", out, "--record", out]
        assert cli.main(words) == cli.INTERRUPTED
    (tmp_path / "out" / "match-000").write_text("in the way")
    capsys.readouterr()
    assert cli.main(["arena", "rank", "--resume", out]) == cli.SYSTEM_ERROR
    (line,) = capsys.readouterr().err.splitlines()
    advice = f"to resume: mindup arena rank --resume {out}"
    assert line == f"mindup: {out}/match-000: File exists; {advice}"


# From Python


def test_a_match_of_the_arena_is_played_as_from_python(arena: Path) -> None:
    settings = settings_of(arena / "out")
    for chunk in chunks(settings):
        bots = [settings.bots[bot] for bot in matches(settings)[chunk.match]]
        found = ArenaFolder(arena / "out").load(chunk).results
        assert np.array_equal(found.scores, play_match(bots, CONFIG, deals=3).scores)


def test_only_missing_chunks_are_played(
    arena: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(arena / "out", tmp_path / "out"))
    settings = settings_of(folder)
    (folder / "results" / "chunk-00001.json").unlink()
    (folder / "results" / ".chunk-00001.json.0123456789abcdef").write_text("{")
    played: list[Chunk] = []

    def play(found: list[Chunk], *more: Any) -> Iterator[PlayedChunk]:
        played.extend(found)
        return play_here(found, *more)

    monkeypatch.setattr(run, "play_in_processes", play)
    again = run_arena(settings, folder=folder)
    assert played == [chunks(settings)[1]] and again.settings == settings
    kept = json.loads((arena / "out" / "report.json").read_text())
    assert to_dict(again) == json.loads((folder / "report.json").read_text()) == kept
    assert not [*folder.rglob(".*")]
    with pytest.raises(ValueError, match="a run of mindup arena rank with other settings"):
        run_arena(replace(settings, deals=4), folder=folder)


@pytest.mark.parametrize(
    ("given", "how", "error"),
    [
        ({}, {"workers": 0}, "workers must be 1 to 1024"),
        ({}, {"workers": 2, "address": "auto"}, "set workers or address, not both"),
        ({"bots": 3}, {}, "bots must be a list, not 3"),
        ({"config": None}, {}, "config: a config must be a dict with"),
        ({"deals": 10**9}, {}, "deals must be 1 to 1000000, not 1000000000"),
        ({"bots": ("champion", "champion")}, {}, "bot 'champion' is named twice"),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused(given: dict[str, Any], how: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        run_arena(ArenaSettings(**{"bots": ("random", "lowest"), **given}), **how)


def test_bots_can_be_a_list() -> None:
    bots: Any = ["random", "champion:worlds=8"]
    assert ArenaSettings(bots).bots == tuple(bots)


def test_a_chunk_is_read_as_it_was_saved(tmp_path: Path) -> None:
    settings = ArenaSettings(("highest", "lowest"), CONFIG, 2, chunk_deals=1)
    player, folder = ChunkPlayer(settings), ArenaFolder(tmp_path)
    folder.begin()
    for chunk in chunks(settings):
        forfeits = (Forfeit(1, 2, "no", (1,), "File"),)
        played = player.play(chunk)._replace(forfeits=forfeits)
        assert not folder.has(chunk)
        folder.save(played)
        again = folder.load(chunk)
        assert folder.has(chunk) and again._replace(results=played.results) == played
        assert np.array_equal(again.results.scores, played.results.scores)
        assert np.array_equal(again.results.ranks, played.results.ranks)
    assert DecisionTime().speed is None
