"""One player: the name, the scores, the tableau under its score cards, and the hand."""

from collections.abc import Iterator

from mindup_env.game import Game
from mindup_env.render.canvas import Canvas
from mindup_env.render.cards import (
    draw_back,
    draw_column_card,
    draw_hand_card,
    draw_score_card,
    score_text,
)
from mindup_env.render.palette import GOLD, INK, LINE, QUIET, SEAT, SLOT, TEXT, Colour
from mindup_env.render.pygame_extra import FRect

# Lengths in the picture of 1280 x 800.
_PADDING = 12
_NAME_HEIGHT, _SCORE_CARD_HEIGHT = 36, 24
_TALL_SEAT = 400  # from this height on, the hand is taller
_COLUMN_GAP, _HAND_GAP, _ROUND_GAP = 6, 4, 6
_WIDEST_STRIP = 52  # what the next card of a column leaves visible
_LEAST_STRIPS = 5  # a strip is at most a fifth of the column
_ROUND_WIDTH = 72  # at least, of a finished round


def draw_seat(canvas: Canvas, game: Game, player: int, viewer: int | None, area: FRect) -> None:
    """A player's name, scores, tableau and hand; after the end, round scores instead of a hand."""
    won = player in game.winners
    canvas.box(area, SEAT, radius=12, edge=GOLD if won else LINE, edge_width=3 if won else 1)
    inside = area.inflate(-2 * _PADDING, 0)
    _draw_name(canvas, game, player, viewer, FRect(inside.topleft, (inside.width, _NAME_HEIGHT)))
    below = 66 if area.height > _TALL_SEAT else 50
    hand = FRect(inside.left, area.bottom - _PADDING + 2 - below, inside.width, below)
    height = hand.top - 10 - inside.top - _NAME_HEIGHT
    tableau = FRect(inside.left, inside.top + _NAME_HEIGHT, inside.width, height)
    _draw_tableau(canvas, game, player, tableau)
    if game.over:
        _draw_finished_rounds(canvas, game, player, hand)
    else:
        _draw_hand(canvas, game, player, viewer, hand)


def _draw_name(canvas: Canvas, game: Game, player: int, viewer: int | None, area: FRect) -> None:
    middle = area.centery
    width = canvas.text(f"player {player}", (area.left, middle), 18, TEXT)
    beside = (area.left + width + 10, middle)
    if player in game.winners:
        _draw_tag(canvas, "won", beside, GOLD)
    elif player == viewer and not game.over:
        _draw_tag(canvas, "viewer", beside, QUIET)
    right = _draw_score(
        canvas, "total" if game.over else "finished", game.scores[player], area.right, middle
    )
    running = game.round_scores[-1][player].total if game.over else game.running_scores[player]
    _draw_score(canvas, "last round" if game.over else "this round", running, right - 18, middle)


def _draw_score(canvas: Canvas, label: str, score: int, right: float, middle: float) -> float:
    """Draws a label and its score, which ends at ``right``; returns the left end of the label."""
    width = canvas.text(score_text(score), (right, middle), 20, TEXT, align=1)
    right -= width + 6
    return right - canvas.text(label, (right, middle), 14, QUIET, align=1)


def _draw_tag(canvas: Canvas, word: str, at: tuple[float, float], fill: Colour) -> None:
    width = canvas.text_width(word, 13) + 14
    canvas.box(FRect(at[0], at[1] - 9, width, 18), fill, radius=9)
    canvas.text(word, (at[0] + width / 2, at[1]), 13, INK, align=0.5)


def _draw_tableau(canvas: Canvas, game: Game, player: int, area: FRect) -> None:
    tableau = game.tableau(player)
    width = (area.width - _COLUMN_GAP * (len(tableau) - 1)) / len(tableau)
    height, strip = _card_height(game, area.height - _SCORE_CARD_HEIGHT - _COLUMN_GAP)
    taken = _last_prizes(game)
    for place, (value, column) in enumerate(zip(game.score_cards, tableau, strict=True)):
        left = area.left + place * (width + _COLUMN_GAP)
        draw_score_card(canvas, FRect(left, area.top, width, _SCORE_CARD_HEIGHT), value)
        top = area.top + _SCORE_CARD_HEIGHT + _COLUMN_GAP
        if not column:
            empty = FRect(left, top, width, height)
            canvas.box(empty, SLOT, radius=6, edge=LINE, edge_width=1)
        for depth, number in enumerate(column):
            card = FRect(left, top + depth * strip, width, height)
            draw_column_card(canvas, card, strip, game.config.deck[number], new=number in taken)


def _card_height(game: Game, column_height: float) -> tuple[float, float]:
    """The height of a card, and of the strip of it that the next card leaves visible.

    Both are the same in all tableaux, so that a longer column has more cards.
    """
    players = range(game.config.num_players)
    longest = max(len(column) for player in players for column in game.tableau(player))
    widest = min(column_height / _LEAST_STRIPS, _WIDEST_STRIP)
    strip = min(column_height / (longest + 1), widest)
    return min(2 * strip, 1.7 * widest), strip


def _last_prizes(game: Game) -> tuple[int, ...]:
    """The prizes that were taken in the last turn."""
    if len(game.plays) > 1:
        return game.plays[-2]
    if not game.plays:
        return ()
    dealt = game.config.num_players * game.config.hand_size
    return game.deal.deck[dealt : dealt + game.config.num_players]


def _draw_hand(canvas: Canvas, game: Game, player: int, viewer: int | None, area: FRect) -> None:
    known = game.known(player)
    hidden = [card for card in game.hand(player) if card not in known]
    places = _places(area, game.config.largest_hand)
    for number in known:
        draw_hand_card(canvas, next(places), game.config.deck[number], public=True)
    for number in hidden:
        if viewer in (None, player):
            draw_hand_card(canvas, next(places), game.config.deck[number], public=False)
        else:
            draw_back(canvas, next(places))


def _places(area: FRect, cards: int) -> Iterator[FRect]:
    """The areas of the cards of a hand of that size; a card keeps its width when cards are gone."""
    step = min((area.width + _HAND_GAP) / cards, area.height)
    for place in range(cards):
        yield FRect(area.left + place * step, area.top, step - _HAND_GAP, area.height)


def _draw_finished_rounds(canvas: Canvas, game: Game, player: int, area: FRect) -> None:
    """The scores of the rounds, side by side; only of the last ones if not all fit."""
    most = int((area.width + _ROUND_GAP) // (_ROUND_WIDTH + _ROUND_GAP))
    rounds = range(game.config.num_rounds)[-most:]
    width = (area.width + _ROUND_GAP) / len(rounds) - _ROUND_GAP
    for place, round_ in enumerate(rounds):
        cell = FRect(area.left + place * (width + _ROUND_GAP), area.bottom - 46, width, 46)
        score = game.round_scores[round_][player]
        canvas.box(cell, SLOT, radius=6)
        canvas.text(f"round {round_ + 1}", (cell.centerx, cell.top + 13), 13, QUIET, align=0.5)
        canvas.text(score_text(score.total), (cell.centerx, cell.top + 32), 18, TEXT, align=0.5)
