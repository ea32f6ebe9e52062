"""The table of one game as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindup_env.checks import check_int
from mindup_env.game.table import Player, Table, draw

if TYPE_CHECKING:
    from mindup_env.game import Game


def table_text(game: Game, viewer: int | None = None) -> str:
    """What lies on the table; all hands, or what ``viewer`` knows of them."""
    if viewer is not None:
        check_int("viewer", viewer, 0, game.config.num_players - 1)
    return draw(describe(game, viewer))


def describe(game: Game, viewer: int | None) -> Table:
    owners: dict[int, int] = {}
    if game.plays:
        owners = {card: player for player, card in enumerate(game.plays[-1])}
    players = range(game.config.num_players)
    met = [game.objectives_met(player) for player in players]
    return Table(
        game.config,
        game.round,
        game.turn,
        game.winners,
        [(id_, [p for p in players if id_ in met[p]]) for id_ in game.objectives],
        [(number, owners.get(number)) for number in game.row],
        game.score_cards,
        [_player_of(game, player, open_hand=viewer in (None, player)) for player in players],
    )


def _player_of(game: Game, player: int, *, open_hand: bool) -> Player:
    known = game.known(player)
    hidden = [card for card in game.hand(player) if card not in known]
    return Player(
        f"player {player}",
        str(player),
        f"hand of {player}",
        game.tableau(player),
        game.running_scores[player],
        game.scores[player],
        known,
        hidden if open_hand else [None] * len(hidden),
    )
