"""The project's leaderboard: a page beside that of the benchmark, which links to it."""

from pathlib import Path

from mindup_arena.leaderboard.board import read_board
from mindup_arena.leaderboard.page import write_board
from tools.tables.benchmark import results

PLACE = "<!-- page: leaderboard -->"
"""A comment in the repository, where the page is not, and a link in the site."""
_BOARD = "leaderboard/board.html"


def add_leaderboard(page: Path) -> None:
    """Writes the leaderboard, and leads the gathered ``page`` to it."""
    board = page.parent / _BOARD
    board.parent.mkdir(exist_ok=True)
    write_board(board, read_board(results()))
    text = page.read_text(encoding="utf-8")
    if text.count(PLACE) != 1:
        raise ValueError(f"{page.name} must have the line {PLACE} once")
    link = f"[The leaderboard]({_BOARD}), with cross tables, costs and recorded games."
    page.write_text(text.replace(PLACE, link), encoding="utf-8")
