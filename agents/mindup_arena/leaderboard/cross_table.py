"""The cross table as a heat map: a row for each bot, a column for each rival."""

import math

from mindup_arena.leaderboard.board import Board, Cell, View, interval_text, number_text
from mindup_arena.leaderboard.elements import Element, element

_SHADES = 6


def cross_table(board: Board, view: View) -> Element:
    """The table of a view; it scrolls sideways where the screen is narrow."""
    titles = [element("th", rival, scope="col") for rival in board.rivals]
    title = view.heading(board.cell_title)
    table = element(
        "table",
        element("thead", element("tr", element("td"), *titles)),
        element("tbody", *(_row(board, view, bot) for bot in view.ranking)),
        class_="cross",
        aria_label=title,
    )
    # A region with the focus scrolls by the arrow keys.
    region = element("div", table, class_="scroll", tabindex=0, role="region", aria_label=title)
    return element("div", element("h2", title), region, class_="panel")


def _row(board: Board, view: View, bot: int) -> Element:
    name = board.bots[bot].name
    cells = [
        _cell(board, name, rival, cell)
        for rival, cell in zip(board.rivals, view.cells[bot], strict=True)
    ]
    return element("tr", element("th", name, scope="row"), *cells)


def _cell(board: Board, name: str, rival: str, cell: Cell | None) -> Element:
    if cell is None:
        return element("td", "\N{EN DASH}", class_="empty", title=f"{name}: not against {rival}")
    value = number_text(cell.estimate.value, board.cell_format)
    interval = interval_text(cell.estimate, board.cell_format)
    return element(
        "td",
        value,
        class_=_shade(cell.heat),
        title=f"{name} against {rival}: {value}{f' ({interval})' if interval else ''}",
    )


def _shade(heat: float) -> str:
    """Classes of the style sheet."""
    shade = min(math.ceil(abs(heat) * _SHADES), _SHADES)
    return f"{'win' if heat > 0 else 'loss'} heat-{shade}"
