"""The table around the seats: the headline, the prizes, the objectives and the legend."""

from mindup_env.game import Game
from mindup_env.objectives import OBJECTIVE_INDEX, OBJECTIVES
from mindup_env.render.canvas import Canvas
from mindup_env.render.cards import draw_points, draw_prize
from mindup_env.render.palette import BACK, BACK_LINE, GOLD, INK, QUIET, TEXT, Colour
from mindup_env.render.pygame_extra import FRect

# Lengths in the picture of 1280 x 800.
_PRIZE_SLOT, _PRIZE_WIDTH, _PRIZE_LABELS = 104, 72, 84
_HEADING_HEIGHT, _LINE_HEIGHT = 18, 20  # of the list of objectives
_CONDITION_LEFT, _MET_BY_LEFT, _CHIP_WIDTH = 34, 345, 22
_SAMPLE_SIZE = (13, 18)  # of a card in the legend


def draw_headline(canvas: Canvas, game: Game, viewer: int | None, area: FRect) -> None:
    """The round and turn, or the winners."""
    middle = area.centery
    width = canvas.text("Mind Up!", (area.left, middle), 26, TEXT)
    left = area.left + width + 24
    if game.over:
        canvas.text(_winners(game.winners), (left, middle), 20, GOLD)
    else:
        turns = game.config.hand_size + game.round - 2
        words = f"round {game.round} of {game.config.num_rounds},  turn {game.turn} of {turns}"
        canvas.text(words, (left, middle), 20, TEXT)
    if viewer is not None:
        words = f"as player {viewer} sees it"
        canvas.text(words, (area.right, middle), 15, QUIET, align=1)


def _winners(winners: tuple[int, ...]) -> str:
    if len(winners) == 1:
        return f"the game is over: player {winners[0]} won"
    earlier = ", ".join(map(str, winners[:-1]))
    return f"the game is over: players {earlier} and {winners[-1]} share the victory"


def draw_prizes(canvas: Canvas, game: Game, area: FRect) -> None:
    """The row of prizes, and who played them; centred if there are no objectives beside it."""
    caption = area.bottom - 8
    card_height = area.height - 22
    left = area.left + _PRIZE_LABELS
    if not game.objectives:
        left = area.centerx - len(game.row) * _PRIZE_SLOT / 2
    canvas.text("prizes", (left - _PRIZE_LABELS, area.top + card_height / 2), 17, TEXT)
    canvas.text("played by", (left - _PRIZE_LABELS, caption), 14, QUIET)
    played_by = _played_by(game)
    for place, number in enumerate(game.row):
        middle = left + (place + 0.5) * _PRIZE_SLOT
        card = FRect(middle - _PRIZE_WIDTH / 2, area.top, _PRIZE_WIDTH, card_height)
        draw_prize(canvas, card, game.config.deck[number])
        words = played_by.get(number, "from the deck")
        canvas.text(words, (middle, caption), 14, TEXT, align=0.5, max_width=_PRIZE_SLOT - 6)


def _played_by(game: Game) -> dict[int, str]:
    if not game.plays:
        return {}
    return {card: f"player {player}" for player, card in enumerate(game.plays[-1])}


def draw_objectives(canvas: Canvas, game: Game, area: FRect) -> None:
    """The conditions of the objectives shown, and the players who meet each now."""
    if not game.objectives:
        return
    heading = area.top + _HEADING_HEIGHT / 2 - 1
    canvas.text("objectives", (area.left, heading), 14, QUIET)
    words = "met by player" if game.over else "met now by player"
    canvas.text(words, (area.left + _MET_BY_LEFT, heading), 14, QUIET)
    for line, id_ in enumerate(game.objectives):
        middle = area.top + _HEADING_HEIGHT + (line + 0.5) * _LINE_HEIGHT
        objective = OBJECTIVES[OBJECTIVE_INDEX[id_]]
        draw_points(canvas, (area.left + 12.5, middle), objective.points, height=16)
        canvas.text(
            objective.condition,
            (area.left + _CONDITION_LEFT, middle),
            15,
            TEXT,
            max_width=_MET_BY_LEFT - _CONDITION_LEFT - 10,
        )
        _draw_players_meeting(canvas, game, id_, (area.left + _MET_BY_LEFT, middle))


def _draw_players_meeting(canvas: Canvas, game: Game, id_: str, at: tuple[float, float]) -> None:
    players = range(game.config.num_players)
    meeting = [player for player in players if id_ in game.objectives_met(player)]
    if not meeting:
        canvas.text("no player", at, 14, QUIET)
    for place, player in enumerate(meeting):
        chip = FRect(at[0] + place * _CHIP_WIDTH, at[1] - 8, _CHIP_WIDTH - 4, 16)
        canvas.box(chip, GOLD, radius=5)
        canvas.text(str(player), chip.center, 13, INK, align=0.5)


def draw_legend(canvas: Canvas, game: Game, viewer: int | None, area: FRect) -> None:
    """The meaning of the marks on the cards."""
    left = area.left
    for fill, edge, words in _marks(game, viewer):
        sample = FRect(left, area.centery - _SAMPLE_SIZE[1] / 2, *_SAMPLE_SIZE)
        canvas.box(sample, fill, radius=3, edge=edge)
        left = sample.right + 8
        left += canvas.text(words, (left, area.centery), 14, QUIET) + 28


def _marks(game: Game, viewer: int | None) -> list[tuple[Colour, Colour, str]]:
    taken = (QUIET, TEXT, "prize taken in the last turn")
    if game.over:
        return [taken]
    marks = [
        (QUIET, QUIET, "all players know it"),
        (QUIET, INK, "only its owner knows it"),
        taken,
    ]
    if viewer is not None:
        marks.insert(2, (BACK, BACK_LINE, f"player {viewer} does not know it"))
    return marks
