"""Tables in Markdown."""

from collections.abc import Iterable


def table(titles: list[str], rows: Iterable[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
