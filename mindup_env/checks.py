"""Checks of arguments, with errors that say what is accepted."""

import inspect
import operator
import warnings
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
_KINDS = {"integers": "iu", "numbers": "biuf"}
_dtype_of = cache(np.dtype)  # a comparison with its name takes twice as long
_ENVIRONMENTS = "mindup_env", "gymnasium", "pettingzoo"
_MOST_SHOWN = 203
"""Characters of a refused value that an error shows, with the dots of a longer one."""


class InputError(ValueError):
    """A value from outside, as of a user or a file, is not accepted: its text says what is.

    A ``ValueError`` of any other class is a defect.
    """


class InputTypeError(TypeError):
    """The same, for arguments that Python itself would refuse with a ``TypeError``."""


def check_int(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """``value`` as an int from ``low`` to ``high``; the error of another names ``name``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise InputError(f"{name} must be a whole number, not {shown(value)}")
    is_low = low is not None and number < low
    is_high = high is not None and number > high
    if is_low or is_high:
        allowed = f"{low} to {high}" if high is not None else f"at least {low}"
        raise InputError(f"{name} must be {allowed}, not {shown(number)}")
    return number


def illegal_card(who: str, card: int, hand: Iterable[int]) -> InputError:
    """The refusal of a card, by its number, that is not in the hand."""
    cards = ", ".join(map(str, hand))
    return InputError(f"{who} cannot play card {card} (action {card - 1}); the hand has {cards}")


def check_type(name: str, value: Any, kind: type[T]) -> T:
    """``value``, if it is of this kind; the error of another names ``name``."""
    if not isinstance(value, kind):
        raise InputError(f"{name} must be a {kind.__name__}, not {shown(value)}")
    return value


def check_choice(name: str, value: Any, *accepted: Any) -> None:
    """Refuses all but these texts, or None if it is one of them."""
    if not isinstance(value, str | None) or value not in accepted:
        raise InputError(f"{name} must be {' or '.join(map(str, accepted))}, not {shown(value)}")


def as_list(name: str, value: Any) -> list[Any]:
    """``value`` as a list; the error of a value without items or order names ``name``."""
    try:
        if isinstance(value, str | bytes | Mapping | AbstractSet):
            raise TypeError  # noqa: TRY301  # they are iterable, but are no lists of items
        return list(value)
    except TypeError:
        raise InputError(f"{name} must be a list, not {shown(value)}") from None


def as_array(given: npt.ArrayLike) -> npt.NDArray[Any]:
    """``given`` as an array; one without axes if it has none, as lists of different lengths."""
    try:
        return np.asarray(given)
    except (TypeError, ValueError):
        return np.array(None)


def check_array(
    name: str, given: npt.ArrayLike, shape: tuple[int, ...], axes: str = "", kind: str = "integers"
) -> npt.NDArray[Any]:
    """``given`` as an array of integers or numbers; the error of another one names ``name``.

    Of any other ``kind``, such as ``int8``, only arrays of exactly this type are accepted.
    """
    array = as_array(given) if kind in _KINDS and type(given) is not np.ndarray else given
    if not isinstance(array, np.ndarray):
        raise InputError(f"{name} must be {kind} of shape {shape}{axes}, not {shown(array)}")
    fits = array.dtype.kind in _KINDS[kind] if kind in _KINDS else array.dtype == _dtype_of(kind)
    if not fits or array.shape != shape:
        is_array = array.ndim and array.dtype != object
        told = f"{array.dtype} of shape {array.shape}" if is_array else shown(given)
        raise InputError(f"{name} must be {kind} of shape {shape}{axes}, not {told}")
    return array


def check_entries(
    name: str, plain: Any, required: Iterable[str], optional: Iterable[str] = ()
) -> None:
    """Refuses all but a dict with the required entries and no others but optional ones."""
    required = list(required)
    optional = list(optional)
    rule = f"{name} must be a dict with {', '.join(required) or 'some entries'}"
    if optional:
        rule += f" (it may have {', '.join(optional)})"
    if not isinstance(plain, Mapping):
        raise InputError(f"{rule}, not {shown(plain)}")
    problems = []
    missing = [entry for entry in required if entry not in plain]
    if missing:
        problems.append(f"missing: {', '.join(missing)}")
    unknown = [shown(entry) for entry in plain if entry not in required + optional]
    if unknown:
        problems.append(f"unknown: {', '.join(unknown)}")
    if problems:
        raise InputError(f"{rule}; {'; '.join(problems)}")


def suggestion(name: str, known: Iterable[str], known_are: str = "available") -> str:
    """The end of an error about an unknown name: ``; did you mean greedy? available: ...``."""
    known = list(known)
    meant = "".join(f"did you mean {close}? " for close in get_close_matches(name, known, n=1))
    return f"; {meant}{known_are}: {', '.join(known) or 'none'}"


def shown(value: Any) -> str:
    """A value for an error, not longer than a reader can take in."""
    return shortened(repr(value))


def shortened(text: str, most: int = _MOST_SHOWN) -> str:
    """A text on one line, of at most so many characters."""
    text = text.replace("\n", " ")
    return text if len(text) <= most else f"{text[: most - 3]}..."


def warn_user(warning: Warning) -> None:
    """Warns at the line that called an environment, by its own methods or those of wrappers."""
    frame = inspect.currentframe()
    level = 1
    # As skip_file_prefixes of Python 3.12.
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] in _ENVIRONMENTS:
        frame = frame.f_back
        level += 1
    warnings.warn(warning, stacklevel=level)


def require(purpose: str, extra: str, *libraries: str) -> None:
    """Refuses missing ``libraries``, and says how to install them."""
    missing = [name for name in libraries if find_spec(name) is None]
    if missing:
        raise InputError(f"{purpose} needs {', '.join(missing)}: pip install 'mindup-env[{extra}]'")
