"""Objects that one caller at a time can use: a second one gets an error, not corrupt arrays.

Compiled code runs without Python's global lock, so two threads could change the same arrays at
once, and compiled code trusts its arrays.
"""

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class BusyFlag:
    """Set while its owner is in use; a copy of the owner has a flag of its own."""

    __slots__ = ("clear", "set")

    def __init__(self) -> None:
        lock = Lock()
        self.set, self.clear = lock.acquire, lock.release

    def __reduce__(self) -> tuple[Any, ...]:
        return BusyFlag, ()


class _Owner(Protocol):
    _busy: BusyFlag


Owner = TypeVar("Owner", bound=_Owner)


def exclusive(
    method: Callable[Concatenate[Owner, P], R],
) -> Callable[Concatenate[Owner, P], R]:
    """A method during which every other exclusive method of the object raises a RuntimeError."""

    @wraps(method)
    def guarded(self: Owner, /, *args: P.args, **kwargs: P.kwargs) -> R:
        busy = self._busy
        if not busy.set(False):  # not blocking; a keyword takes longer
            raise RuntimeError(
                f"this {type(self).__name__} is being used by another thread, or by a function "
                "that it has called; give each its own"
            )
        try:
            return method(self, *args, **kwargs)
        finally:
            busy.clear()

    return guarded


def without_flag(method: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """An exclusive method for a caller that holds the flag already."""
    inner: Callable[Concatenate[Owner, P], R] = method.__wrapped__  # type: ignore[attr-defined]
    return inner
