"""Tables on the terminal. They fit in its width: 80 columns are enough for the project's own."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mindup_env.report.table import Shown, Table

if TYPE_CHECKING:  # rich is an extra
    from rich.console import Console
    from rich.table import Table as RichTable
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
    console = open_console(console)
    if table.title:
        console.print(plain_text(table.title, "italic"))
    shown = table.shown()
    least = _SHORT_NAMES if cut else _NAMES
    least = min(least, max([len(row[0].text) for row in shown], default=0))
    widths = _widths(table, shown)
    if name_room(table, console.width) < least:
        widths = _widths(table, shown, _TITLE)
    cut_names: set[str] = set()
    for columns in _parts(widths, console.width - least - 1):
        room = max(console.width - 1 - sum(widths[at] + 1 for at in columns), least)
        rows = [[row[0], *(row[at] for at in columns)] for row in shown]
        if cut:
            cut_names |= {row[0].text for row in rows if len(row[0].text) > room}
            rows = [[_cut(row[0], room), *row[1:]] for row in rows]
        titles = [table.columns[at].title for at in (0, *columns)]
        console.print(_rich_table(titles, rows, [room, *(widths[at] for at in columns)]))
    return cut_names


def _rich_table(
    titles: Sequence[str], rows: Sequence[Sequence[Shown]], widths: Sequence[int]
) -> "RichTable":
    """A table whose first column has at most its width, and all others have at least theirs."""
    from rich.table import Table as RichTable  # noqa: PLC0415

    table = RichTable(box=None, padding=(0, 1, 0, 0))
    are_names = not rows or isinstance(rows[0][0].cell.value, str)
    for at, (title, width) in enumerate(zip(titles, widths, strict=True)):
        table.add_column(
            plain_text(title),
            justify="right" if at or not are_names else "left",
            overflow="fold",
            min_width=width if at else None,
            max_width=None if at else width,
        )
    for row in rows:
        table.add_row(*map(_text, row))
    return table


def _cut(name: Shown, room: int) -> Shown:
    return name if len(name.text) <= room else name._replace(text=f"{name.text[: room - 2]}..")


def name_room(table: Table, width: int) -> int:
    """The width that is left for the first column, with all other columns beside each other."""
    return width - 1 - sum(each + 1 for each in _widths(table, table.shown())[1:])


def _widths(table: Table, shown: Sequence[Sequence[Shown]], title: int | None = None) -> list[int]:
    """The widths of all columns; titles are folded at ``title``."""
    widths = []
    for column, *cells in zip(table.columns, *shown, strict=True):
        lines = [line for cell in cells for line in _text(cell).plain.split("\n")]
        titles = [len(line) for line in column.title.split("\n")]
        found = [len(line) for line in lines]
        widths.append(max([*found, *(min(each, title or each) for each in titles)]))
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
