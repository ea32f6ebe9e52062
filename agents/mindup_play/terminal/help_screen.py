"""The rules and the signs on one screen."""

from textwrap import wrap

from rich.text import Text

from mindup_env.cards import COLOURS
from mindup_play.terminal.lines import HEIGHT, WIDTH, Lines, TerminalView, stacked

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
