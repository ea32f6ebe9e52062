"""The files that make the page, read once; nothing else of the machine is served."""

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from mindup_env import OFFICIAL_DECK
from mindup_play.table_state import deck_of
from mindup_play.web import read_web_file

JSON = "application/json"
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PAGE = "play/play.html"
_FILES = (
    _PAGE,
    "play/play.css",
    "play/play.js",
    "play/hand.js",
    "play/dialogs.js",
    "shared/icon.svg",
    "shared/table.css",
    "shared/cards.js",
    "shared/objectives.js",
    "shared/table.js",
    "shared/animations.js",
    "shared/scores.js",
)


class ServedFile(NamedTuple):
    kind: str
    content: bytes


def read_served_files() -> dict[str, ServedFile]:
    """By path."""
    return dict(_read())


def _read() -> Iterator[tuple[str, ServedFile]]:
    for file in map(PurePosixPath, _FILES):
        path = "/" if str(file) == _PAGE else f"/{file.name}"
        yield path, ServedFile(_KINDS[file.suffix], read_web_file(str(file)).encode())
    yield "/deck", ServedFile(JSON, json.dumps(deck_of(OFFICIAL_DECK)).encode())
