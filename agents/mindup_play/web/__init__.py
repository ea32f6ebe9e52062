"""The files of the pages: play/ for the playable table, replay/ for recorded games, shared/."""

import base64
import hashlib
import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from mindup_play.languages import LANGUAGES, Texts, read_texts


def read_web_file(path: str) -> str:
    """The text of a file, by its path within this folder."""
    return (files(__name__) / path).read_text(encoding="utf-8")


def embedded_json(data: Any) -> str:
    """Data for a script element: a "<" in it could end the element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def embedded_texts(languages: Iterable[str]) -> str:
    """The content of a page's element ``texts``, which shared/texts.js reads."""
    names = {language: Texts(language).get("language.name") for language in LANGUAGES}
    texts = {language: read_texts(language) for language in languages}
    return embedded_json({"languages": names, "texts": texts})


def content_policy(style: str, script: str | None = None) -> str:
    """A content security policy of a page that loads nothing and runs this script only, if any.

    The page has the style and the script in elements of their own, on lines of their own.
    """
    policy = f"default-src 'none'; style-src {_digest(style)}"
    return policy if script is None else f"{policy}; script-src {_digest(script)}"


def _digest(text: str) -> str:
    digest = hashlib.sha256(f"\n{text}\n".encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
