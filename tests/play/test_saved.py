"""Games on disk, and games that begin at a turn of a recorded one."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from mindup_env import Game, cli
from mindup_play.command import _new_session, read_recorded_deal
from mindup_play.saved import GameInUseError, SavedGame, SavedGames, user_data_folder
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.tables import SETTINGS, ask, play_to, play_to_the_end, served
from tests.play.test_command import parsed
from tests.play.test_replay import written
from tests.scripted_game import scripted

OF_A_GAME = '"players": 4, "objectives": 0, "seat": 0, "opponents": ["lowest", "greedy"]'
SAVED = (
    f'{{"format": "mindup-play", "version": 1, "settings": {{"seed": 7, {OF_A_GAME}, '
    '"hints": null}, "plays": [[3, 2, 16, 8], [18, 4, 54, 26]]}\n'
)
"""An unfinished game must survive an update."""


def saved_at(folder: Path, turns: int = 2) -> SavedGame:
    saved_game = SavedGames(folder).new()
    saved_game.save(play_to(Session(SETTINGS), turns))
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
    assert [saved.id for saved, _ in games.newest_first()] == [second.id, first.id]
    first.save(play_to_the_end(session))
    assert [saved.id for saved, _ in games.newest_first()] == [first.id, second.id]
    content = games.find(first.id).read()
    assert content.game == session.game and content.settings == SETTINGS
    assert content.record() == session.record()


def test_a_game_is_open_in_one_place_at_a_time(tmp_path: Path) -> None:
    saved_game = saved_at(tmp_path)
    other = SavedGames(tmp_path).find(saved_game.id)
    for open_it in (other.load, other.delete):
        with pytest.raises(GameInUseError, match="open in another window"):
            open_it()
    assert other.read().game.turn == 3, "reading does not open it"
    saved_game.close()
    assert other.load().turns_played == 2
    with pytest.raises(GameInUseError):
        saved_game.load()


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
    saved_game = SavedGame(tmp_path)
    saved_game.path.write_text(SAVED)
    session = saved_game.load()
    assert session.settings == SETTINGS and session.turns_played == 2
    saved_game.save(session)
    assert saved_game.path.read_text() == SAVED


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "mindup-record"}, "format and version must be 'mindup-play' and 1"),
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
    change: dict[str, Any] | str, message: str, tmp_path: Path
) -> None:
    saved_game = SavedGame(tmp_path)
    text = change if isinstance(change, str) else json.dumps({**json.loads(SAVED), **change})
    saved_game.path.write_text(text)
    with pytest.raises(ValueError, match=str(saved_game.path)) as refusal:
        saved_game.load()
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


# From a turn of a recorded game


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    settings = PlaySettings(5, players=3, objectives=2, opponents=("greedy", "lowest"))
    return play_to_the_end(Session(settings)).record()


def test_the_game_goes_on_after_the_recorded_turns(record: dict[str, Any], tmp_path: Path) -> None:
    recorded, plays = read_recorded_deal(written(tmp_path, record), 8, {"seat": 1})
    settings = PlaySettings(1, seat=1, opponents=("lowest",), **recorded)
    session = Session(settings, plays)
    assert session.game == Game.replay(record, turns=8)
    session.play(session.game.hand(1)[0])
    # It is saved with its deal, and resumed.
    saved = SavedGames(tmp_path).new()
    saved.save(session)
    resumed = saved.load()
    saved.close()
    assert resumed.settings == settings and resumed.game == session.game
    with served(resumed, tmp_path / "served") as server:
        state = ask(server, "/state")[1]
        assert (state["seed"], state["command"]) == (None, None), "no seed deals these cards"


def test_the_command_plays_the_deal(record: dict[str, Any], tmp_path: Path) -> None:
    file = str(written(tmp_path, record))
    session = _new_session(parsed("--record", file, "--turn", "20", "--opponents", "greedy"))
    assert session.game == Game.replay(record, turns=20)
    assert set(session.settings.bots.values()) == {"greedy"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--turn", "3"], "--turn can only be combined with --record"),
        (["--record", "FILE", "--turn", "21"], "--turn for this record must be 0 to 20, not 21"),
        (["--record", "FILE", "--players", "4"], "--players cannot be combined with --record"),
        (["--record", "SHORT"], "only games of the published rules can be played"),
    ],
)
def test_what_cannot_be_played_is_refused(
    words: list[str],
    message: str,
    record: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = scripted(5).record() if "SHORT" in words else record
    file = str(written(tmp_path, shown))
    given = [file if word.isupper() else word for word in words]
    assert cli.main(["play", "--data", str(tmp_path), "--no-browser", *given]) == 2
    assert message in capsys.readouterr().err
