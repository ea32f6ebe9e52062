"""An unfinished game on disk."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mindup_play.saved import SavedGame, user_data_folder
from mindup_play.session import Session
from tests.play.tables import SETTINGS


def saved_at(folder: Path, turns: int = 2) -> SavedGame:
    session, saved_game = Session(SETTINGS), SavedGame(folder)
    for _ in range(turns):
        session.play(session.game.hand(0)[0])
        saved_game.save(session)
    return saved_game


def test_a_game_is_kept_until_it_is_over(tmp_path: Path) -> None:
    saved_game = saved_at(tmp_path / "new" / "folder")
    session = saved_game.load()
    assert session.turns_played == 2
    while not session.game.over:
        assert saved_game.exists()
        session.play(session.game.hand(0)[0])
        saved_game.save(session)
    assert not saved_game.exists()


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


def change(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda plain: plain.update({name: value})


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (change("format", "mindup-record"), "format and version must be 'mindup-play' and 1"),
        (change("version", 2), "format and version"),
        (change("more", 1), "unknown: 'more'"),
        (change("settings", []), "the settings of a game must be a dict"),
        (change("settings", {"seed": 1}), "missing: players"),
        (change("plays", 3), "plays must be a list"),
        (change("plays", [[1, 2, 3, 4]]), "player 0 cannot play card 1"),
        (change("plays", [[1]]), "a turn takes 4 cards"),
        (change("plays", [None]), "the cards of a turn must be a list"),
        (lambda plain: plain["settings"].update(players="4"), "players must be a whole number"),
        (lambda plain: plain["settings"].update(players=None), "players must be a whole number"),
        (lambda plain: plain["settings"].update(opponents="greedy"), "opponents must be a list"),
        (lambda plain: plain["settings"].update(opponents=[1]), "opponents must be names of bots"),
        (lambda plain: plain["settings"].update(opponents=["gredy"]), "unknown agent 'gredy'"),
        (lambda plain: plain["settings"].update(seed=1.5), "seed must be a whole number"),
        (lambda plain: plain["settings"].update(hints=4), "hints must be the name of a bot"),
    ],
)
def test_a_malformed_game_is_refused(
    spoil: Callable[[dict[str, Any]], None], message: str, tmp_path: Path
) -> None:
    saved_game = saved_at(tmp_path)
    plain = json.loads(saved_game.path.read_text())
    spoil(plain)
    saved_game.path.write_text(json.dumps(plain))
    with pytest.raises(ValueError, match="cannot be resumed") as refusal:
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
