"""What a hostile input may end in: a result, or a refusal in words."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def result_or_refusal(call: Callable[[], T], naming: str = "") -> T | None:
    """The result of the call; None if it was refused by a ValueError with a message.

    An error about a file is one line that has its name, ``naming``.
    """
    try:
        return call()
    except ValueError as error:
        message = str(error)
        if not message.strip():
            raise AssertionError("a refusal without words") from error
        if naming and (naming not in message or "\n" in message):
            raise AssertionError(f"not one line that names {naming}") from error
        return None
