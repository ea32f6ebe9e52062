"""A table of a report: its columns say how values are named in files, and how people read them."""

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

Interval = tuple[float, float, float]
"""A number and the ends of its interval, which are NaN where it has none."""
Value = str | float | Interval | None


@dataclass(frozen=True)
class Column:
    """A column: how files name its values, and how people read them."""

    key: str  # in JSON and CSV; a column without a key is a picture, which no file has
    title: str = ""  # on the terminal its lines end where it has line breaks
    form: str | Callable[[float], str] = "{}"  # how people read a number
    missing: str = ""  # the text of a value that is None
    digits: int = 4  # decimal places that files have
    hint: str = ""  # what a web page says about the column under the pointer
    css: str = ""  # the classes of its cells in a web page

    @property
    def heading(self) -> str:
        """The title in one line."""
        return self.title.replace("-\n", "-").replace("\n", " ")

    def text(self, value: Value) -> str:
        """How people read a value, without its interval."""
        if value is None or isinstance(value, str):
            return self.missing if value is None else value
        number = value[0] if isinstance(value, tuple) else value
        return self.form.format(number) if isinstance(self.form, str) else self.form(number)

    def ends_of(self, value: Value) -> tuple[str, str] | None:
        """How people read the ends of an interval; None if there is none."""
        if not isinstance(value, tuple) or math.isnan(value[1]):
            return None
        return self.text(value[1]), self.text(value[2])

    def with_interval(self, value: Value) -> str:
        """How people read a value and its interval in one line."""
        ends = self.ends_of(value)
        return self.text(value) + (f" ({' to '.join(ends)})" if ends else "")

    def plain(self, value: Value) -> dict[str, Any]:
        """A value for JSON; a number with an interval has three entries, rounded."""
        if not isinstance(value, tuple):
            return {self.key: value}
        rounded = (None if math.isnan(each) else round(float(each), self.digits) for each in value)
        keys = self.key, f"{self.key}_low", f"{self.key}_high"
        return dict(zip(keys, rounded, strict=True))


@dataclass(frozen=True)
class Cell:
    """A value of which there is more to show."""

    value: Value
    note: str = ""  # a warning below it
    hint: str = ""  # what a web page says about it under the pointer
    css: str = ""  # its classes in a web page, besides those of its column
    bold: bool = False  # on the terminal


class Shown(NamedTuple):
    """A cell as people read it."""

    column: Column
    cell: Cell
    text: str
    ends: tuple[str, str] | None

    def plain(self) -> dict[str, Any]:
        """The value for JSON."""
        return self.column.plain(self.cell.value)

    def joined(self, between: str = " to ") -> str:
        """The ends of the interval in one text; empty without an interval."""
        return between.join(self.ends) if self.ends else ""


@dataclass(frozen=True)
class Table:
    """A table. Its first column whose values are texts names the rows."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value | Cell]]

    @property
    def name_key(self) -> str:
        """The key of the column that names the rows."""
        first = self._without_pictures()[0] if self.rows else []
        texts = (each.column.key for each in first if isinstance(each.cell.value, str))
        return next(texts, self.columns[0].key)

    def shown(self) -> list[list[Shown]]:
        """The rows as people read them."""
        return [
            [
                Shown(column, cell, column.text(cell.value), column.ends_of(cell.value))
                for column, given in zip(self.columns, row, strict=True)
                for cell in [given if isinstance(given, Cell) else Cell(given)]
            ]
            for row in self.rows
        ]

    def records(self) -> list[dict[str, Any]]:
        """The rows as plain data for JSON."""
        return [
            {name: value for each in row for name, value in each.plain().items()}
            for row in self._without_pictures()
        ]

    def lines(self) -> Iterator[list[Any]]:
        """A line of CSV for each number with an interval: two texts, key, value and ends.

        The texts are those of the row; the second can be empty.
        """
        for row in self._without_pictures():
            named = [each.cell.value for each in row if isinstance(each.cell.value, str)]
            for each in row:
                if isinstance(each.cell.value, tuple):
                    found = each.plain().values()
                    yield [*named, *[""] * (2 - len(named)), each.column.key, *found]

    def _without_pictures(self) -> list[list[Shown]]:
        return [[each for each in row if each.column.key] for row in self.shown()]

    def crossed(self, title: str, rows: Mapping[str, str], columns: Mapping[str, str]) -> "Table":
        """A cross table: the third column by the first, down, and by the second, across.

        Args:
            title: Its title.
            rows: Which values of the first column are shown, in this order, and their titles.
            columns: The same of the second column.
        """
        down, _, column = self.columns
        found = {(row[0], row[1]): row[2] for row in self.rows}
        return Table(
            title,
            [down, *(replace(column, key=key, title=text) for key, text in columns.items())],
            [[text, *(found.get((key, each)) for each in columns)] for key, text in rows.items()],
        )

    def without_intervals(self) -> "Table":
        """The same values where there is no room for intervals."""
        rows = [[value[0] if isinstance(value, tuple) else value for value in r] for r in self.rows]
        return replace(self, rows=rows)


def csv_text(lines: Iterable[Iterable[Any]]) -> str:
    """Lines as CSV; the first has the names of the columns."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()
