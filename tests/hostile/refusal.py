"""What a hostile input may end in: a result, or a refusal in words."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def result_or_refusal(call: Callable[[], T]) -> T | None:
    """The result of the call; None if it was refused by a ValueError with a message."""
    try:
        return call()
    except ValueError as error:
        if not str(error).strip():
            raise AssertionError("a refusal without words") from error
        return None
