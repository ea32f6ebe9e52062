"""What the page is told about a game, and about the saved games, as JSON data."""

from typing import Any, NamedTuple

from mindup_play.saved import SavedContent, SavedGame
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state

Plain = dict[str, Any]


class TurnId(NamedTuple):
    """The game and the turn that a request is for."""

    game_id: str
    turns_played: int


def page_state(game_id: str, settings: PlaySettings, table: Plain) -> Plain:
    """A game as the person sees it; ``table`` is the table from the person's seat."""
    # The seed of a recorded deal deals other cards.
    secret = settings.deal is not None or (settings.secret_seed and not table["over"])
    return {
        **TurnId(game_id, table["turns_played"])._asdict(),
        "seat": settings.seat,
        "names": settings.names,
        "objectives": settings.objectives,
        "opponents": list(settings.bots.values()),
        # A text, because a JavaScript number holds no more than 53 bits.
        "seed": None if secret else str(settings.seed),
        "seed_was_drawn": settings.secret_seed,
        "command": None if secret else settings.command,
        "hint_bot": settings.hint_bot_name,
        "table": table,
    }


def finished_state(game_id: str, content: SavedContent) -> Plain:
    """A finished game on disk."""
    settings, (before, game) = content.settings, content.games[-2:]
    return page_state(game_id, settings, table_state(game, before, settings.seat))


def saved_game_entry(saved: SavedGame, saved_at: float) -> Plain:
    """A line in the list of saved games; nothing in it is hidden from the person."""
    try:
        settings, game = (content := saved.read()).settings, content.game
    except ValueError:
        return {"game_id": saved.id, "saved_at": saved_at, "readable": False}
    seat = settings.seat
    return {
        "game_id": saved.id,
        "saved_at": saved_at,
        "readable": True,
        "names": settings.names,
        "seat": seat,
        "objectives": settings.objectives,
        "round": game.round,
        "turn": game.turn,
        "over": game.over,
        "won": seat in game.winners,
        "points": game.scores[seat] + (0 if game.over else game.standing_scores[seat].total),
    }
