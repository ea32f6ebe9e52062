"""Games on disk: settings and cards played, checked when they are read.

Each game has a folder of its own, named by its id. A folder is locked while a game is open, so that
two processes never write the same game. A finished game also keeps the bots' evaluations.
"""

import json
import os
import re
import secrets
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from mindup_env.game.record import CARD_EVALUATIONS
from mindup_env.runs.files import lock_folder, remove_leftovers, write_text
from mindup_env.settings.checks import as_list, check_entries
from mindup_env.settings.declaration import from_plain
from mindup_env.settings.plain_file import content_errors_name, read_json
from mindup_play.records import evaluations_of, played_on
from mindup_play.session import PlayedGame, Session
from mindup_play.settings import PlaySettings

FORMAT, VERSION = "mindup-play", 1
_FOLDER, _FILE = "games", "game.json"
_ID = re.compile("[0-9a-f]{16}")


def user_data_folder() -> Path:
    """The folder for a user's data that the conventions of the operating system give."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "mindup"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/mindup"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "mindup"


class GameInUseError(ValueError):
    """Another process, or another part of this one, has the game open."""


class SavedGame:
    """One game on disk.

    ``save``, ``load`` and ``delete`` open it, and raise GameInUseError if another process has it
    open. ``close`` lets others open it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self.path = folder, folder / _FILE
        self._lock = ExitStack()
        self._is_open = False

    @property
    def id(self) -> str:
        return self._folder.name

    def save(self, session: Session) -> None:
        self._open()
        plain = {
            "format": FORMAT,
            "version": VERSION,
            "settings": session.settings.to_dict(),
            "plays": [list(cards) for cards in session.game.plays],
        }
        if session.game.over:
            plain[CARD_EVALUATIONS] = session.evaluations()
        write_text(self.path, json.dumps(plain) + "\n")

    def load(self) -> Session:
        """Resumes the game; raises ValueError if the file is not a saved game."""
        self._open()
        try:
            content = self.read()
            with content_errors_name(self.path):
                return Session(content.settings, content.game.plays)
        except ValueError:
            self.close()
            raise

    def read(self) -> PlayedGame:
        """The saved game without its bots. It is not opened."""
        plain = read_json(self.path)
        with content_errors_name(self.path):
            required = ("format", "version", "settings", "plays")
            check_entries("a saved game", plain, required, [CARD_EVALUATIONS])
            if (plain["format"], plain["version"]) != (FORMAT, VERSION):
                raise ValueError(f"format and version must be {FORMAT!r} and {VERSION}")
            settings = from_plain(PlaySettings, plain["settings"])
            games = played_on(settings.first_game(), as_list("plays", plain["plays"]))
            return PlayedGame(settings, games, evaluations_of(plain, games[:-1]))

    def delete(self) -> None:
        self._open()
        self.path.unlink(missing_ok=True)
        self.close()
        with suppress(OSError):  # it holds another file, or a process opens it just now
            self._folder.rmdir()

    def close(self) -> None:
        self._is_open = False
        self._lock.close()

    def _open(self) -> None:
        if not self._is_open:
            self._folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                self._lock.enter_context(lock_folder(self._folder))
            except ValueError:
                raise GameInUseError("The game is open in another window.") from None
            self._is_open = True
            remove_leftovers(self._folder)


class SavedGames:
    """The games in a folder for user data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / _FOLDER

    def new(self) -> SavedGame:
        """A game that is not on disk yet."""
        return SavedGame(self._folder / secrets.token_hex(8))

    def find(self, game_id: str) -> SavedGame:
        saved = SavedGame(self._folder / game_id)
        if not _ID.fullmatch(game_id) or not saved.path.is_file():
            raise ValueError("This game is not among the saved games: it may have been deleted.")
        return saved

    def newest_first(self) -> list[tuple[SavedGame, float]]:
        """The games with the times at which they were saved, in seconds since 1970."""
        found = []
        with suppress(OSError):  # there is no folder yet, or it is closed
            for folder in self._folder.iterdir():
                saved = SavedGame(folder)
                with suppress(OSError):  # another process may delete games
                    if _ID.fullmatch(folder.name):
                        found.append((saved, saved.path.stat().st_mtime))
        return sorted(found, key=lambda each: -each[1])
