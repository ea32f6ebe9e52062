"""Tables on the terminal. They fit in its width: 80 columns are enough for the project's own."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mindup_env.report.table import Shown, Table

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console
    from rich.text import Text

_NAMES, _SHORT_NAMES = 20, 8
"""The least width of the first column, and if its names may be cut."""
_TITLE = 12
"""The width at which titles are folded, where they do not fit."""


def plain_text(text: str, style: str = "") -> "Text":
    """Text without markup: names and reasons may contain brackets."""
    from rich.text import Text  # noqa: PLC0415

    return Text(text, style)


def open_console(console: "Console | None") -> "Console":
    """The console that is given; that of the terminal if it is None."""
    from rich.console import Console  # noqa: PLC0415

    return console or Console()


def print_table(table: Table, console: "Console | None" = None, *, cut: bool = False) -> set[str]:
    """Prints a table. Numbers are never broken: columns without room follow in another table.

    Args:
        table: The table.
        console: A console of rich; the terminal if it is None.
        cut: Cut names in the first column that are too long, instead of folding them.

    Returns:
        The names that were cut.
    """
    from rich.table import Table as RichTable  # noqa: PLC0415

    console, shown = open_console(console), table.shown()
    if table.title:
        console.print(plain_text(table.title, "italic"))
    are_names = not shown or isinstance(shown[0][0].cell.value, str)
    least = _SHORT_NAMES if cut else _NAMES
    least = min(least, max([len(row[0].text) for row in shown], default=0))
    has_room = name_room(table, console.width) >= least
    widths = _widths(table, None if has_room else _TITLE)
    cut_names: set[str] = set()
    for columns in _parts(widths, console.width - least - 1):
        room = max(console.width - 1 - sum(widths[at] + 1 for at in columns), least)
        printed = RichTable(box=None, padding=(0, 1, 0, 0))
        for at in (0, *columns):
            printed.add_column(
                plain_text(table.columns[at].title),
                justify="right" if at or not are_names else "left",
                overflow="fold",
                min_width=widths[at] if at else None,
                max_width=None if at else room,
            )
        for name, *cells in shown:
            printed_name = name
            if cut and len(name.text) > room:
                cut_names.add(name.text)
                printed_name = name._replace(text=f"{name.text[: room - 2]}..")
            printed.add_row(_text(printed_name), *(_text(cells[at - 1]) for at in columns))
        console.print(printed)
    return cut_names


def name_room(table: Table, width: int) -> int:
    """The width that is left for the first column, with all other columns beside each other."""
    return width - 1 - sum(each + 1 for each in _widths(table)[1:])


def _widths(table: Table, title: int | None = None) -> list[int]:
    """The widths of all columns; titles are folded at ``title``."""
    widths = []
    for column, *cells in zip(table.columns, *table.shown(), strict=True):
        lines = [line for cell in cells for line in _text(cell).plain.split("\n")]
        titles = [min(len(line), title or len(line)) for line in column.title.split("\n")]
        widths.append(max([*map(len, lines), *titles]))
    return widths


def _parts(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The columns, from 1, of each table; a table has at least one."""
    part: list[int] = []
    for at in range(1, len(widths)):
        if part and sum(widths[each] + 1 for each in (*part, at)) > room:
            yield part
            part = []
        part.append(at)
    yield part


def _text(shown: Shown) -> "Text":
    """The text of a cell, with its interval and its note in lines below."""
    text = plain_text(shown.text, "bold" if shown.cell.bold or shown.ends else "")
    if shown.ends:
        text.append(f"\n{shown.joined('..')}", "dim")
    if shown.cell.note:
        text.append(f"\n{shown.cell.note}", "red")
    return text
