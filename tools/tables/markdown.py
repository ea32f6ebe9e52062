"""Tables in Markdown."""

from collections.abc import Iterable


def table(titles: list[str], rows: Iterable[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(map(row, lines))


def row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
