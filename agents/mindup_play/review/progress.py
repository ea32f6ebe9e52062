"""How far a computation is, on a line at the terminal that is overwritten."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def shown_progress(what: str) -> Iterator[Callable[[float], None]]:
    """A function to call with the part that is done, from 0 to 1; silent if output is a file."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return

    def show(part: float) -> None:
        print(f"\r{what}: {part:4.0%}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
