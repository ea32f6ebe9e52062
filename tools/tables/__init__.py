"""The tables of the documents that come from the code: ``make docs``.

- ``declarations``: what the code declares
- ``pages``: the pages that have the tables, and the files that are generated as a whole
"""

from collections.abc import Callable, Iterable, Sequence

from mindup_env.report import markdown_table

Row = Sequence[object]
Rows = Callable[[], Iterable[Row]]

TABLES: dict[str, Callable[[], str]] = {}
"""Each is written below the line ``<!-- table: NAME -->`` of a page."""


def table(rows: Rows, name: str = "") -> Callable[[], str]:
    """Declares a table by its rows, with the name of the function that gives them.

    The first row is the head. An empty cell is None.
    """

    def text() -> str:
        head, *body = (["" if cell is None else str(cell) for cell in row] for row in rows())
        return markdown_table(head, body)

    TABLES[name or rows.__name__] = text
    return text


def code(names: Iterable[object]) -> list[str]:
    return [f"`{name}`" for name in names]
