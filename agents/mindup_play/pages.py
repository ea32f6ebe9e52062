"""The pages: templates in web/, each with the styles and scripts that it is made of."""

import mimetypes
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

WEB = Path(__file__).parent / "web"


def _in(folder: str, suffix: str, *names: str) -> list[str]:
    return [f"{folder}/{name}.{suffix}" for name in names]


_TABLE_STYLES = _in("shared", "css", "base", "cards", "table", "panel", "scores")
_TABLE_SCRIPTS = [
    *_in("shared", "js", "elements", "cards", "turns", "objectives"),
    *_in("shared", "js", "panel", "table", "animations", "scores"),
]
_REPLAY_STYLES = [*_TABLE_STYLES, "replay/replay.css"]
_REPLAY_SCRIPTS = [
    *_TABLE_SCRIPTS,
    *_in("replay", "js", "graph", "stepper", "replay"),
    "review/review.js",
    "shared/server.js",
]
_PAGES = {
    "/": (
        "play/play.html",
        [*_TABLE_STYLES, *_in("play", "css", "play", "dialogs", "narrow")],
        [
            *_TABLE_SCRIPTS,
            "shared/server.js",
            *_in("play", "js", "memory", "hand", "dialogs", "new_game", "results", "narration"),
            *_in("play", "js", "settings", "reveal", "learn", "hints", "play"),
        ],
    ),
    "/review.html": ("replay/replay.html", _REPLAY_STYLES, [*_REPLAY_SCRIPTS, "review/served.js"]),
    "/watch.html": ("replay/replay.html", _REPLAY_STYLES, [*_REPLAY_SCRIPTS, "watch/watch.js"]),
}
"""By path: the template, and the styles and scripts in their order."""

# Some systems know these files as plain text, which browsers then refuse to run.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("text/css", ".css")
mimetypes.add_type("image/svg+xml", ".svg")


def read_pages() -> dict[str, str]:
    """The text of each page, by its path."""
    templates = Environment(loader=FileSystemLoader(WEB), autoescape=True)
    return {
        path: templates.get_template(name).render(styles=styles, scripts=scripts)
        for path, (name, styles, scripts) in _PAGES.items()
    }
