"""A table as JSON data, from which the pages draw it.

Cards are given by their printed numbers and players by their seats. For a viewer, the state holds
only what that seat may know.
"""

from collections.abc import Sequence
from typing import Any

from mindup_env import Game
from mindup_env.cards import Deck
from mindup_env.game.table import PlayerView
from mindup_env.game.text import table_view
from mindup_env.objectives import OBJECTIVES

Plain = dict[str, Any]
_POINTS = {objective.id: objective.points for objective in OBJECTIVES}


def deck_state(deck: Deck) -> list[Plain]:
    """Colour and points of the cards, from number 1 on."""
    return [{"colour": card.colour, "points": card.points} for card in deck]


def table_state(game: Game, before: Game | None, viewer: int | None = None) -> Plain:
    """The table of ``game``; ``before`` is the game one turn earlier, for the turn between."""
    table = table_view(game, viewer)
    return {
        "turns_played": len(game.plays),
        "round": table.round,
        "num_rounds": game.config.num_rounds,
        "turn": table.turn,
        "num_turns": _turns_of_round(game),
        "over": game.over,
        "winners": list(table.winners),
        "score_cards": list(table.score_cards),
        "objectives": [_objective(id_, met_by) for id_, met_by in table.objectives],
        "row": [{"prize": prize, "played_by": player} for prize, player in table.row],
        "players": [_player(player, over=game.over) for player in table.players],
        "last_turn": None if before is None else _turn(before, game),
        "round_scores": [
            [{**score._asdict(), "total": score.total} for score in scores]
            for scores in game.round_scores
        ],
        "round_objectives": [
            [_objective(id_, met_by) for id_, met_by in objectives.items()]
            for objectives in game.round_objectives
        ],
    }


def _turns_of_round(game: Game) -> int:
    return game.config.hand_size + game.round - 2


def _objective(id_: str, met_by: Sequence[int]) -> Plain:
    return {"id": id_, "points": _POINTS[id_], "met_by": list(met_by)}


def _player(player: PlayerView, *, over: bool) -> Plain:
    return {
        "tableau": [list(column) for column in player.tableau],
        "known": list(player.known),
        "hidden": list(player.hidden),  # null for a card that the viewer does not know
        "running_score": player.running_score,
        "score": player.score,
        # The last tableaux stay on the table, and their points are in the finished rounds by then.
        "total": player.score + (0 if over else player.running_score),
    }


def _turn(before: Game, after: Game) -> Plain:
    """The plays, lowest card first, and the scored tableaux if the turn ended a round."""
    cards = after.plays[-1]
    prizes = zip(sorted(cards), before.row, strict=True)
    ended_round = len(after.round_scores) > len(before.round_scores)
    return {
        "plays": [
            {"player": cards.index(card), "card": card, "prize": prize} for card, prize in prizes
        ],
        "scored_tableaux": _scored_tableaux(after) if ended_round else None,
    }


def _scored_tableaux(after: Game) -> list[list[list[int]]]:
    """The tableaux of the last round, with the last cards of the hands."""
    return [[list(column) for column in tableau] for tableau in after.round_tableaux[-1]]
