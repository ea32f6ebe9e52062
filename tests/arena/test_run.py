"""An arena from Python, and the files of its folder."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_arena import ArenaSettings, Report, play_match, run, run_arena
from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.bot import DecisionTime
from mindup_arena.chunk import ChunkPlayer, ChunkTask, PlayedChunk
from mindup_arena.failures import Forfeit
from mindup_arena.report_files import to_dict
from mindup_arena.schedule import Chunk, chunks
from mindup_arena.workers import MakePlayer, play_in_processes
from mindup_env import GameConfig
from mindup_env.runs.run_folder import RunFolder
from tests.arena.test_forfeits import Monitor

CONFIG = GameConfig(num_players=2, num_rounds=1)
SETTINGS = ArenaSettings(("random", "lowest"), CONFIG, deals=3, seed=4, chunk_deals=1)
COUNTING = "tests.arena.bots:Counting"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arena") / "kept"


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return run_arena(SETTINGS, folder=folder)


def test_the_report_is_returned_and_kept(report: Report, folder: Path) -> None:
    assert report.settings == SETTINGS and report.num_games == 6
    assert json.loads((folder / "report.json").read_text()) == to_dict(report)


def test_a_match_of_the_arena_is_played_as_from_python(report: Report, folder: Path) -> None:
    expected = play_match(CONFIG, SETTINGS.bots, deals=3, seed=4)
    kept = [ArenaFolder(folder).load(chunk).results for chunk in chunks(SETTINGS)]
    assert np.array_equal(np.concatenate([each.scores for each in kept]), expected.scores)
    shares = 100 * expected.win_shares.mean(axis=(0, 1))
    assert [bot["win_share"].value for bot in report.bots] == pytest.approx(list(shares))


def test_only_missing_chunks_are_played(
    report: Report, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = chunks(SETTINGS)[1]
    (folder / "results" / "chunk-00001.json").unlink()
    (folder / "results" / ".chunk-00001.json.0123456789abcdef").write_text("{")
    played: list[Chunk] = []

    def play(
        settings: ArenaSettings, found: Sequence[Chunk], num_workers: int, make_player: MakePlayer
    ) -> Iterator[PlayedChunk]:
        played.extend(found)
        return play_in_processes(settings, found, num_workers, make_player)

    monkeypatch.setattr(run, "play_in_processes", play)
    again = run_arena(SETTINGS, folder=folder)
    assert played == [missing]
    assert to_dict(again) == to_dict(report)
    assert not [*folder.rglob(".*")]


def test_a_folder_keeps_one_arena(report: Report, folder: Path) -> None:
    other = ArenaSettings(SETTINGS.bots, CONFIG, deals=4, seed=4, chunk_deals=1)
    with pytest.raises(ValueError, match="a run of mindup arena with other settings"):
        run_arena(other, folder=folder)
    kept = RunFolder.read(folder, "arena", ArenaSettings)
    assert kept.settings == report.settings and [*kept.fingerprints] == [*report.fingerprints]


def test_without_a_folder_no_files_are_left(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    again = run_arena(SETTINGS, workers=2)
    assert to_dict(again) == to_dict(report)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"workers": 0}, "workers must be 1 to 1024"),
        ({"workers": 2, "address": "auto"}, "set workers or address, not both"),
        ({"folder": Path("/dev/null")}, "cannot write /dev/null"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        run_arena(SETTINGS, **options)


def test_a_bot_that_cannot_be_made_is_refused() -> None:
    settings = ArenaSettings(("random", "greedy:depth=2"), CONFIG)
    with pytest.raises(ValueError, match=r"bot 'greedy:depth=2' cannot be made: .*'depth=2'"):
        run_arena(settings)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"bots": 3}, "bots must be a list, not 3"),
        ({"config": None}, "config: a config must be a dict with"),
        ({"deals": 10**9}, "deals must be 1 to 1000000, not 1000000000"),
        ({"bots": ("random",)}, "mindup arena needs at least 2 bots, not 1; available: champion"),
        ({"bots": ("champion", "champion-2")}, "bot 'champion-2' is named twice"),
        ({"names": ("a",)}, "names must be 2, one for each bot"),
    ],
    ids=str,
)
def test_wrong_settings_are_refused(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ArenaSettings(**{"bots": ("random", "lowest"), **values})


def test_bots_can_be_a_list_and_an_alias_is_stored_with_its_number() -> None:
    bots: Any = ["random", "champion:worlds=8"]
    assert ArenaSettings(bots).bots == ("random", "champion-2:worlds=8")


def test_a_chunk_is_read_as_it_was_saved(tmp_path: Path) -> None:
    """Of a bot that counts what it uses, and forfeits a game."""
    settings = ArenaSettings((COUNTING, "lowest"), CONFIG, 2, chunk_deals=1)
    player, folder = ChunkPlayer(settings, Monitor()), ArenaFolder(tmp_path)
    folder.begin()
    for chunk in chunks(settings):
        played = player.play(ChunkTask(chunk))
        assert played.usage == {0: {"calls": CONFIG.num_turns, "rows": 2 * CONFIG.num_turns}}
        played = played._replace(forfeits=(Forfeit(1, 2, "no", (1,), "File"),))
        assert not folder.has(chunk)
        folder.save(played)
        assert folder.has(chunk)
        again = folder.load(chunk)
        assert again._replace(results=played.results) == played
        assert np.array_equal(again.results.scores, played.results.scores)
        assert np.array_equal(again.results.ranks, played.results.ranks)


@pytest.mark.parametrize(
    "damage", ["", "[" * 100_000, "[]", "{}", '{"0": {"decisions": 1, "a": 1}}']
)
def test_a_damaged_chunk_says_what_to_do(damage: str, tmp_path: Path) -> None:
    folder, (chunk, *_) = ArenaFolder(tmp_path), chunks(SETTINGS)
    folder.begin()
    folder.save(ChunkPlayer(SETTINGS, Monitor()).play(ChunkTask(chunk)))
    for part in ("results", "timings"):
        path = tmp_path / part / "chunk-00000.json"
        kept = path.read_text()
        path.write_text(damage)
        if (part, damage) == ("timings", "{}"):
            assert folder.load(chunk).times == {}
        else:
            with pytest.raises(ValueError, match=r"chunk-00000\.json are damaged .* remove both"):
                folder.load(chunk)
        path.write_text(kept)
    assert folder.load(chunk).times.keys() <= {0, 1} and DecisionTime().speed is None
