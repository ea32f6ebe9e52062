"""An arena from Python."""

import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from mindup_arena import ArenaSettings, Report, play_match, run, run_arena
from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.chunk import PlayedChunk
from mindup_arena.failures import Forfeit
from mindup_arena.monitored_agent import DecisionTime
from mindup_arena.report_files import to_dict
from mindup_arena.schedule import Chunk, chunks
from mindup_arena.worker_pool import play_in_processes
from mindup_arena.worker_process import MakePlayer
from mindup_env import GameConfig

CONFIG = GameConfig(num_players=2, num_rounds=1)
SETTINGS = ArenaSettings(("random", "lowest"), CONFIG, deals=3, seed=4, chunk_deals=1)


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
    kept = [ArenaFolder(folder).load(chunk, SETTINGS).results for chunk in chunks(SETTINGS)]
    assert np.array_equal(np.concatenate([each.scores for each in kept]), expected.scores)
    shares = 100 * expected.win_shares.mean(axis=(0, 1))
    assert [bot["win_share"].value for bot in report.bots] == pytest.approx(list(shares))


def test_only_missing_chunks_are_played(
    report: Report, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = chunks(SETTINGS)[1]
    (folder / "results" / "chunk-00001.json").unlink()
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


def test_a_folder_keeps_one_arena(report: Report, folder: Path) -> None:
    assert ArenaFolder(folder).read_settings() == report.settings
    other = ArenaSettings(SETTINGS.bots, CONFIG, deals=4, seed=4, chunk_deals=1)
    with pytest.raises(ValueError, match="has results of other settings"):
        run_arena(other, folder=folder)
    assert ArenaFolder(folder).read_settings() == report.settings


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
def test_wrong_options_are_refused(options: dict[str, object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        run_arena(SETTINGS, **options)  # type: ignore[arg-type]


def test_a_bot_that_cannot_be_made_is_refused() -> None:
    settings = ArenaSettings(("random", "greedy:depth=2"), CONFIG)
    with pytest.raises(ValueError, match=r"bot 'greedy:depth=2' cannot be made: .*'depth=2'"):
        run_arena(settings)


def test_the_files_of_a_folder_keep_their_format(tmp_path: Path) -> None:
    """Folders of earlier runs are resumed."""
    folder, chunk = ArenaFolder(tmp_path), chunks(SETTINGS)[0]
    folder.begin(SETTINGS)
    settings = json.loads((tmp_path / "settings.json").read_text())
    assert settings == {
        "mindup_env": version("mindup-env"),
        "bots": ["random", "lowest"],
        "config": CONFIG.to_dict(),
        "deals": 3,
        "seed": 4,
        "agent_seed": None,
        "one_vs_field": False,
        "time_limit": None,
        "record": None,
        "chunk_deals": 1,
        "names": [],
    }
    result = {
        "line_up": 0,
        "deals": [0, 1],
        "forfeits": [
            {"bot": 1, "decision": 2, "reason": "no", "games": [1], "traceback": "File"},
        ],
        "scores": [[[30, 20], [10, 10]]],
        "ranks": [[[0, 1], [0, 0]]],
    }
    timing = {"0": {"decisions": 40, "seconds": 0.5}}
    for name, plain in (("results", result), ("timings", timing)):
        (tmp_path / name / "chunk-00000.json").write_text(json.dumps(plain))
    played = folder.load(chunk, SETTINGS)
    assert played.results.scores.tolist() == result["scores"]
    assert played.results.ranks.tolist() == result["ranks"]
    assert played.forfeits == (Forfeit(1, 2, "no", (1,), "File"),)
    assert played.times == {0: DecisionTime(40, 0.5)}
    folder.save(played)
    for name, plain in (("results", result), ("timings", timing)):
        assert json.loads((tmp_path / name / "chunk-00000.json").read_text()) == plain


def test_a_forfeit_of_an_earlier_version_is_one_of_all_games(tmp_path: Path) -> None:
    folder, chunk = ArenaFolder(tmp_path), chunks(SETTINGS)[0]
    run_arena(SETTINGS, folder=tmp_path)
    path = tmp_path / "results" / "chunk-00000.json"
    plain = json.loads(path.read_text())
    plain["forfeits"] = [{"bot": 1, "decision": 2, "reason": "SystemExit: 3"}]
    path.write_text(json.dumps(plain))
    assert folder.load(chunk, SETTINGS).forfeits == (Forfeit(1, 2, "SystemExit: 3", (0, 1)),)
