"""Games on disk."""

import json
import os
import sys
from pathlib import Path

import pytest

from mindup_play.saved import SavedGames, user_data_folder
from mindup_play.session import Session
from tests.play.tables import SETTINGS, play_to, play_to_the_end

OF_A_GAME = '"players": 4, "objectives": 0, "seat": 0, "opponents": ["lowest", "greedy"]'
SAVED = (
    f'{{"settings": {{"seed": 7, {OF_A_GAME}, "hints": null, "secret_seed": false}}, '
    '"plays": [[3, 2, 16, 8], [18, 4, 54, 26]]}\n'
)
ID = "0123456789abcdef"


@pytest.fixture
def games(tmp_path: Path) -> SavedGames:
    return SavedGames(tmp_path / "new" / "folder")


def test_games_are_kept_when_another_begins_and_when_they_are_over(games: SavedGames) -> None:
    assert games.newest_first() == []
    first, second = games.new_id(), games.new_id()
    for saved_at, (game_id, turns) in enumerate(((first, 2), (second, 1))):
        games.save(game_id, play_to(Session(SETTINGS), turns))
        os.utime(games.path(game_id), (saved_at, saved_at))
    session = games.load(first)
    assert session.turns_played == 2
    assert games.newest_first() == [(second, 1), (first, 0)]
    games.save(first, play_to_the_end(session))
    assert [game_id for game_id, _ in games.newest_first()] == [first, second]
    content = games.read(first)
    assert content.game == session.game and content.settings == SETTINGS
    assert content.record() == session.record()


def test_a_deleted_game_is_gone(games: SavedGames) -> None:
    first, second = games.new_id(), games.new_id()
    for game_id in (first, second):
        games.save(game_id, Session(SETTINGS))
    games.delete(first)
    assert [game_id for game_id, _ in games.newest_first()] == [second]
    for gone in (first, ID, "", ".", "../games", f"{second}/"):
        for use in (games.read, games.delete):
            with pytest.raises(ValueError, match="not among the saved games"):
                use(gone)


def test_a_saved_game_is_settings_and_cards(games: SavedGames) -> None:
    games.save(ID, play_to(Session(SETTINGS), 2))
    assert games.path(ID).read_text() == SAVED


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"more": 1}, "unknown: 'more'"),
        ({"settings": {"players": 3}}, "seed must be given"),
        ({"settings": {"seed": 1, "players": "4"}}, "players must be a whole number"),
        ({"settings": {"seed": 1, "opponents": ["gredy"]}, "plays": []}, "agent 'gredy'"),
        ({"plays": 3}, "plays must be a list"),
        ({"plays": [[1, 2, 3, 4]]}, "player 0 cannot play card 1"),
        ({"plays": [None]}, "the cards of a turn must be a list"),
        ("", "not JSON"),
        ("[]", "a saved game must be a dict"),
    ],
)
def test_a_malformed_game_is_refused(
    change: dict[str, object] | str, message: str, games: SavedGames
) -> None:
    games.save(ID, Session(SETTINGS))
    path = games.path(ID)
    path.write_text(
        change if isinstance(change, str) else json.dumps({**json.loads(SAVED), **change})
    )
    with pytest.raises(ValueError, match=str(path)) as refusal:
        games.load(ID)
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
