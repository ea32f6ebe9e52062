"""An unfinished game on disk: its settings and the cards played, checked when they are read."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from mindup_env.checks import as_list, check_entries
from mindup_env.files import write_text
from mindup_env.json_file import read_json
from mindup_play.bots import BotError
from mindup_play.session import Session
from mindup_play.settings import PlaySettings

FORMAT, VERSION = "mindup-play", 1
_NAME = "unfinished-game.json"


def user_data_folder() -> Path:
    """The folder for a user's data that the conventions of the operating system give."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "mindup"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/mindup"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "mindup"


class SavedGame:
    """The unfinished game in a folder, which holds at most one."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / _NAME

    def exists(self) -> bool:
        return os.path.exists(self.path)  # noqa: PTH110  # false, not an error, in a closed folder

    def save(self, session: Session) -> None:
        """Writes the game, or removes the file if the game is over."""
        if session.game.over:
            self.path.unlink(missing_ok=True)
            return
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_text(self.path, json.dumps(_to_dict(session)) + "\n")

    def load(self) -> Session:
        """Resumes the game; raises ValueError for a file that is not a saved game."""
        plain = read_json(self.path)
        try:
            check_entries("a saved game", plain, ("format", "version", "settings", "plays"))
            if (plain["format"], plain["version"]) != (FORMAT, VERSION):
                raise ValueError(  # noqa: TRY301  # all errors get the path in front
                    f"format and version must be {FORMAT!r} and {VERSION}"
                )
            settings = PlaySettings.from_dict(plain["settings"])
            return Session(settings, as_list("plays", plain["plays"]))
        except (ValueError, BotError) as error:
            raise ValueError(f"{self.path} cannot be resumed: {error}") from None


def _to_dict(session: Session) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "settings": session.settings.to_dict(),
        "plays": [list(cards) for cards in session.game.plays],
    }
