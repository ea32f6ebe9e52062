"""Checks of what users pass, with errors that say what would be right."""

import operator
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any


def check_int(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """``value`` as an int from ``low`` to ``high``; anything else is refused by ``name``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if (low is not None and number < low) or (high is not None and number > high):
        allowed = f"{low} to {high}" if high is not None else f"at least {low}"
        raise ValueError(f"{name} must be {allowed}, not {number}")
    return number


def as_list(name: str, value: Any) -> list[Any]:
    """``value`` as a list; what has no items or no order is refused by ``name``."""
    try:
        if isinstance(value, str | bytes | Mapping | AbstractSet):
            raise TypeError  # noqa: TRY301  # they have items, but not as a list has them
        return list(value)
    except TypeError:
        raise ValueError(f"{name} must be a list, not {value!r}") from None


def check_entries(
    name: str, plain: Any, required: Iterable[str], optional: Iterable[str] = ()
) -> None:
    """Refuses what is not a dict of the required entries and perhaps the optional ones."""
    required, optional = list(required), list(optional)
    rule = f"{name} must be a dict with {', '.join(required) or 'some entries'}"
    if optional:
        rule += f" (it may have {', '.join(optional)})"
    if not isinstance(plain, Mapping):
        raise ValueError(f"{rule}, not {plain!r}")
    missing = [entry for entry in required if entry not in plain]
    unknown = [repr(entry) for entry in plain if entry not in required + optional]
    faults = [f"missing: {', '.join(missing)}"] if missing else []
    if unknown:
        faults.append(f"unknown: {', '.join(unknown)}")
    if faults:
        raise ValueError(f"{rule}; {'; '.join(faults)}")
