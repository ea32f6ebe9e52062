"""Checks of what users pass, with errors that say what would be right."""

import operator


def whole_number(name: str, value: object, low: int | None = None, high: int | None = None) -> int:
    """``value`` as an int from ``low`` to ``high``; anything else is refused by ``name``."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    number = operator.index(value)
    if (low is not None and number < low) or (high is not None and number > high):
        allowed = f"{low} to {high}" if high is not None else f"at least {low}"
        raise ValueError(f"{name} must be {allowed}, not {number}")
    return number
