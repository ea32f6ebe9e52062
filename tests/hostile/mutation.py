"""Damage to bytes and to plain data, as hostile tests send it."""

from typing import Any

from numpy.random import Generator

ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, -(2**31), 2**63, 2**64, 10**30, 0.5, 1e308, -0.0,
    float("nan"), float("inf"), "", "0", "é", "x" * 1000, "\0", b"a", [], [[]], {}, {"a": 1},
]  # fmt: skip


def mutated(random: Generator, data: bytes) -> bytes:
    """``data`` with up to four bytes replaced, inserted or removed, or with a piece repeated."""
    changed = bytearray(data)
    for _ in range(random.integers(0, 5)):
        at = int(random.integers(0, len(changed) + 1))
        kind = random.integers(0, 4)
        if kind == 0:
            changed[at : at + 1] = random.bytes(1)
        elif kind == 1:
            changed[at:at] = random.bytes(1)
        elif kind == 2:
            del changed[at : at + int(random.integers(1, 5))]
        else:
            changed[at:at] = changed[at : at + int(random.integers(1, 20))]
    return bytes(changed)


def mutated_plain(random: Generator, plain: Any) -> Any:
    """Plain data with one value somewhere in it replaced, removed, repeated or renamed."""
    deeper = random.random() < 0.9
    if isinstance(plain, dict) and plain and deeper:
        return _mutated_dict(random, plain)
    if isinstance(plain, list) and plain and deeper:
        return _mutated_list(random, plain)
    if isinstance(plain, int) and random.random() < 0.5:
        return plain + int(random.integers(-2, 3))
    return ODD_VALUES[random.integers(0, len(ODD_VALUES))]


def _mutated_dict(random: Generator, plain: dict[Any, Any]) -> dict[Any, Any]:
    key = list(plain)[random.integers(0, len(plain))]
    kind = random.integers(0, 10)
    if kind == 0:
        return {name: value for name, value in plain.items() if name != key}
    if kind == 1:
        return {**plain, f"{key}x": plain[key]}
    return {**plain, key: mutated_plain(random, plain[key])}


def _mutated_list(random: Generator, plain: list[Any]) -> list[Any]:
    at = int(random.integers(0, len(plain)))
    kind = random.integers(0, 10)
    if kind == 0:
        return plain[:at] + plain[at + 1 :]
    if kind == 1:
        return [*plain[: at + 1], *plain[at:]]
    return [*plain[:at], mutated_plain(random, plain[at]), *plain[at + 1 :]]
