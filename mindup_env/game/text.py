"""The table of one game as text."""

from mindup_env.game.table import PlayerView, TableView, draw_table
from mindup_env.game.view import GameView
from mindup_env.settings.checks import check_int


def table_text(game: GameView, viewer: int | None = None) -> str:
    """The table as text.

    Args:
        game: the game to show.
        viewer: the player who looks; cards unknown to that player are hidden. None shows all.
    """
    if viewer is not None:
        check_int("viewer", viewer, 0, game.config.num_players - 1)
    return draw_table(table_view(game, viewer))


def table_view(game: GameView, viewer: int | None) -> TableView:
    """The table as ``viewer`` sees it; with all hands open if None."""
    played_by: dict[int, int] = {}
    if game.plays:
        played_by = {card: player for player, card in enumerate(game.plays[-1])}
    players = range(game.config.num_players)
    met = [game.objectives_met(player) for player in players]
    return TableView(
        game.config,
        game.round,
        game.turn,
        game.winners,
        [(id_, [p for p in players if id_ in met[p]]) for id_ in game.objectives],
        [(number, played_by.get(number)) for number in game.row],
        game.score_cards,
        [_player_view(game, player, open_hand=viewer in (None, player)) for player in players],
    )


def _player_view(game: GameView, player: int, *, open_hand: bool) -> PlayerView:
    known = game.known(player)
    hidden = [card for card in game.hand(player) if card not in known]
    return PlayerView(
        f"player {player}",
        str(player),
        f"hand of {player}",
        game.tableau(player),
        game.running_scores[player],
        game.scores[player],
        known,
        hidden if open_hand else [None] * len(hidden),
    )
