"""A moment of a game as plain data, from which a page draws a table.

Cards go by their printed numbers and players by their seats. With a viewer, a moment holds what
that seat may know and nothing else.
"""

from collections.abc import Sequence
from typing import Any

from mindup_env import Game
from mindup_env.cards import Deck
from mindup_env.game.table import Player
from mindup_env.game.text import describe
from mindup_env.objectives import OBJECTIVES

Plain = dict[str, Any]
_BY_ID = {objective.id: objective for objective in OBJECTIVES}


def deck_of(deck: Deck) -> list[Plain]:
    """What is printed on the cards, from number 1 on."""
    return [{"colour": card.colour, "points": card.points} for card in deck]


def moment_of(game: Game, before: Game | None, viewer: int | None = None) -> Plain:
    """The table now; ``before`` is the game a turn earlier, for what happened in that turn."""
    table = describe(game, viewer)
    return {
        "clock": len(game.plays),
        "round": table.round,
        "rounds": game.config.num_rounds,
        "turn": table.turn,
        "turns": _turns_of_round(game),
        "over": game.over,
        "winners": list(table.winners),
        "score_cards": list(table.score_cards),
        "objectives": [_objective(id_, met) for id_, met in table.objectives],
        "row": [{"card": card, "player": player} for card, player in table.row],
        "players": [_player(player, over=game.over) for player in table.players],
        "last_turn": None if before is None else _turn(before, game),
        "finished_rounds": [
            [{**parts._asdict(), "total": parts.total} for parts in players]
            for players in game.round_scores
        ],
        "finished_objectives": [
            [_objective(id_, met) for id_, met in objectives.items()]
            for objectives in game.round_objectives
        ],
    }


def _turns_of_round(game: Game) -> int:
    return game.config.hand_size + game.round - 2


def _objective(id_: str, met: Sequence[int]) -> Plain:
    objective = _BY_ID[id_]
    return {"points": objective.points, "condition": objective.condition, "met": list(met)}


def _player(player: Player, *, over: bool) -> Plain:
    return {
        "tableau": [list(column) for column in player.tableau],
        "known": list(player.known),
        "hidden": list(player.hidden),  # null for a card that the viewer does not know
        "running": player.running_score,
        "finished": player.score,
        # The last tableaux still lie there, but their points are among those of finished rounds.
        "total": player.score + (0 if over else player.running_score),
    }


def _turn(before: Game, after: Game) -> Plain:
    """Who played what and took what, the lowest card first, and the round if that ended it."""
    cards = after.plays[-1]
    prizes = zip(sorted(cards), before.row, strict=True)
    finished = len(after.round_scores) > len(before.round_scores)
    return {
        "round": before.round,
        "turn": before.turn,
        "taken": [
            {"player": cards.index(card), "card": card, "prize": prize} for card, prize in prizes
        ],
        "end": _end_of_round(after) if finished else None,
    }


def _end_of_round(after: Game) -> Plain:
    """What was scored, the cards that were left over among it."""
    return {
        "tableaux": [[list(column) for column in tableau] for tableau in after.round_tableaux[-1]],
    }
