"""The files of the playable page, read once; the server offers no other file of the machine."""

from pathlib import PurePosixPath
from string import Template
from typing import NamedTuple

from mindup_play.languages import ENGLISH, Texts
from mindup_play.replay_files import OF_A_SERVER, SCRIPTS, STYLES, served_page
from mindup_play.web import embedded_texts, read_web_file

_PAGE = "play/play.html"
_SERVED_REPLAYS = {
    "/review.html": ("review/served.js",),
    "/watch.html": ("watch/forecast.js", "watch/watch.js"),
}
"""Pages of a game that was played, and the scripts of each that ask for data."""
_FILES = (
    _PAGE,
    "play/play.css",
    "play/dialogs.css",
    "play/narrow.css",
    "play/learn.css",
    "play/play.js",
    "play/new_game.css",
    "play/requests.js",
    "play/memory.js",
    "play/choices.js",
    "play/keys.js",
    "play/copying.js",
    "play/hand.js",
    "play/hints.js",
    "play/actions.js",
    "play/dialogs.js",
    "play/saved_games.js",
    "play/new_game.js",
    "play/game_end.js",
    "play/reveal.js",
    "play/narration.js",
    "play/speed.js",
    "play/guide.js",
    "play/learn.js",
    "play/log.js",
    "play/settings.js",
    "play/celebration.js",
    "shared/icon.svg",
)
_CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class ServedFile(NamedTuple):
    content_type: str
    content: bytes


def read_served_files(language: str = ENGLISH) -> dict[str, ServedFile]:
    """The files by the path of their URL: ``/`` is the page, the others have their plain names."""
    replays = [script for scripts in _SERVED_REPLAYS.values() for script in scripts]
    names = dict.fromkeys([*_FILES, *STYLES, *SCRIPTS, OF_A_SERVER, *replays])
    files = {_url_path(file): _read(file, language) for file in map(PurePosixPath, names)}
    for path, scripts in _SERVED_REPLAYS.items():
        files[path] = ServedFile(_CONTENT_TYPES[".html"], served_page(scripts, language).encode())
    return files


def is_page(path: str) -> bool:
    """Whether the query of a path is for the script of a page alone."""
    return path == "/" or path in _SERVED_REPLAYS


def _url_path(file: PurePosixPath) -> str:
    return "/" if str(file) == _PAGE else f"/{file.name}"


def _read(file: PurePosixPath, language: str) -> ServedFile:
    text = read_web_file(str(file))
    if str(file) == _PAGE:
        text = Template(text).substitute(
            language=language,
            noscript=Texts(language).get("play.noscript", command="mindup play --terminal"),
            texts=embedded_texts([language]),
        )
    return ServedFile(_CONTENT_TYPES[file.suffix], text.encode())
