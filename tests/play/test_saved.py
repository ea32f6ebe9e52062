"""Games on disk."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from mindup_env import Game
from mindup_play.saved import SavedGames, user_data_folder
from mindup_play.session import Session
from tests.play.tables import SETTINGS, play_to, play_to_the_end, resumed

ID = "0123456789abcdef"


@pytest.fixture
def games(tmp_path: Path) -> SavedGames:
    return SavedGames(tmp_path / "new" / "folder")


def test_the_game_that_was_saved_last_comes_first(games: SavedGames) -> None:
    assert games.newest_first() == []
    first, second = games.new_id(), games.new_id()
    for saved_at, (game_id, turns) in enumerate(((first, 2), (second, 1))):
        games.save(game_id, play_to(Session(SETTINGS), turns))
        os.utime(games.path(game_id), (saved_at, saved_at))
    assert games.newest_first() == [(second, 1), (first, 0)]
    games.save(first, ended := play_to_the_end(resumed(games, first)))
    assert [game_id for game_id, _ in games.newest_first()] == [first, second]
    assert games.read(first).record() == ended.record()
    games.delete(first)
    for gone in (first, ID, "", ".", "../games", f"{second}/"):
        for use in (games.read, games.delete):
            with pytest.raises(ValueError, match="not among the saved games"):
                use(gone)


def test_a_saved_game_is_a_record_with_its_bots(games: SavedGames) -> None:
    session = play_to(Session(SETTINGS), 2)
    games.save(ID, session)
    plain = json.loads(games.path(ID).read_text())
    assert plain.pop("play") == {
        "seed": 7,
        "secret_seed": False,
        "seat": 0,
        "opponents": ["lowest", "greedy"],
        "hints": None,
    }
    assert Game.replay(plain) == session.game


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"more": 1}, "unknown: 'more'"),
        ({"play": {"seat": "0"}}, "seat must be a whole number"),
        ({"play": {"seed": 8}}, "its deal is not that of its seed"),
        ({"play": {"opponents": "greedy"}}, "opponents must be a list"),
        ({"play": {"deck": 8}}, "unknown: 'deck'"),
        ({"plays": [[1, 2, 3, 4]]}, "player 0 cannot play card 1"),
        ({"result": None}, "the record has the result None"),
        ("", "not JSON"),
        ("[]", "not a saved game"),
    ],
)
def test_a_damaged_game_is_refused(
    change: dict[str, Any] | str, message: str, games: SavedGames
) -> None:
    games.save(ID, play_to(Session(SETTINGS), 2))
    path = games.path(ID)
    if isinstance(change, dict):
        saved = json.loads(path.read_text())
        play = {**saved["play"], **change.pop("play", {})}
        change = json.dumps({**saved, **change, "play": play})
    path.write_text(change)
    with pytest.raises(ValueError, match=str(path)) as refusal:
        games.read(ID)
    assert message in str(refusal.value)


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
