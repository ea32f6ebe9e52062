"""The files of the pages: play/ for the playable table, replay/ for recorded games, shared/."""

from importlib.resources import files


def read_web_file(path: str) -> str:
    """The text of a file, by its path within this folder."""
    return (files(__name__) / path).read_text(encoding="utf-8")
