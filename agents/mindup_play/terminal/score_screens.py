"""The end of a round, with its points by their parts, and the end of the game."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from mindup_play.terminal.lines import (
    BOLD,
    HEIGHT,
    QUIET,
    Lines,
    TerminalView,
    row,
    signed,
    stacked,
)
from mindup_play.terminal.table_screen import objective_lines

Plain = dict[str, Any]


def round_screen(before: Plain, after: Plain, view: TerminalView) -> Lines:
    """The scored tableaux, and how each player's points came; ``before`` is the last turn."""
    round_ = len(after["round_scores"])
    tableaux = after["last_turn"]["scored_tableaux"]
    shown = [
        row(
            [
                (Text(str(player + 1), QUIET), 2),
                (view.name(player), 13),
                (columns := view.tableau(before["score_cards"], tableau), columns.cell_len),
            ]
        )
        for player, tableau in enumerate(tableaux)
    ]
    blocks = [
        [Text(view.texts.get("play.round_over", round=round_), BOLD)],
        shown,
        _parts(before, after, view),
        objective_lines(after["round_objectives"][-1], view),
    ]
    return stacked(blocks, HEIGHT - 1)


def _parts(before: Plain, after: Plain, view: TerminalView) -> Lines:
    texts, turn = view.texts, after["last_turn"]
    heads = ["", "terminal.turn", "terminal.last_card", "scores.columns", "scores.bonus"]
    heads += ["terminal.objectives", "scores.round", "scores.total"]
    widths = [15, 16, 7, -9, -7, -9, -8, -8]
    lines = [
        row(
            (Text(texts.get(head) if head else "", QUIET), width)
            for head, width in zip(heads, widths, strict=True)
        )
    ]
    for player, score in enumerate(after["round_scores"][-1]):
        (play,) = (play for play in turn["plays"] if play["player"] == player)
        cells = [
            Text.assemble((f"{player + 1} ", QUIET), view.name(player)),
            view.play(play["card"], play["prize"]),
            view.card(_last_card(before, turn, player, play["prize"])),
            Text(str(score["colour_points"])),
            Text(signed(score["bonus_points"])),
            Text(signed(score["objective_points"])),
            Text(str(score["total"]), BOLD),
            Text(str(after["players"][player]["score"]), BOLD),
        ]
        lines.append(row(zip(cells, widths, strict=True)))
    return lines


def _last_card(before: Plain, turn: Plain, player: int, prize: int) -> int:
    """The card of the hand that joined the tableau at the end of the round."""
    earlier = {card for column in before["players"][player]["tableau"] for card in column}
    scored = {card for column in turn["scored_tableaux"][player] for card in column}
    (last,) = scored - earlier - {prize}
    return last


def end_screen(table: Plain, view: TerminalView) -> Lines:
    """Who won, and the ranking with the points of each round."""
    texts, players = view.texts, range(len(view.names))
    ranks = [_rank(table, player) for player in players]
    rounds = [texts.get("scores.round_number", round=n + 1) for n in range(table["num_rounds"])]
    heads = ["", texts.get("terminal.ranking"), *rounds, texts.get("scores.total")]
    widths = [4, 13, *[-10] * (len(rounds) + 1)]
    lines = [row(zip((Text(head, QUIET) for head in heads), widths, strict=True))]
    for player in sorted(players, key=lambda player: ranks[player], reverse=True):
        points = [each[player]["total"] for each in table["round_scores"]]
        place = 1 + sum(rank > ranks[player] for rank in ranks)
        cells = [Text(f"{place}."), view.name(player), *(Text(str(each)) for each in points)]
        cells.append(Text(str(table["players"][player]["score"]), BOLD))
        lines.append(row(zip(cells, widths, strict=True)))
    return stacked([[Text(_result(table, view), BOLD)], lines], HEIGHT - 1)


def _rank(table: Plain, player: int) -> tuple[bool, int]:
    """A winner after a tie-break stands before the others with the same points."""
    return player in table["winners"], table["players"][player]["score"]


def _result(table: Plain, view: TerminalView) -> str:
    texts, winners = view.texts, table["winners"]
    others = [view.names[player] for player in winners if player != view.seat]
    if view.seat not in winners:
        return texts.get("table.won", count=len(others), names=_listed(others, view))
    if others:
        return texts.get("play.share_victory", names=_listed(others, view))
    return texts.get("play.you_won")


def _listed(names: Sequence[str], view: TerminalView) -> str:
    *earlier, last = names
    if not earlier:
        return last
    return view.texts.get("terminal.and", first=", ".join(earlier), last=last)
