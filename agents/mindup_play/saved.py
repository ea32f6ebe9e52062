"""Games on disk: settings and cards played, checked when they are read.

A game is a file that is named by its id. A finished game also has the bots' evaluations.
"""

import json
import os
import re
import secrets
import sys
from contextlib import suppress
from pathlib import Path

from mindup_env.checks import as_list, check_entries
from mindup_env.files import content_errors_name, read_json, write_text
from mindup_env.game.record import CARD_EVALUATIONS
from mindup_env.settings.declaration import from_plain, to_plain
from mindup_play.records import evaluations_of, played_on
from mindup_play.session import PlayedGame, Session
from mindup_play.settings import PlaySettings

_ID = re.compile("[0-9a-f]{16}")


def user_data_folder() -> Path:
    """The folder for a user's data that the conventions of the operating system give."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "mindup"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/mindup"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "mindup"


class SavedGames:
    """The games in a folder for user data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "games"

    def new_id(self) -> str:
        return secrets.token_hex(8)

    def save(self, game_id: str, session: Session) -> None:
        plain = {
            "settings": to_plain(session.settings),
            "plays": [list(cards) for cards in session.game.plays],
        }
        if session.game.over:
            plain[CARD_EVALUATIONS] = session.evaluations()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_text(self._folder / f"{game_id}.json", json.dumps(plain) + "\n")

    def read(self, game_id: str) -> PlayedGame:
        """A game without its bots."""
        path = self.path(game_id)
        plain = read_json(path)
        with content_errors_name(path):
            check_entries("a saved game", plain, ("settings", "plays"), [CARD_EVALUATIONS])
            settings = from_plain(PlaySettings, plain["settings"])
            games = played_on(settings.first_game(), as_list("plays", plain["plays"]))
            return PlayedGame(settings, games, evaluations_of(plain, games[:-1]))

    def load(self, game_id: str) -> Session:
        """A game that is played on."""
        found = self.read(game_id)
        with content_errors_name(self.path(game_id)):
            return Session(found.settings, found.game.plays)

    def delete(self, game_id: str) -> None:
        path = self.path(game_id)
        try:
            path.unlink()
        except OSError as error:
            raise ValueError(f"cannot delete {path}: {error.strerror}") from None

    def path(self, game_id: str) -> Path:
        path = self._folder / f"{game_id}.json"
        if not _ID.fullmatch(game_id) or not path.is_file():
            raise ValueError("This game is not among the saved games: it may have been deleted.")
        return path

    def newest_first(self) -> list[tuple[str, float]]:
        """The ids of the games, with the times at which they were saved, in seconds since 1970."""
        found = []
        for path in self._folder.glob("*.json"):
            with suppress(OSError):  # another process may delete games
                if _ID.fullmatch(path.stem):
                    found.append((path.stem, path.stat().st_mtime))
        return sorted(found, key=lambda each: -each[1])
