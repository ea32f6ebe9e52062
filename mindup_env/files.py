"""Files: written in one atomic step, and read with errors that name them."""

import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from mindup_env.checks import InputError, shortened

MOST_BYTES = 2**28
"""Of a file of others, a hundred times what any needs."""


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A file to write to; it replaces ``path`` when the context ends without an error."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with errors_name(path):
        try:
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                shutil.copymode(path, temporary)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def write_text(path: Path, text: str) -> None:
    """Writes a text in UTF-8 in one atomic step."""
    with atomic_write(path) as file:
        file.write(text.encode("utf-8"))


def write_plain(path: Path, plain: Any) -> None:
    """Writes plain data as JSON that people can read, in one atomic step."""
    write_text(path, json.dumps(plain, indent=2) + "\n")


@contextmanager
def errors_name(path: Path) -> Iterator[None]:
    """Errors of the system name the file: that of a full disk names none by itself."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def check_writable(path: Path) -> None:
    """Refuses a file that could not be written at the end of a run; makes its folder."""
    told = f"cannot write {shortened(str(path))}"
    try:
        if path.is_dir():
            raise InputError(f"{told}: it is a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise InputError(f"{told}: {error.strerror}") from None


def read_limited(path: Path) -> bytes:
    """The content of a file of others, which is refused before it fills the memory."""
    told = f"cannot read {shortened(str(path))}"
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            content = b"" if size > MOST_BYTES else file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{told}: {error.strerror}") from None
    if max(size, len(content)) > MOST_BYTES:
        raise InputError(f"{told}: it has more than {MOST_BYTES:,} bytes")
    return content


def read_json(path: Path) -> Any:
    """The content of a JSON file; raises ValueError for a file that cannot be read."""
    content = read_limited(path)
    try:
        return json.loads(content)
    except (RecursionError, ValueError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None


@contextmanager
def content_errors_name(path: Path | str) -> Iterator[None]:
    """Errors about what a file, or a part of it, holds name this."""
    try:
        yield
    except ValueError as error:  # libraries that read the content raise it too
        raise InputError(f"{path}: {error}") from None
