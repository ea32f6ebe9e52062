"""What the page says about each bot below the charts."""

from mindup_arena.leaderboard.board import Board, BoardBot
from mindup_arena.leaderboard.elements import Element, element


def bot_details(board: Board, links: dict[int, list[tuple[str, str]]]) -> Element:
    """A part to unfold for each bot; ``links`` has titles and addresses of games by bot."""
    parts = [_details(board.bots[bot], links.get(bot, [])) for bot in board.views[0].ranking]
    return element("div", *parts, class_="bots")


def _details(bot: BoardBot, links: list[tuple[str, str]]) -> Element:
    details = element("details", element("summary", bot.name))
    facts = list(bot.facts)
    if bot.games_forfeited:
        facts.append(("games forfeited", f"{bot.games_forfeited:,}"))
    if facts:
        pairs = [element("div", element("dt", title), element("dd", text)) for title, text in facts]
        details.append(element("dl", *pairs))
    if links:
        items = [element("li", element("a", title, href=address)) for title, address in links]
        details.append(element("p", "Recorded games"))
        details.append(element("ul", *items))
    return details
