"""The table before a turn, with the results of the turn before; and the help on its signs."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any, NamedTuple

from rich.text import Text

from mindup_env.cards import COLOURS
from mindup_play.terminal.lines import (
    BOLD,
    HEIGHT,
    NAME_WIDTH,
    QUIET,
    WIDTH,
    Lines,
    TerminalView,
    row,
    signed,
    stacked,
)

_PLAY_WIDTH = 15
_LABEL_WIDTH = 10

Plain = dict[str, Any]


class HandCard(NamedTuple):
    """A card of the hand, with the key that plays it."""

    key: str
    number: int
    value: str = ""  # of the hint bot
    hinted: bool = False


def table_screen(
    table: Plain, view: TerminalView, hand: Sequence[HandCard], hint: str = ""
) -> Lines:
    """The lines of the table; there is a line left for the question below."""
    blocks = [
        [_headline(table, view)],
        objective_lines(table["objectives"], view),
        _prizes(table, view),
        [line for player in range(len(view.names)) for line in _player(table, view, player)],
        [*_hand(hand, view), *([row([(Text(hint), WIDTH)])] if hint else [])],
    ]
    return stacked(blocks, HEIGHT - 1)


def objective_lines(objectives: Sequence[Plain], view: TerminalView) -> Lines:
    """Points, condition, and the numbers of the players who meet it."""
    lines = []
    for objective in objectives:
        met = " ".join(str(player + 1) for player in objective["met_by"])
        condition = view.texts.get(f"objective.{objective['id']}")
        lines.append(
            Text.assemble(
                (signed(objective["points"]), BOLD),
                f" {condition}  ",
                (f"({met or view.texts.get('table.no_player')})", QUIET),
            )
        )
    return lines


def _headline(table: Plain, view: TerminalView) -> Text:
    values = {
        "round": table["round"],
        "rounds": table["num_rounds"],
        "turn": table["turn"],
        "turns": table["num_turns"],
    }
    title = Text.assemble(("Mind Up!", BOLD), f"  {view.texts.get('table.progress', **values)}")
    keys = Text(view.texts.get("terminal.help"), QUIET)
    return row([(title, WIDTH - len(keys)), (keys, len(keys))])


def _prizes(table: Plain, view: TerminalView) -> Lines:
    """The prizes, the lowest first, above the players who played them."""
    label, width = view.texts.get("terminal.prizes"), (WIDTH - _LABEL_WIDTH) // len(view.names)
    cards, origins = [(Text(label, BOLD), _LABEL_WIDTH)], [(Text(), _LABEL_WIDTH)]
    for prize in table["row"]:
        player = prize["played_by"]
        origin = (
            Text(view.texts.get("table.from_deck"), QUIET)
            if player is None
            else view.name(player, min(NAME_WIDTH, width - 1))
        )
        cards.append((view.card(prize["prize"]), width))
        origins.append((origin, width))
    return [row(cards), row(origins)]


def _player(table: Plain, view: TerminalView, player: int) -> Lines:
    """Points and tableau; below, the last turn and what the others know of the hand."""
    seen, turn = table["players"][player], table["last_turn"]
    points = f"({signed(seen['round_score']['total'])})"
    tableau = view.tableau(table["score_cards"], seen["tableau"])
    top = [
        (Text(f"{player + 1}", QUIET), 2),
        (view.name(player), 13),
        (Text(str(seen["total"]), BOLD), -4),
        (Text(points), -6),
        (Text(), 2),
        (tableau, tableau.cell_len),
    ]
    plays = [] if turn is None else [play for play in turn["plays"] if play["player"] == player]
    result = view.play(plays[0]["card"], plays[0]["prize"]) if plays else Text()
    hand = Text.assemble((f"{view.texts.get('terminal.hand')}  ", QUIET), view.cards(seen["known"]))
    if seen["hidden"]:
        hand.append(f"{' ' if seen['known'] else ''}{view.signs.hidden}{len(seen['hidden'])}")
    return [row(top), row([(Text(), 2), (result, _PLAY_WIDTH), (hand, hand.cell_len)])]


def _hand(hand: Sequence[HandCard], view: TerminalView) -> Lines:
    """The cards behind their keys; below, their values if a bot gives hints."""
    cards, values = [], []
    for each in hand:
        key = Text(each.key, BOLD if not each.hinted else "bold reverse")
        text = Text.assemble(key, " ", view.card(each.number))
        width = text.cell_len + 2
        cards.append((text, width))
        values.append((Text(f"  {each.value}", QUIET), width))
    lines = [row(cards)]
    if any(each.value for each in hand):
        lines.append(row(values))
    return lines


_RULES = "terminal.help_bids", "terminal.help_columns", "terminal.help_rounds"
_SIGNS = "terminal.help_marks", "terminal.help_hands", "terminal.help_objectives"


def help_screen(view: TerminalView) -> Lines:
    texts = view.texts
    hidden = f"{view.signs.hidden}2"
    shapes = "   ".join(
        f"{view.signs.shapes[colour]} {texts.get(f'colour.{colour}')}" for colour in COLOURS
    )
    paragraphs = [
        *([texts.get(key)] for key in _RULES),
        [shapes, *(texts.get(key, hidden=hidden) for key in _SIGNS)],
        [texts.get("terminal.help_answers")],
    ]
    return stacked(
        (
            [Text(line) for text in paragraph for line in wrap(text, WIDTH - 1)]
            for paragraph in paragraphs
        ),
        HEIGHT - 1,
    )
