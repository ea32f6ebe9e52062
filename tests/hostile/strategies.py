"""What hostile tests try: games of any kind, damage to data, and what it may end in."""

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindup_env.checks import InputError, InputTypeError

T = TypeVar("T")

ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, -(2**31), 2**63, 2**64, 10**30, 0.5, 1e308, -0.0,
    float("nan"), float("inf"), "", "0", "é", "x" * 1000, "\0", b"a", [], [[]], {}, {"a": 1},
]  # fmt: skip


def attack(
    examples: int, **tried: st.SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test that is called with so many examples of these."""
    count = settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    return lambda test: count(given(**tried)(test))


def result_or_refusal(call: Callable[[], T]) -> T | None:
    """The result of the call; None if it was refused in one line that says something."""
    try:
        return call()
    except (InputError, InputTypeError) as error:
        told = str(error)
    assert len(told.strip().splitlines()) == 1 and len(told) < 1000
    return None


@st.composite
def damaged_plain(draw: st.DrawFn, intact: Any) -> Any:
    """Plain data with one value somewhere replaced, removed, repeated or renamed."""
    if isinstance(intact, dict | list) and intact and draw(st.integers(0, 9)):
        keys = [*intact] if isinstance(intact, dict) else [*range(len(intact))]
        key, other = (draw(st.sampled_from(keys)) for _ in range(2))
        kind = draw(st.sampled_from(["remove", "repeat", "copy", *["damage"] * 7]))
        changed: Any = intact.copy()
        if kind == "remove":
            del changed[key]
        elif kind == "damage":
            changed[key] = draw(damaged_plain(intact[key]))
        elif kind == "copy":
            changed[key] = intact[other]
        elif isinstance(changed, dict):
            changed[f"{key}x"] = intact[key]
        else:
            changed.insert(key, intact[key])
        return changed
    if isinstance(intact, int) and draw(st.booleans()):
        return intact + draw(st.integers(-2, 2))
    return draw(st.sampled_from(ODD_VALUES))


def damaged_part(intact: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Plain data of which one entry, whatever its size, is damaged."""
    return st.sampled_from([*intact]).flatmap(
        lambda name: damaged_plain(intact[name]).map(lambda part: {**intact, name: part})
    )
