"""The ranking: a row for each bot, with its score as a bar and its interval as a whisker."""

from mindup_arena.estimate import Estimate
from mindup_arena.leaderboard.board import Board, View, interval_text, number_text, speed_text
from mindup_arena.leaderboard.elements import Element, element, percent
from mindup_arena.leaderboard.scale import Scale, ends_of, scale_of


def ranking(board: Board, view: View) -> Element:
    """The table of a view, the best bot first."""
    scale = scale_of(view.scores)
    measure, meaning = board.measure
    head = element(
        "tr",
        element("th", "#", scope="col", title="rank"),
        element("th", "bot", scope="col", class_="name"),
        element("th", _axis(scale, board.score_format), class_="chart", aria_hidden="true"),
        element("th", measure, scope="col", title=meaning),
        element("th", "decisions/s", scope="col", class_="speed"),
    )
    rows = [_row(board, view, scale, rank, bot) for rank, bot in enumerate(view.ranking, start=1)]
    title = view.heading("Ranking")
    table = element(
        "table",
        element("thead", head),
        element("tbody", *rows),
        class_="ranking",
        aria_label=title,
    )
    return element("div", element("h2", title), table, class_="panel")


def _row(board: Board, view: View, scale: Scale, rank: int, number: int) -> Element:
    bot, score = board.bots[number], view.scores[number]
    interval = interval_text(score, board.score_format)
    name = element("th", bot.name, scope="row", class_="name")
    if bot.games_forfeited:
        name.append(element("small", f"{bot.games_forfeited:,} games forfeited", class_="fault"))
    value = element(
        "td", element("b", number_text(score.value, board.score_format)), class_="score"
    )
    if interval:
        value.append(element("small", interval))
    return element(
        "tr",
        element("td", str(rank), class_="rank"),
        name,
        element("td", _bar(score, scale), class_="chart"),
        value,
        element("td", speed_text(bot.speed), class_="speed"),
    )


def _bar(score: Estimate, scale: Scale) -> Element:
    """The bar begins at 0. The numbers stand beside it, so a screen reader skips it."""
    zero, value = scale.share(0), scale.share(score.value)
    low, high = (scale.share(end) for end in ends_of(score))
    bar = element(
        "rect",
        class_="gain" if value >= zero else "deficit",
        x=percent(min(zero, value)),
        width=percent(abs(value - zero)),
        y=5,
        height=16,
        rx=2,
    )
    lines = [(zero, zero, 0, 26, "zero")]
    if low != high:
        lines += [(low, high, 13, 13, "whisker")]
        lines += [(end, end, 9, 17, "whisker") for end in (low, high)]
    return element("svg", bar, *(_line(*each) for each in lines), height=26, aria_hidden="true")


def _axis(scale: Scale, number_format: str) -> Element:
    texts = [
        element(
            "text",
            number_text(tick, number_format).split(".")[0],
            x=percent(scale.share(tick)),
            y=12,
        )
        for tick in scale.ticks(4)
    ]
    return element("svg", *texts, height=16, class_="axis")


def _line(left: float, right: float, top: int, bottom: int, kind: str) -> Element:
    return element("line", class_=kind, x1=percent(left), x2=percent(right), y1=top, y2=bottom)
