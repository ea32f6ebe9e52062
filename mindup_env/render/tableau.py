"""A tableau: five columns under their score cards."""

from mindup_env.game import Game
from mindup_env.render.canvas import Canvas
from mindup_env.render.cards import draw_column_card, draw_score_card
from mindup_env.render.palette import LINE, SLOT
from mindup_env.render.pygame_extra import FRect

_SCORE_CARD = 24
_GAP = 6
_COMFORTABLE = 5  # cards of a column, with room to spare
_WIDEST = 52


def draw_tableau(canvas: Canvas, game: Game, player: int, area: FRect) -> None:
    tableau = game.tableau(player)
    width = (area.width - _GAP * (len(tableau) - 1)) / len(tableau)
    height, strip = _card_height(game, area.height - _SCORE_CARD - _GAP)
    taken = _last_prizes(game)
    for place, (value, column) in enumerate(zip(game.score_cards, tableau, strict=True)):
        left = area.left + place * (width + _GAP)
        draw_score_card(canvas, FRect(left, area.top, width, _SCORE_CARD), value)
        top = area.top + _SCORE_CARD + _GAP
        if not column:
            empty = FRect(left, top, width, height)
            canvas.box(empty, SLOT, radius=6, edge=LINE, edge_width=1)
        for depth, number in enumerate(column):
            card = FRect(left, top + depth * strip, width, height)
            draw_column_card(canvas, card, strip, game.config.deck[number], new=number in taken)


def _card_height(game: Game, room: float) -> tuple[float, float]:
    """How tall a card is, and how much of it the next one leaves to be seen.

    The same in all tableaux, so that the longer of two columns holds more cards.
    """
    players = range(game.config.num_players)
    longest = max(len(column) for player in players for column in game.tableau(player))
    widest = min(room / _COMFORTABLE, _WIDEST)
    strip = min(room / (longest + 1), widest)
    return min(2 * strip, 1.7 * widest), strip


def _last_prizes(game: Game) -> tuple[int, ...]:
    """The prizes that were taken in the last turn."""
    if len(game.plays) > 1:
        return game.plays[-2]
    if not game.plays:
        return ()
    dealt = game.config.num_players * game.config.hand_size
    return game.deal.deck[dealt : dealt + game.config.num_players]
