"""The files of the pages: play/ for the playable table, replay/ for recorded games, shared/."""

import base64
import hashlib
from importlib.resources import files


def read_web_file(path: str) -> str:
    """The text of a file, by its path within this folder."""
    return (files(__name__) / path).read_text(encoding="utf-8")


def content_policy(style: str, script: str | None = None) -> str:
    """A content security policy of a page that loads nothing and runs this script only, if any.

    The page has the style and the script in elements of their own, on lines of their own.
    """
    policy = f"default-src 'none'; style-src {_digest(style)}"
    return policy if script is None else f"{policy}; script-src {_digest(script)}"


def _digest(text: str) -> str:
    digest = hashlib.sha256(f"\n{text}\n".encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
