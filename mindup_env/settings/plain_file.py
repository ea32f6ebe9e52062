"""Reads JSON and TOML files of users, with errors that name the file."""

import json
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_MAX_BYTES = 10**6
"""A record of a game has a few thousand."""


def read_json(path: Path, what: str = "the record of a game", max_bytes: int = _MAX_BYTES) -> Any:
    """The content of a JSON file; raises ValueError for a file that cannot be read."""
    return _read(path, "JSON", json.loads, what, max_bytes)


def read_toml(path: Path, what: str = "settings", max_bytes: int = _MAX_BYTES) -> dict[str, Any]:
    """The content of a TOML file; raises ValueError for a file that cannot be read."""

    def parse(text: bytes) -> Any:
        return tomllib.loads(text.decode())

    content: dict[str, Any] = _read(path, "TOML", parse, what, max_bytes)
    return content


def _read(path: Path, form: str, parse: Callable[[bytes], Any], what: str, max_bytes: int) -> Any:
    try:
        with path.open("rb") as file:
            text = file.read(max_bytes + 1)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    if len(text) > max_bytes:
        raise ValueError(f"{path} is too large for {what}: over {max_bytes} bytes")
    try:
        return parse(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not {form}: {_describe(error)}") from None


def _describe(error: ValueError | RecursionError) -> str:
    """What is wrong in a text that is not JSON, and in which line and column if that is known."""
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    if isinstance(error, UnicodeDecodeError):
        lines = error.object[: error.start].split(b"\n")
        place = f"line {len(lines)}, column {len(lines[-1]) + 1}"
        return f"{place}: not a text in {error.encoding.upper()}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


@contextmanager
def content_errors_name(path: Path) -> Iterator[None]:
    """Errors about what a file holds name the file."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
