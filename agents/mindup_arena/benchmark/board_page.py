"""Write a web page that ranks results of the benchmark.

Example: mindup benchmark board mybot.json --html board.html
"""

import argparse
import math
from dataclasses import replace
from pathlib import Path

from mindup_arena.benchmark.board import Board, View, arena_board, read_board
from mindup_arena.benchmark.charts import axis_ticks, bar, cost_chart, scale_of
from mindup_arena.report import Report
from mindup_arena.report_files import SPEED
from mindup_env.report import Cell, Column, Table, Value
from mindup_env.report.html import macros, page
from mindup_env.runs.files import check_writable, write_text
from mindup_env.settings.extras import require
from mindup_play.pages import read_web_file

_FOLDER = Path(__file__).parent
_SHADES = 6


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "results",
        nargs="+",
        type=Path,
        metavar="RESULT",
        help="a file of mindup benchmark run --json",
    )
    add(
        "--html",
        type=Path,
        metavar="FILE",
        required=True,
        help="the page to write",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("the leaderboard", "arena", "jinja2", "scipy")
    check_writable(arguments.html, arguments.html.parent)
    board = read_board(arguments.results)
    write_board(arguments.html, board)
    print(f"{arguments.html} shows {', '.join(bot.name for bot in board.bots)}")
    return 0


def write_html(path: Path, report: Report) -> None:
    """Writes the report as a web page that needs no network.

    Args:
        path: The file to write.
        report: The report of an arena.
    """
    write_board(path, arena_board(report))


def write_board(path: Path, board: Board) -> None:
    """Writes the page."""
    write_text(path, board_page(board))


def board_page(board: Board) -> str:
    """The text of the page."""
    own = (_FOLDER / "board.css").read_text(encoding="utf-8")
    return page(
        _FOLDER / "board.html",
        f"{read_web_file('shared/base.css')}\n{own}",
        board=board,
        views=[
            (view.title, _ranking(board, view), _cross_table(board, view)) for view in board.views
        ],
        chart=cost_chart(board),
        bots=[board.bots[bot] for bot in board.views[0].ranking],
    )


def _ranking(board: Board, view: View) -> Table:
    """The best bot first; its score is also a bar with a whisker."""
    draw, scale = macros(_FOLDER / "charts.html"), scale_of(view.scores)
    rows: list[list[Value | Cell]] = []
    for rank, number in enumerate(view.ranking, start=1):
        bot, score = board.bots[number], view.scores[number]
        lost = f"{bot.games_forfeited:,} games forfeited" if bot.games_forfeited else ""
        picture = draw.bar(bar(score, scale))
        rows.append([rank, Cell(bot.name, note=lost), picture, score, bot.speed])
    return Table(
        view.heading("Ranking"),
        [
            Column("rank", "#", hint="rank", css="rank"),
            Column("bot", "bot", css="name"),
            Column("", draw.axis(axis_ticks(scale, board.score)), css="chart"),
            board.score,
            replace(SPEED, title="decisions/s", css="speed"),
        ],
        rows,
    )


def _cross_table(board: Board, view: View) -> Table:
    """A heat map: a row for each bot, a column for each rival."""
    column, (least, equal, most) = board.against, view.bounds
    rows: list[list[Value | Cell]] = []
    for bot in view.ranking:
        name = board.bots[bot].name
        rows.append([name])
        for rival, found in zip(board.rivals, view.duels[bot], strict=True):
            if found is None:
                rows[-1].append(Cell(None, hint=f"{name}: not against {rival}", css="empty"))
                continue
            wins = found.value > equal
            heat = abs(found.value - equal) / (most - equal if wins else equal - least)
            css = f"{'win' if wins else 'loss'} heat-{min(math.ceil(heat * _SHADES), _SHADES)}"
            hint = f"{name} against {rival}: {column.with_interval(found)}"
            rows[-1].append(Cell(found.value, hint=hint, css=css))
    rivals = [replace(column, key=rival, title=rival) for rival in board.rivals]
    return Table(view.heading(column.heading), [Column("bot"), *rivals], rows)
