"""Bots keep files in the folder of the arena, and count what they use."""

import json
from pathlib import Path

import pytest

from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.chunk import ChunkPlayer, ChunkTask
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig, cli
from tests.arena.test_forfeits import Monitor

CONFIG = GameConfig(num_players=2, num_rounds=1)
COUNTING = "tests.arena.bots:Counting"


def test_the_arena_sums_what_a_bot_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [COUNTING, "lowest", "--players", "2", "--rounds", "1", "--deals", "101"]
    files = ["--out", str(tmp_path / "out"), "--json", str(tmp_path / "a.json")]
    assert cli.main(["arena", *words, *files, "--workers", "2"]) == 0
    calls, rows = 2 * CONFIG.num_turns, 101 * 2 * CONFIG.num_turns  # of two chunks
    assert f"Counting used: calls {calls}, rows {rows:,}" in capsys.readouterr().out
    counting, lowest = json.loads((tmp_path / "a.json").read_text())["bots"]
    assert counting["usage"] == {"calls": calls, "rows": rows} and "usage" not in lowest
    assert "usage" not in (tmp_path / "out" / "report.json").read_text(), "the same in every run"
    (folder,) = (tmp_path / "out" / "bots").iterdir()
    assert folder.name == "0-tests.arena.bots-Counting"
    assert len(list(folder.iterdir())) == 2, "a file for each worker, and none for the check"


def test_usage_is_that_of_the_chunk_and_is_read_back(tmp_path: Path) -> None:
    settings = ArenaSettings((COUNTING, "lowest"), CONFIG, 2, chunk_deals=1)
    player, folder = ChunkPlayer(settings, Monitor()), ArenaFolder(tmp_path)
    folder.begin(settings)
    for chunk in chunks(settings):
        played = player.play(ChunkTask(chunk))
        assert played.usage == {0: {"calls": CONFIG.num_turns, "rows": 2 * CONFIG.num_turns}}
        folder.save(played)
        assert folder.load(chunk, settings).usage == played.usage
        path = tmp_path / "timings" / f"chunk-{chunk.number:05}.json"
        path.write_text(path.read_text().replace(str(CONFIG.num_turns), '"many"'))
        with pytest.raises(ValueError, match="remove both to play the chunk again"):
            folder.load(chunk, settings)


def test_wrong_usage_is_a_fault_of_the_bot() -> None:
    settings = ArenaSettings((f"{COUNTING}:wrong=true", "lowest"), CONFIG, 1)
    (forfeit,) = ChunkPlayer(settings, Monitor()).play(ChunkTask(chunks(settings)[0])).forfeits
    assert forfeit.reason.startswith("ValueError: usage must be finite numbers by name, not {")
    assert forfeit.games == (0, 1)
