"""What is refused of users' input, whatever it is for."""

import re
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from mindup_env.checks import as_list, check_entries, check_int, shown


class Three:
    def __index__(self) -> int:
        return 3


def test_whole_numbers_of_any_type_become_an_int() -> None:
    for value in (3, np.uint64(3), np.array(3), Three()):
        number = check_int("size", value)
        assert number == 3 and type(number) is int
    for wrong in (True, np.True_, 3.0, "3", None, [3], np.array([3])):
        message = f"size must be a whole number, not {wrong!r}"
        with pytest.raises(ValueError, match=re.escape(message)):
            check_int("size", wrong)


def test_bounds_belong_to_what_is_allowed() -> None:
    assert [check_int("size", value, 2, 4) for value in (2, 3, 4)] == [2, 3, 4]
    assert check_int("size", 2, 2) == 2 and check_int("size", -(10**30)) == -(10**30)
    for value in (1, 5):
        with pytest.raises(ValueError, match=f"size must be 2 to 4, not {value}"):
            check_int("size", value, 2, 4)
    with pytest.raises(ValueError, match="size must be at least 2, not 1"):
        check_int("size", 1, 2)
    with pytest.raises(ValueError, match="size must be 0 to 4, not -1"):
        check_int("size", np.int64(-1), 0, 4)


def test_what_has_items_in_an_order_becomes_a_list() -> None:
    for value in ([1, 2], (1, 2), range(1, 3), iter([1, 2]), np.array([1, 2])):
        items = as_list("cards", value)
        assert items == [1, 2] and type(items) is list
    for wrong in (None, 12, "12", b"12", {1: 2}, {1, 2}, {1: 2}.keys()):
        with pytest.raises(ValueError, match=re.escape(f"cards must be a list, not {wrong!r}")):
            as_list("cards", wrong)


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        (None, "a thing must be a dict.*, not None"),
        (["a", "b"], r"a thing must be a dict.*, not \['a', 'b'\]"),
        ({}, "a thing .*missing: a, b$"),
        ({"b": 2, "c": 3}, "a thing .*missing: a$"),
        ({"a": 1, "b": 2, "d": 4, 5: 6}, ".*unknown: 'd', 5$"),
    ],
)
def test_entries_that_are_wrong(plain: Any, message: str) -> None:
    check_entries("a thing", MappingProxyType({"c": 3, "b": 2, "a": 1}), ("a", "b"), ("c",))
    with pytest.raises(ValueError, match=message):
        check_entries("a thing", plain, ("a", "b"), ("c",))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\nb", r"'a\nb'"),
        (np.eye(2, dtype=int), "array([[1, 0],        [0, 1]])"),
        ("x" * 1000, "'" + "x" * 199 + "..."),
    ],
    ids=["text", "array", "long"],
)
def test_a_refused_value_is_shown_on_one_short_line(value: Any, text: str) -> None:
    assert shown(value) == text
    with pytest.raises(ValueError, match=re.escape(text)):
        check_int("size", value, 0, 4)
