"""The fields of settings as pydantic validates them: strict types, ranges and choices."""

import operator
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pydantic
from pydantic.dataclasses import is_pydantic_dataclass

from mindup_env.checks import shown


@dataclass(frozen=True)
class Option:
    """What a field says about itself besides its name, type and default.

    As an annotation, it tells pydantic how to validate the field.
    """

    help: str = ""
    low: float | None = None
    high: float | None = None
    above: float | None = None  # an exclusive lower bound
    metavar: str | None = None
    choices: tuple[str, ...] | None = None

    @property
    def range_text(self) -> str:
        """The numbers that are accepted, for errors."""
        if self.low is not None and self.high is not None:
            return f"{self.low} to {self.high}"
        bounds = (("at least", self.low), ("above", self.above), ("at most", self.high))
        return " and ".join(f"{words} {bound}" for words, bound in bounds if bound is not None)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: pydantic.GetCoreSchemaHandler
    ) -> Any:
        kind = self._strict(source)
        return handler(source) if kind is source else handler.generate_schema(kind)

    def _strict(self, kind: Any) -> Any:
        """A type as pydantic is to validate it: strict, with the range and the choices."""
        found = kind
        if kind in (int, float):
            found = self._number(kind)
        elif kind is str and self.choices:
            found = Literal[self.choices]
        elif kind in (str, bool):
            found = Annotated[kind, pydantic.Strict()]
        elif get_origin(kind) in (Union, UnionType):
            found = Union[tuple(map(self._strict, get_args(kind)))]  # noqa: UP007  # of a list
        elif get_origin(kind) is tuple:
            found = self._tuple(get_args(kind))
        elif hasattr(kind, "_fields") and not hasattr(kind, "from_dict"):
            found = self._named_tuple(kind)
        elif isinstance(kind, type) and kind is not NoneType and not is_settings(kind):
            found = _own_class(kind)
        return found

    def _number(self, kind: type) -> Any:
        bounds: Any = {"ge": self.low, "gt": self.above, "le": self.high}
        if kind is float:
            bounds["allow_inf_nan"] = False
        constraints = pydantic.Field(strict=True, **bounds)
        return Annotated[kind, constraints, pydantic.BeforeValidator(_plain_number)]

    def _tuple(self, items: tuple[Any, ...]) -> Any:
        kinds: Any = tuple(each if each is Ellipsis else self._strict(each) for each in items)
        enough: Any = _ONE_IS_ENOUGH.get(items, ())

        def read(value: Any) -> Any:
            if not isinstance(value, Iterable) or isinstance(value, _NO_LISTS):
                return (value,) if isinstance(value, enough) else value
            values = tuple(value)
            if ... not in items and len(values) != len(items):
                raise ValueError(f"must be {len(items)} values, not {shown(value)}")
            return values

        return Annotated[
            tuple.__class_getitem__(kinds), pydantic.Strict(), pydantic.BeforeValidator(read)
        ]

    def _named_tuple(self, kind: Any) -> Any:
        def read(value: Any) -> Any:
            by_name = isinstance(value, Mapping) and value.keys() == {*kind._fields}
            return [value[name] for name in kind._fields] if by_name else value

        items = self._tuple(tuple(get_type_hints(kind).values()))
        return Annotated[items, pydantic.BeforeValidator(read), pydantic.AfterValidator(kind._make)]


def is_settings(kind: Any) -> bool:
    """Whether ``@settings`` made this class."""
    return isinstance(kind, type) and is_pydantic_dataclass(kind)


_NO_LISTS = (str, bytes, Mapping, AbstractSet)
_ONE_IS_ENOUGH = {(int, ...): (int, float), (float, ...): (int, float), (str, ...): str}
"""By the items of a tuple, the types of a value that is accepted without a list."""


def _plain_number(value: Any) -> Any:
    """An int for a whole number of another library, such as NumPy."""
    try:
        return value if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return value


def _own_class(kind: Any) -> Any:
    """A class that is no settings: its objects, or what its ``from_dict`` reads."""
    read = getattr(kind, "from_dict", lambda value: value)

    def check(value: Any) -> Any:
        found = value if isinstance(value, kind) else read(value)
        if not isinstance(found, kind):
            raise ValueError(f"must be a {kind.__name__}, not {shown(value)}")
        return found

    written = [pydantic.PlainSerializer(kind.to_dict)] if hasattr(kind, "to_dict") else []
    return Annotated[(Any, pydantic.PlainValidator(check), *written)]
