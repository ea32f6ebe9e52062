"""The files that make the page, read once; nothing else of the machine is served."""

import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple

from mindup_env import OFFICIAL_DECK
from mindup_play.web.shared.files import read_page_file
from mindup_play.web.shared.moments import deck_of

JSON = "application/json"
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PAGE = "play.html"
_FILES = {
    "mindup_play.web.play": (_PAGE, "play.css", "play.js", "hand.js", "dialogs.js"),
    "mindup_play.web.shared": (
        *("icon.svg", "table.css"),
        *("cards.js", "objectives.js", "table.js", "motion.js", "scores.js"),
    ),
}
"""By the package that they lie in."""


class ServedFile(NamedTuple):
    kind: str
    content: bytes


def read_served_files() -> dict[str, ServedFile]:
    """By path."""
    return dict(_read())


def _read() -> Iterator[tuple[str, ServedFile]]:
    for package, names in _FILES.items():
        for name in names:
            content = read_page_file(package, name).encode()
            path = "/" if name == _PAGE else f"/{name}"
            yield path, ServedFile(_KINDS[PurePath(name).suffix], content)
    yield "/deck", ServedFile(JSON, json.dumps(deck_of(OFFICIAL_DECK)).encode())
