"""Reads JSON files of users, with errors that name the file."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def read_json(path: Path) -> Any:
    """The content of a JSON file; raises ValueError for a file that cannot be read."""
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from None


@contextmanager
def content_errors_name(path: Path | str) -> Iterator[None]:
    """Errors about what a file, or a part of it, holds name this."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
