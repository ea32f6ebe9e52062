"""The end of a round, with its points by their parts, and the end of the game."""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

from rich.text import Text

from mindup_play.terminal.lines import (
    BOLD,
    HEIGHT,
    QUIET,
    WIDTH,
    Lines,
    TerminalView,
    row,
    signed,
    stacked,
)
from mindup_play.terminal.table_screen import objective_lines

Plain = dict[str, Any]


def round_screen(table: Plain, view: TerminalView) -> Lines:
    """The tableaux of the round that has ended, and how each player's points came."""
    title = view.texts.get("play.round_over", round=len(table["round_scores"]))
    blocks = [
        [Text(title, BOLD)],
        _tableaux(table["round_columns"][-1], view),
        _parts(table, view),
        objective_lines(table["round_objectives"][-1], view),
    ]
    return stacked(blocks, HEIGHT - 1)


def _tableaux(round_columns: Plain, view: TerminalView) -> Lines:
    lines = []
    for player, columns in enumerate(round_columns["players"]):
        cards = [column["cards"] for column in columns]
        tableau = view.tableau(round_columns["score_cards"], cards)
        number = Text(str(player + 1), QUIET)
        lines.append(row([(number, 2), (view.name(player), 13), (tableau, tableau.cell_len)]))
    return lines


def _parts(table: Plain, view: TerminalView) -> Lines:
    heads = ["", "terminal.turn", "terminal.last_card", "terminal.columns", "scores.bonus"]
    heads += ["terminal.objectives", "scores.round", "scores.total"]
    widths = [15, 16, 7, -9, -7, -9, -8, -8]
    texts = (Text(view.texts.get(head) if head else "", QUIET) for head in heads)
    lines = [row(zip(texts, widths, strict=True))]
    for player, score in enumerate(table["round_scores"][-1]):
        play = _of_player(table["last_turn"]["plays"], player)
        cells = [
            Text.assemble((f"{player + 1} ", QUIET), view.name(player)),
            view.play(play["card"], play["prize"]),
            view.card(_of_player(table["last_turn"]["last_cards"], player)["card"]),
            Text(str(score["colour_points"])),
            Text(signed(score["bonus_points"])),
            Text(signed(score["objective_points"])),
            Text(str(score["total"]), BOLD),
            Text(str(table["players"][player]["score"]), BOLD),
        ]
        lines.append(row(zip(cells, widths, strict=True)))
    return lines


def _of_player(entries: Iterable[Plain], player: int) -> Plain:
    return next(entry for entry in entries if entry["player"] == player)


def end_screen(table: Plain, view: TerminalView) -> Lines:
    """Who won by how much, and the ranking with the points of each round."""
    result = [Text(line, BOLD) for line in wrap(_result(table, view), WIDTH)]
    margin = [Text(line) for line in wrap(_margin(table, view), WIDTH)]
    return stacked([[*result, *margin], _ranking(table, view)], HEIGHT - 1)


def _ranking(table: Plain, view: TerminalView) -> Lines:
    texts = view.texts
    rounds = [texts.get("scores.round_number", round=n + 1) for n in range(table["num_rounds"])]
    heads = ["", texts.get("scores.ranking"), *rounds, texts.get("scores.total")]
    widths = [4, 14, *[-10] * (len(rounds) + 1)]
    lines = [row(zip((Text(head, QUIET) for head in heads), widths, strict=True))]
    for entry in table["ranking"]:
        player = entry["player"]
        points = [each[player]["total"] for each in table["round_scores"]]
        cells = [Text(f"{entry['place']}."), view.name(player)]
        cells += [*(Text(str(each)) for each in points), Text(str(entry["total"]), BOLD)]
        lines.append(row(zip(cells, widths, strict=True)))
    return lines


def _result(table: Plain, view: TerminalView) -> str:
    texts, winners = view.texts, table["winners"]
    others = _listed([player for player in winners if player != view.seat], view)
    if view.seat not in winners:
        return texts.get("table.won", count=len(winners), names=others)
    return texts.get("play.share_victory", names=others) if others else texts.get("play.you_won")


def _margin(table: Plain, view: TerminalView) -> str:
    """How far the person is behind the winners, or ahead of the next; the page says the same."""
    texts, ranking = view.texts, table["ranking"]
    own = _of_player(ranking, view.seat)
    if own["place"] > 1:
        values = {
            "count": own["behind"],
            "place": own["place"],
            "players": len(ranking),
            "names": _listed(table["winners"], view),
        }
        return texts.get("end.behind" if own["behind"] else "end.tie_break_lost", **values)
    later = [entry for entry in ranking if entry["place"] > 1]
    if not later:
        return ""
    behind = later[0]["behind"]
    following = [entry["player"] for entry in later if entry["place"] == later[0]["place"]]
    key = "end.ahead" if behind else "end.tie_break_won"
    return texts.get(key, count=behind, names=_listed(following, view))


def _listed(players: Sequence[int], view: TerminalView) -> str:
    names = [view.names[player] for player in players]
    if len(names) < 2:
        return "".join(names)
    return view.texts.get("terminal.and", first=", ".join(names[:-1]), last=names[-1])
