"""Makes the arrays of a named tuple, by the axes that its fields declare.

A field is declared as ``Annotated[Int8Array, "N", "num_players", NUM_COLOURS]``: the type of the
array, then the size of each axis, as a number or by its name.
"""

from functools import cache
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

Fields = TypeVar("Fields", bound=tuple[Any, ...])


def allocate(kind: type[Fields], named: object, values: Any = (), **sizes: int) -> Fields:
    """A named tuple of this class, with zeros, and with ``values`` for fields that are no arrays.

    Sizes are attributes of ``named``, such as a config, or given by their names.
    """
    shapes = shapes_of(kind, named, **sizes)
    made = dict(values)
    for name, dtype, _ in _declared_arrays(kind):
        made[name] = np.zeros(shapes[name], dtype)
    return cast("Fields", cast("Any", kind)(**made))


def shapes_of(kind: type[Fields], named: object, **sizes: int) -> dict[str, tuple[int, ...]]:
    """The shape of each array of a named tuple of this class; see ``allocate``."""

    def size_of(axis: str | int) -> int:
        if isinstance(axis, int):
            return axis
        return sizes[axis] if axis in sizes else cast("int", getattr(named, axis))

    return {name: tuple(map(size_of, axes)) for name, _, axes in _declared_arrays(kind)}


@cache
def _declared_arrays(kind: type[tuple[Any, ...]]) -> list[tuple[str, Any, list[Any]]]:
    """The name, the type of the entries and the axes of each array."""
    found = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            array, *axes = get_args(hint)
            entries = get_args(array)[-1]  # their type; their dtype with NumPy below 2.5
            found.append((name, *(get_args(entries) or [entries]), axes))
    return found
