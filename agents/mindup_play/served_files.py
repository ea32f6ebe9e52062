"""The files of the playable page, read once; the server offers no other file of the machine."""

from pathlib import PurePosixPath
from string import Template
from typing import NamedTuple

from mindup_play.languages import ENGLISH
from mindup_play.web import embedded_texts, read_web_file

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
    "shared/texts.js",
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


def read_served_files(language: str = ENGLISH) -> dict[str, ServedFile]:
    """The files by the path of their URL: ``/`` is the page, the others have their plain names."""
    return {_url_path(file): _read(file, language) for file in map(PurePosixPath, _FILES)}


def _url_path(file: PurePosixPath) -> str:
    return "/" if str(file) == _PAGE else f"/{file.name}"


def _read(file: PurePosixPath, language: str) -> ServedFile:
    text = read_web_file(str(file))
    if str(file) == _PAGE:
        text = Template(text).substitute(language=language, texts=embedded_texts([language]))
    return ServedFile(_CONTENT_TYPES[file.suffix], text.encode())
