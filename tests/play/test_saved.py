"""Games on disk."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mindup_play.saved import GameInUseError, SavedGame, SavedGames, user_data_folder
from mindup_play.session import Session
from tests.play.tables import SETTINGS
from tests.processes import ROOT


def saved_at(folder: Path, turns: int = 2) -> SavedGame:
    session, saved_game = Session(SETTINGS), SavedGames(folder).new()
    for _ in range(turns):
        session.play(session.game.hand(0)[0])
        saved_game.save(session)
    return saved_game


def test_games_are_kept_when_another_begins_and_when_they_are_over(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    games = SavedGames(folder)
    assert games.newest_first() == []
    first, second = (saved_at(folder, turns) for turns in (2, 1))
    for saved_at_time, saved_game in enumerate((first, second)):
        os.utime(saved_game.path, (saved_at_time, saved_at_time))
    session = first.load()
    assert session.turns_played == 2
    while not session.game.over:
        session.play(session.game.hand(0)[0])
        assert [saved.id for saved, _ in games.newest_first()] == [second.id, first.id]
    first.save(session)
    assert [saved.id for saved, _ in games.newest_first()] == [first.id, second.id]
    content = games.find(first.id).read()
    assert content.game == session.game and content.settings == SETTINGS
    assert content.record() == session.record()


def test_a_game_is_open_in_one_place_at_a_time(tmp_path: Path) -> None:
    saved_game = saved_at(tmp_path)
    other = SavedGames(tmp_path).find(saved_game.id)
    for open_it in (other.load, other.delete):
        with pytest.raises(GameInUseError, match="is in use by process"):
            open_it()
    assert other.read().game.turn == 3, "reading does not open it"
    saved_game.close()
    assert other.load().turns_played == 2
    with pytest.raises(GameInUseError):
        saved_game.load()


def test_a_killed_process_lets_others_open_its_game(tmp_path: Path) -> None:
    """Its file is whole, and what was half written is removed."""
    started = (
        "import sys; from pathlib import Path; from tests.play.test_saved import saved_at\n"
        f"saved = saved_at(Path({str(tmp_path)!r})); print(saved.id, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", started],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    ) as process:
        assert process.stdout is not None
        saved_game = SavedGames(tmp_path).find(process.stdout.readline().strip())
        with pytest.raises(GameInUseError):
            saved_game.load()
        (saved_game.path.parent / ".game.json.0123456789abcdef").write_text("{")
        process.kill()
        process.wait()
    assert saved_game.load().turns_played == 2
    names = sorted(path.name for path in saved_game.path.parent.iterdir())
    assert names == [".lock", "game.json"]


def test_a_deleted_game_is_gone(tmp_path: Path) -> None:
    games = SavedGames(tmp_path)
    first, second = saved_at(tmp_path), saved_at(tmp_path)
    first.delete()
    assert [saved.id for saved, _ in games.newest_first()] == [second.id]
    assert not first.path.parent.exists()
    for gone in (first.id, "0" * 16, "", ".", "../games", f"{second.id}/"):
        with pytest.raises(ValueError, match="not among the saved games"):
            games.find(gone)


def test_the_format_of_a_saved_game_stays(tmp_path: Path) -> None:
    """An unfinished game must survive an update."""
    text = (
        '{"format": "mindup-play", "version": 1, "settings": {"seed": 7, "players": 4, '
        '"objectives": 0, "seat": 0, "opponents": ["lowest", "greedy"], "hints": null}, '
        '"plays": [[3, 2, 16, 8], [18, 4, 54, 26]]}\n'
    )
    saved_game = SavedGame(tmp_path)
    saved_game.path.write_text(text)
    session = saved_game.load()
    assert session.settings == SETTINGS and session.turns_played == 2
    saved_game.save(session)
    assert saved_game.path.read_text() == text


def test_the_game_of_the_first_version_is_among_the_others(tmp_path: Path) -> None:
    saved_game = saved_at(tmp_path)
    saved_game.path.rename(tmp_path / "unfinished-game.json")
    saved_game.delete()
    games = SavedGames(tmp_path)
    ((adopted, _),) = games.newest_first()
    assert adopted.load().turns_played == 2 and games.find(adopted.id).path == adopted.path
    assert [path.name for path in tmp_path.iterdir()] == ["games"]


def change(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda plain: plain.update({name: value})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (change("format", "mindup-record"), "format and version must be 'mindup-play' and 1"),
        (change("more", 1), "unknown: 'more'"),
        (change("settings", []), "settings must be a dict"),
        (change("settings", {"players": 3}), "seed must be given"),
        (change("plays", 3), "plays must be a list"),
        (change("plays", [[1, 2, 3, 4]]), "player 0 cannot play card 1"),
        (change("plays", [[1]]), "a turn takes 4 cards"),
        (change("plays", [None]), "the cards of a turn must be a list"),
        (lambda plain: plain["settings"].update(players="4"), "players must be a whole number"),
        (lambda plain: plain["settings"].update(opponents=[1]), "opponents must be a text"),
        (lambda plain: plain["settings"].update(opponents=["gredy"]), "unknown agent 'gredy'"),
    ],
)
def test_a_malformed_game_is_refused(
    spoil: Callable[[dict[str, Any]], None], message: str, tmp_path: Path
) -> None:
    saved_game = saved_at(tmp_path)
    plain = json.loads(saved_game.path.read_text())
    spoil(plain)
    saved_game.path.write_text(json.dumps(plain))
    with pytest.raises(ValueError, match=r"game\.json: ") as refusal:
        saved_game.load()
    assert message in str(refusal.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"a"'])
def test_files_without_a_game_are_refused(text: str, tmp_path: Path) -> None:
    saved_game = SavedGame(tmp_path)
    saved_game.path.write_text(text)
    with pytest.raises(ValueError, match=str(saved_game.path)):
        saved_game.load()


@pytest.mark.parametrize(
    ("system", "variable", "folder"),
    [
        ("linux", "XDG_DATA_HOME", "data/mindup"),
        ("linux", None, ".local/share/mindup"),
        ("darwin", None, "Library/Application Support/mindup"),
        ("win32", "LOCALAPPDATA", "data/mindup"),
    ],
)
def test_the_folder_follows_the_conventions_of_the_system(
    system: str,
    variable: str | None,
    folder: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if variable is not None:
        monkeypatch.setenv(variable, str(tmp_path / "data"))
    assert user_data_folder() == tmp_path / folder
