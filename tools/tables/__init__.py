"""The tables of the documents that come from the code or from docs/results: ``make docs``.

- ``declarations``: what the code declares
- ``results``, ``win_shares`` and ``baselines``: the reports in docs/results
- ``pages``: the pages that show them, and the files that are generated as a whole
"""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps

from mindup_env.report import markdown_table

Row = Sequence[object]

TABLES: dict[str, Callable[[], str]] = {}
"""Each is written below the line ``<!-- table: NAME -->`` of a page."""


def table(rows: Callable[[], Iterable[Row]]) -> Callable[[], str]:
    """Declares the table that has the name of the function, from its rows; the first is the head.

    An empty cell is None.
    """

    @wraps(rows)
    def text() -> str:
        head, *body = (["" if cell is None else str(cell) for cell in row] for row in rows())
        return markdown_table(head, body)

    TABLES[rows.__name__] = text
    return text


def code(names: Iterable[object]) -> list[str]:
    return [f"`{name}`" for name in names]
