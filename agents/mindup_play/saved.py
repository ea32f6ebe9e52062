"""Games on disk: the record of the game with its bots, checked when it is read.

A game is a file that is named by its id. It also has what the person's choices cost if the game
was reviewed.
"""

import json
import os
import re
import secrets
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from math import inf
from pathlib import Path
from typing import Any

from mindup_env import Game
from mindup_env.checks import InputError, check_entries, shown
from mindup_env.files import check_writable, content_errors_name, read_json, write_text
from mindup_play.records import games_of
from mindup_play.session import PlayedGame
from mindup_play.settings import PlaySettings

_PLAY = "play"
"""An entry of saved games, beside those of a record: bots, seat, seed and cost."""
_OF_PLAY = "seed", "secret_seed", "seat", "opponents", "hints"
"""What the record of a game does not say of its settings."""
_ID = re.compile("[0-9a-f]{16}")


def user_data_folder() -> Path:
    """The folder for a user's data that the conventions of the operating system give."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "mindup"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/mindup"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "mindup"


class SavedGames:
    """The games in a folder for user data, and those that could not be written there yet.

    ``problem`` says why the latter could not, or is None.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "games"
        self._unsaved: dict[str, PlayedGame] = {}  # by id
        self.problem: str | None = None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other servers from the folder; the lock ends with the process, however it ends.

        At the end, games are written that could not be written before.
        """
        path = self._folder / "lock"
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        check_writable(path)
        with closing(sqlite3.connect(path, timeout=0)) as lock:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                way_out = "use its page, end it by Ctrl-C, or give this one another folder"
                said = f"another mindup play has the games in {self._folder}: {way_out} by --data"
                raise InputError(said) from None
            try:
                yield
            finally:
                self.save_unsaved()
                if self.problem:
                    raise OSError(f"not all turns are saved: {self.problem}")

    def new_id(self) -> str:
        return secrets.token_hex(8)

    def save(self, game_id: str, game: PlayedGame) -> None:
        """Writes the game, and those that could not be written before."""
        self._unsaved[game_id] = game
        self.save_unsaved()

    def save_unsaved(self) -> None:
        self.problem = None
        for game_id, game in [*self._unsaved.items()]:
            try:
                self._write(game_id, game)
            except OSError as error:
                self.problem = f"{self._folder}: {error.strerror or error}"
            else:
                del self._unsaved[game_id]

    def _write(self, game_id: str, game: PlayedGame) -> None:
        plain = game.record() if game.game.over else game.game.record()
        of_play = {name: getattr(game.settings, name) for name in _OF_PLAY}
        plain[_PLAY] = {**of_play, "cost": game.cost}
        path = self._folder / f"{game_id}.json"
        played_at = path.stat().st_mtime if game.cost is not None and path.exists() else None
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_text(path, json.dumps(plain) + "\n")
        if played_at is not None:  # a review changes no order of games
            os.utime(path, (played_at, played_at))

    def read(self, game_id: str) -> PlayedGame:
        """A game, without its bots if it is on disk."""
        if game_id in self._unsaved:
            return self._unsaved[game_id]
        path = self.path(game_id)
        plain = read_json(path)
        with content_errors_name(path):
            return _played_game(plain)

    def delete(self, game_id: str) -> None:
        unsaved = self._unsaved.pop(game_id, None)
        if unsaved is None or (self._folder / f"{game_id}.json").exists():
            self.path(game_id).unlink()

    def path(self, game_id: str) -> Path:
        path = self._folder / f"{game_id}.json"
        if not _ID.fullmatch(game_id) or not path.is_file():
            raise InputError("This game is not among the saved games: it may have been deleted.")
        return path

    def newest_first(self) -> list[tuple[str, float]]:
        """The ids of the games, with the times at which they were saved, in seconds since 1970."""
        found = [(game_id, time.time()) for game_id in self._unsaved]
        for path in self._folder.glob("*.json"):
            with suppress(OSError):  # another process may delete games
                if _ID.fullmatch(path.stem) and path.stem not in self._unsaved:
                    found.append((path.stem, path.stat().st_mtime))
        return sorted(found, key=lambda each: -each[1])


def _played_game(plain: Any) -> PlayedGame:
    if not isinstance(plain, Mapping) or _PLAY not in plain:
        raise InputError(f"not a saved game: it must be a record with the entry {_PLAY!r}")
    given = plain[_PLAY]
    check_entries(_PLAY, given, (*_OF_PLAY, "cost"))
    cost, of_play = given["cost"], {name: given[name] for name in _OF_PLAY}
    if cost is not None and not (type(cost) is float and abs(cost) < inf):
        raise InputError(f"cost must be a finite number or null, not {shown(cost)}")
    games = games_of(plain)
    config = games[0].config
    settings = PlaySettings(players=config.num_players, objectives=config.num_objectives, **of_play)
    if games[0] != Game(config, settings.seed):
        raise InputError("its deal is not that of its seed")
    return PlayedGame(settings, games, cost)
