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


def kept(folder: Path, turns: int = 2) -> SavedGame:
    session, place = Session(SETTINGS), SavedGame(folder)
    for _ in range(turns):
        session.play(session.game.hand(0)[0])
        place.keep(session)
    return place


def test_a_game_is_kept_until_it_is_over(tmp_path: Path) -> None:
    place = kept(tmp_path / "new" / "folder")
    session = place.take_up()
    assert session.clock == 2
    while not session.game.over:
        assert place.exists()
        session.play(session.game.hand(0)[0])
        place.keep(session)
    assert not place.exists()


def change(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda plain: plain.update({name: value})


@pytest.mark.parametrize(
    ("spoil", "said"),
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
        (lambda plain: plain["settings"].update(players="4"), "num_players must be a whole number"),
        (lambda plain: plain["settings"].update(opponents="greedy"), "opponents must be a list"),
        (lambda plain: plain["settings"].update(opponents=[1]), "opponents are names of bots"),
        (lambda plain: plain["settings"].update(opponents=["gredy"]), "unknown agent 'gredy'"),
        (lambda plain: plain["settings"].update(seed=1.5), "seed must be a whole number"),
        (lambda plain: plain["settings"].update(hints=4), "hints come from a bot"),
    ],
)
def test_what_is_no_game_is_refused_in_words(
    spoil: Callable[[dict[str, Any]], None], said: str, tmp_path: Path
) -> None:
    place = kept(tmp_path)
    plain = json.loads(place.path.read_text())
    spoil(plain)
    place.path.write_text(json.dumps(plain))
    with pytest.raises(ValueError, match="holds no game to go on with") as refusal:
        place.take_up()
    assert said in str(refusal.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"a"'])
def test_files_without_a_game_are_refused(text: str, tmp_path: Path) -> None:
    place = SavedGame(tmp_path)
    place.path.write_text(text)
    with pytest.raises(ValueError, match=str(place.path)):
        place.take_up()


@pytest.mark.parametrize(
    ("system", "variable", "folder"),
    [
        ("linux", "XDG_DATA_HOME", "data/mindup"),
        ("linux", None, ".local/share/mindup"),
        ("darwin", None, "Library/Application Support/mindup"),
        ("win32", "LOCALAPPDATA", "data/mindup"),
    ],
)
def test_the_folder_is_where_the_system_keeps_such_data(
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
