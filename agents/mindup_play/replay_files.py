"""The page of a game that was played: as one file, or from the server with its scripts as files."""

from collections.abc import Sequence
from string import Template
from typing import Any

from mindup_play.languages import ENGLISH, LANGUAGES
from mindup_play.web import content_policy, embedded_json, embedded_texts, read_web_file

STYLES = (
    "shared/base.css",
    "shared/cards.css",
    "shared/table.css",
    "shared/turns.css",
    "shared/panel.css",
    "shared/scores.css",
    "replay/replay.css",
    "review/review.css",
    "watch/watch.css",
)
SCRIPTS = (
    "shared/texts.js",
    "shared/cards.js",
    "shared/points.js",
    "shared/objectives.js",
    "shared/turns.js",
    "shared/panel.js",
    "shared/table.js",
    "shared/animations.js",
    "shared/scores.js",
    "replay/graph.js",
    "replay/marks.js",
    "replay/stepper.js",
    "replay/replay.js",
    "review/figures.js",
    "review/reviewed_turn.js",
    "review/review.js",
)
_PAGE = "replay/replay.html"
_OF_A_FILE, OF_A_SERVER = "replay/start.js", "replay/server.js"


def page_as_one_file(data: Any) -> str:
    """The page with all that it needs: it loads nothing, and runs no script but its own."""
    style = "\n".join(map(read_web_file, STYLES))
    script = "\n".join(map(read_web_file, (*SCRIPTS, _OF_A_FILE)))
    policy = content_policy(style, script)
    return Template(read_web_file(_PAGE)).substitute(
        language=ENGLISH,
        head=(
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
            f"<style>\n{style}\n</style>"
        ),
        texts=embedded_texts(LANGUAGES),
        data=embedded_json(data),
        scripts=f"<script>\n{script}\n</script>",
    )


def served_page(own_scripts: Sequence[str], language: str) -> str:
    """The page from the server, which its own scripts ask for data."""
    styles = [f'<link rel="stylesheet" href="{_name(style)}">' for style in STYLES]
    scripts = [
        f'<script src="{_name(each)}"></script>' for each in (*SCRIPTS, OF_A_SERVER, *own_scripts)
    ]
    return Template(read_web_file(_PAGE)).substitute(
        language=language,
        head="\n".join(['<link rel="icon" href="icon.svg">', *styles]),
        texts=embedded_texts([language]),
        data="null",
        scripts="\n".join(scripts),
    )


def _name(path: str) -> str:
    return path.rpartition("/")[2]
