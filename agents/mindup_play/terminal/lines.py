"""Cards, names and rows of cells as text with styles."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.color import Color
from rich.style import Style
from rich.text import Text

from mindup_env.cards import COLOURS, Deck
from mindup_env.game.table import marked
from mindup_env.render.palette import CARD, INK
from mindup_play.languages import Texts

WIDTH, HEIGHT = 80, 24
NAME_WIDTH = 12
BOLD, QUIET = Style(bold=True), Style(dim=True)

_SHAPES = "\u25cf\u2665\u25c6\u25b2\u2605"
"""Of the colours, in their order."""

Lines = list[Text]


class Signs(NamedTuple):
    """The signs beside the texts: shapes of the colours as on the page, or letters."""

    shapes: dict[str, str]
    arrow: str
    hidden: str
    empty: str
    ellipsis: str

    @classmethod
    def for_encoding(cls, encoding: str) -> "Signs":
        """ASCII if the encoding of the terminal lacks the shapes."""
        try:
            f"{_SHAPES}\u2192\u00d7\u00b7\u2026".encode(encoding)
        except UnicodeEncodeError:
            return cls(dict(zip(COLOURS, "opbgv", strict=True)), ">", "?x", ".", "~")
        shapes = dict(zip(COLOURS, _SHAPES, strict=True))
        return cls(shapes, "\u2192", "?\u00d7", "\u00b7", "\u2026")


class TerminalView(NamedTuple):
    """How tables are drawn: for whom, and in which language."""

    texts: Texts
    signs: Signs
    deck: Deck
    names: Sequence[str]
    seat: int

    def name(self, player: int, width: int = NAME_WIDTH) -> Text:
        """A name with at most so many letters; the number at its end stays."""
        name = self.names[player]
        if len(name) > width:
            name = f"{name[: width - 4]}{self.signs.ellipsis}{name[-3:]}"
        return Text(name, BOLD if player == self.seat else "")

    def card(self, number: int) -> Text:
        return self.column([number])

    def cards(self, numbers: Iterable[int]) -> Text:
        return Text(" ").join(self.card(number) for number in numbers)

    def column(self, numbers: Sequence[int]) -> Text:
        """Cards of one colour behind its shape."""
        colour = self.deck[numbers[0]].colour
        cards = " ".join(marked(self.deck, number) for number in numbers)
        # The style is that of the letters alone, not of what a row adds behind them.
        style = Style(color=Color.from_rgb(*INK), bgcolor=Color.from_rgb(*CARD[colour]))
        return Text.assemble((f"{self.signs.shapes[colour]}{cards}", style))

    def play(self, card: int, prize: int) -> Text:
        """A card, and the prize that it took."""
        return Text.assemble(self.card(card), f" {self.signs.arrow} ", self.card(prize))

    def tableau(self, score_cards: Sequence[int], tableau: Sequence[Sequence[int]]) -> Text:
        """Each column behind the value of its score card; a dot for an empty one."""
        return Text("  ").join(
            Text.assemble(str(value), self.column(cards) if cards else (self.signs.empty, QUIET))
            for value, cards in zip(score_cards, tableau, strict=True)
        )


Content = str | tuple[str, Style] | Text


def row(*cells: tuple[Content, int]) -> Text:
    """Cells of these widths; a negative width aligns to the right."""
    line = Text()
    for content, width in cells:
        cell = Text.assemble(content)
        cell.align("right" if width < 0 else "left", abs(width))
        line.append_text(cell)
    line.rstrip()
    return line


def rows(widths: Sequence[int], *lines: Iterable[Content]) -> Lines:
    """Lines of cells, whose columns have these widths."""
    return [row(*zip(line, widths, strict=True)) for line in lines]


def signed(points: int) -> str:
    return f"{points:+d}" if points else "0"


def stacked(blocks: Iterable[Lines], height: int) -> Lines:
    """The lines of all blocks, with empty lines between blocks as long as there is room."""
    filled = [block for block in blocks if block]
    room = height - sum(map(len, filled))
    lines: Lines = []
    for index, block in enumerate(filled):
        if 0 < index <= room:
            lines.append(Text())
        lines += block
    return lines
