"""The pages: what each is made of.

A page is one HTML file, one style and one script, which are made of files of ``web/``. The lists
here are the only ones: a new file joins that of its page, behind those that it uses.
"""

from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Page(NamedTuple):
    """The parts of a page, by their paths within ``web/``; the scripts run in this order."""

    html: str
    styles: tuple[str, ...]
    scripts: tuple[str, ...]

    @property
    def style(self) -> str:
        return "\n".join(map(read_web_file, self.styles))

    @property
    def script(self) -> str:
        """All scripts as one, which is strict."""
        return "\n".join(['"use strict";', *map(read_web_file, self.scripts)])


class ServedFile(NamedTuple):
    content_type: str
    content: bytes


def _in(folder: str, suffix: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{folder}/{name}.{suffix}" for name in names)


_TABLE_STYLES = _in("shared", "css", "base", "cards", "table", "panel", "scores")
_TABLE_SCRIPTS = (
    *_in("shared", "js", "elements", "cards", "turns", "objectives"),
    *_in("shared", "js", "panel", "table", "animations", "scores"),
)
_PLAY = Page(
    "play/play.html",
    (*_TABLE_STYLES, *_in("play", "css", "play", "dialogs", "narrow")),
    (
        *_TABLE_SCRIPTS,
        "shared/server.js",
        *_in("play", "js", "memory", "hand", "dialogs", "new_game", "results", "narration"),
        *_in("play", "js", "settings", "reveal", "learn", "hints", "play"),
    ),
)
_REPLAY = Page(
    "replay/replay.html",
    (*_TABLE_STYLES, "replay/replay.css"),
    (*_TABLE_SCRIPTS, *_in("replay", "js", "graph", "stepper", "replay"), "review/review.js"),
)
_SERVED = {
    "play": _PLAY,
    "review": _REPLAY._replace(scripts=(*_REPLAY.scripts, "shared/server.js", "review/served.js")),
    "watch": _REPLAY._replace(scripts=(*_REPLAY.scripts, "shared/server.js", "watch/watch.js")),
}


@cache
def read_served_files() -> dict[str, ServedFile]:
    """The pages and their parts by the path of their URL; there is no other file."""
    icon = read_web_file("shared/icon.svg").encode()
    served = {"/icon.svg": ServedFile("image/svg+xml", icon)}
    for name, page in _SERVED.items():
        texts = {
            _page_path(name): ("html", read_web_file(page.html).replace("$name", name)),
            f"/{name}.css": ("css", page.style),
            f"/{name}.js": ("javascript", page.script),
        }
        for path, (kind, text) in texts.items():
            served[path] = ServedFile(f"text/{kind}; charset=utf-8", text.encode())
    return served


def is_page(path: str) -> bool:
    """Whether the query of a path is for the scripts of a page alone."""
    return path in map(_page_path, _SERVED)


def _page_path(name: str) -> str:
    return "/" if name == "play" else f"/{name}.html"


@cache
def read_web_file(path: str) -> str:
    """The text of a file, by its path within ``web/``."""
    return (files("mindup_play") / "web" / path).read_text(encoding="utf-8")
