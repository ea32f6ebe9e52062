"""The page of a board: one file that loads nothing, and beside it a page for each recorded game."""

from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from mindup_arena.leaderboard.board import Board, View
from mindup_arena.leaderboard.bot_details import bot_details
from mindup_arena.leaderboard.cost_chart import cost_chart
from mindup_arena.leaderboard.cross_table import cross_table
from mindup_arena.leaderboard.elements import Element, element, to_html
from mindup_arena.leaderboard.ranking import ranking
from mindup_env.runs.files import write_text
from mindup_play.pages import content_policy, read_web_file

_GAME = "bot-{}-game-{}.html"

Links = dict[int, list[tuple[str, str]]]
"""Titles and addresses of recorded games, by bot."""


def write_board(path: Path, board: Board) -> None:
    """Writes the page; the recorded games are in a folder beside it, which its links name."""
    folder = path.with_name(f"{path.stem}-games")
    links: Links = {}
    for number, bot in enumerate(board.bots):
        for index, game in enumerate(bot.games, start=1):
            folder.mkdir(exist_ok=True)
            file = folder / _GAME.format(number + 1, index)
            write_text(file, game.page)
            links.setdefault(number, []).append((game.title, f"{folder.name}/{file.name}"))
    current = {address for pairs in links.values() for _, address in pairs}
    for file in folder.glob(_GAME.format("*", "*")):
        if f"{folder.name}/{file.name}" not in current:
            file.unlink()  # of an earlier board with more games
    write_text(path, board_page(board, links))


def board_page(board: Board, links: Links) -> str:
    """The text of the page."""
    style = "\n".join([read_web_file("shared/base.css"), _read("leaderboard.css")])
    measure, meaning = board.measure
    return Template(_read("leaderboard.html")).substitute(
        policy=content_policy(style),
        style=style,
        title=escape(board.title),
        note=escape(board.note),
        meaning=escape(f"{measure.capitalize()}: {meaning}."),
        tabs=to_html(_tabs(board)) if len(board.views) > 1 else "",
        views=to_html(*(_view(board, number, view) for number, view in enumerate(board.views))),
        cost=to_html(*_cost(board)),
        bots=to_html(bot_details(board, links)),
    )


def _read(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _tabs(board: Board) -> Element:
    """Buttons of which one is pressed; the style sheet shows its view."""
    tabs = [
        element(
            "label",
            element(
                "input",
                type="radio",
                name="view",
                id=f"tab-{number}",
                checked=None if number else "checked",
            ),
            view.title,
        )
        for number, view in enumerate(board.views)
    ]
    legend = element("legend", "Games", class_="visually-hidden")
    return element("fieldset", legend, *tabs, class_="tabs")


def _view(board: Board, number: int, view: View) -> Element:
    return element(
        "section",
        ranking(board, view),
        cross_table(board, view),
        class_=f"view view-{number}",
        aria_label=view.title,
    )


def _cost(board: Board) -> list[Element]:
    chart = cost_chart(board)
    if chart is None:
        return []
    heading = element("h2", "Strength against cost")
    return [element("section", heading, chart, class_="panel")]
