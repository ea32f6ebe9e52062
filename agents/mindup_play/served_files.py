"""The files of the playable page, read once; the server offers no other file of the machine."""

from pathlib import PurePosixPath
from typing import NamedTuple

from mindup_play.web import read_web_file

_PAGE = "play/play.html"
_FILES = (
    _PAGE,
    "play/play.css",
    "play/play.js",
    "play/hand.js",
    "play/dialogs.js",
    "play/reveal.js",
    "shared/icon.svg",
    "shared/base.css",
    "shared/table.css",
    "shared/cards.js",
    "shared/objectives.js",
    "shared/table.js",
    "shared/animations.js",
    "shared/scores.js",
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


def read_served_files() -> dict[str, ServedFile]:
    """The files by the path of their URL: ``/`` is the page, the others have their plain names."""
    return {_url_path(file): _read(file) for file in map(PurePosixPath, _FILES)}


def _url_path(file: PurePosixPath) -> str:
    return "/" if str(file) == _PAGE else f"/{file.name}"


def _read(file: PurePosixPath) -> ServedFile:
    return ServedFile(_CONTENT_TYPES[file.suffix], read_web_file(str(file)).encode())
