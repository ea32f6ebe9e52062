"""A table as JSON data, from which the pages draw it.

Cards are given by their printed numbers and players by their seats. For a viewer, the state holds
only what that seat may know.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from mindup_env import Game
from mindup_env.cards import OBJECTIVES, Card, card_of
from mindup_env.game import RoundScore
from mindup_env.game.table import PlayerView, table_view

Plain = dict[str, Any]
_OBJECTIVES = {objective.id: objective for objective in OBJECTIVES}


def deck_state(deck: tuple[Card, ...]) -> list[Plain]:
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
        "num_turns": game.config.turns_of(game.round),
        "over": game.over,
        "winners": list(table.winners),
        "ranking": _ranking(game),
        "score_cards": list(table.score_cards),
        "objectives": [_objective(id_, met_by) for id_, met_by in table.objectives],
        "row": [
            {"prize": prize, "played_by": player, "brings": [*_brings(game, prize)]}
            for prize, player in table.row
        ],
        "players": [_player(game, player, table.players[player]) for player in _seats(game)],
        "last_turn": None if before is None else turn_state(before, game),
        "round_scores": [[score.to_dict() for score in scores] for scores in game.round_scores],
        "round_columns": [
            {
                "score_cards": list(game.deal.score_orders[round_ - 1]),
                "players": [_columns(game, player, round_) for player in _seats(game)],
            }
            for round_ in range(1, len(game.round_scores) + 1)
        ],
        "round_objectives": [
            [_objective(id_, met_by) for id_, met_by in objectives.items()]
            for objectives in game.round_objectives
        ],
    }


def table_states(games: Sequence[Game]) -> list[Plain]:
    """The table before the first turn of a game, and after each turn, with all hands."""
    earlier = [None, *games[:-1]]
    return [table_state(game, before) for before, game in zip(earlier, games, strict=True)]


def turn_state(before: Game, after: Game) -> Plain:
    """The plays of a turn, lowest card first, and the last cards if the turn ended a round."""
    cards = after.plays[-1]
    landed = {
        each["card"]: each
        for player in _seats(after)
        for each in _placements(after, player, before.round)
    }
    order = sorted(_seats(after), key=cards.__getitem__)  # in which the page lets cards land
    plays = [
        {**landed[prize], "player": player, "card": cards[player], "prize": prize}
        for player, prize in zip(order, before.row, strict=True)
    ]
    last_cards = None
    if len(after.round_scores) > len(before.round_scores):
        left = {player: {*before.hand(player)} - {*cards} for player in order}
        last_cards = [{**landed[card], "player": each} for each in order for card in left[each]]
    return {"round": before.round, "turn": before.turn, "plays": plays, "last_cards": last_cards}


def _seats(game: Game) -> range:
    return range(game.config.num_players)


def _objective(id_: str, met_by: Sequence[int]) -> Plain:
    objective = _OBJECTIVES[id_]
    shown = {"condition": objective.condition, "points": objective.points}
    return {"id": id_, **shown, "met_by": list(met_by)}


def _player(game: Game, player: int, view: PlayerView) -> Plain:
    columns = _columns(game, player, game.round)
    round_score = RoundScore(
        sum(column["points"] for column in columns),
        sum(each["bonus"] for each in _placements(game, player, game.round)),
        sum(_OBJECTIVES[id_].points for id_ in game.objectives_met(player)),
    )
    now = round_score.total - round_score.objective_points
    return {
        "tableau": [list(column) for column in view.tableau],
        "column_points": [column["points"] for column in columns],
        "known": list(view.known),
        "hidden": list(view.hidden),  # null for a card that the viewer does not know
        "round_score": round_score.to_dict(),  # if the round ended now
        "score": view.score,
        # The last tableaux stay on the table, and their points are in the finished rounds by then.
        # Objectives count at the end of the round.
        "total": view.score + (0 if game.over else now),
    }


def _columns(game: Game, player: int, round_: int) -> list[Plain]:
    """The cards of each column, and their points without the bonus points."""
    tableaux = [*game.round_tableaux, [game.tableau(each) for each in _seats(game)]]
    score_cards = game.deal.score_orders[round_ - 1]
    return [
        {"cards": list(cards), "points": len(cards) * value}
        for cards, value in zip(tableaux[round_ - 1][player], score_cards, strict=True)
    ]


def _placements(game: Game, player: int, round_: int) -> Iterator[Plain]:
    """The cards of a player's tableau in a round, with the points of each: "6 = 5 + 1"."""
    score_cards = game.deal.score_orders[round_ - 1]
    for column, each in enumerate(_columns(game, player, round_)):
        for card in each["cards"]:
            yield {"card": card, **_points(card, column, score_cards)}


def _brings(game: Game, prize: int) -> Iterator[Plain]:
    """The points of a prize for each player, in the column of its colour or the next empty one."""
    colour = card_of(prize).colour
    for player in _seats(game):
        colours = [cards and card_of(cards[0]).colour for cards in game.tableau(player)]
        column = colours.index(colour) if colour in colours else colours.index(())
        yield _points(prize, column, game.deal.score_orders[game.round - 1])


def _points(card: int, column: int, score_cards: Sequence[int]) -> Plain:
    value, bonus = score_cards[column], card_of(card).points
    return {"column": column, "score_card": value, "bonus": bonus, "points": value + bonus}


def _ranking(game: Game) -> list[Plain]:
    """The players from the best result to the worst; empty before the end."""
    best = max(game.scores)
    return [
        {
            "player": player,
            "place": game.ranks[player] + 1,
            "total": game.scores[player],
            "behind": best - game.scores[player],
        }
        for player in sorted(range(len(game.ranks)), key=game.ranks.__getitem__)
    ]
