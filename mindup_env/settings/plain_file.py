"""Reads JSON files of users, with errors that name the file."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_MAX_BYTES = 10**6
"""A record of a game has a few thousand."""


def read_json(path: Path, what: str = "the record of a game", max_bytes: int = _MAX_BYTES) -> Any:
    """The content of a JSON file; raises ValueError for a file that cannot be read."""
    try:
        with path.open("rb") as file:
            text = file.read(max_bytes + 1)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    if len(text) > max_bytes:
        raise ValueError(f"{path} is too large for {what}: over {max_bytes} bytes")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"line {error.lineno}, column {error.colno}: {error.msg}"
    except UnicodeDecodeError as error:
        lines = error.object[: error.start].split(b"\n")
        place = f"line {len(lines)}, column {len(lines[-1]) + 1}"
        problem = f"{place}: not a text in {error.encoding.upper()}"
    except RecursionError:
        problem = "it is nested too deeply"
    except ValueError as error:  # a number of thousands of digits
        problem = str(error)
    raise ValueError(f"{path} is not JSON: {problem}")


@contextmanager
def content_errors_name(path: Path | str) -> Iterator[None]:
    """Errors about what a file, or a part of it, holds name this."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
