"""The table as values to draw, and its drawing as text; a game or an observation fills it in."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mindup_env.cards import card_of
from mindup_env.checks import check_int
from mindup_env.config import GameConfig
from mindup_env.game.view import GameView
from mindup_env.objectives import OBJECTIVE_INDEX, OBJECTIVES

_POINTS_MARK = {-1: "-", 0: "", 1: "+", 2: "++"}


class PlayerView(NamedTuple):
    """One player at the table, with the names to draw for the player and the hand."""

    name: str
    short_name: str
    hand_name: str
    tableau: Sequence[Sequence[int]]  # the cards of each column
    running_score: int
    round_scores: Sequence[int]  # of the finished rounds
    known: Sequence[int]
    hidden: Sequence[int | None]  # None for a card that the reader does not know

    @property
    def score(self) -> int:
        """The total of the finished rounds."""
        return sum(self.round_scores)


class TableView(NamedTuple):
    """Everything that is drawn. A player is named by its index in ``players``."""

    config: GameConfig
    round: int
    turn: int
    winners: Sequence[int]  # empty before the end
    objectives: Sequence[tuple[str, Sequence[int]]]  # (id, the players who meet it)
    row: Sequence[tuple[int, int | None]]  # (prize, the player who played it; None: the deck)
    score_cards: Sequence[int]
    players: Sequence[PlayerView]
    last_prizes: Sequence[int] = ()  # taken in the last turn, where it is known


def table_text(game: GameView, viewer: int | None = None) -> str:
    """The table of a game as text.

    Args:
        game: the game to show.
        viewer: the player who looks; cards unknown to that player are hidden. None shows all.
    """
    return draw_table(table_view(game, viewer))


def table_view(game: GameView, viewer: int | None) -> TableView:
    """The table as ``viewer`` sees it; with all hands open if None."""
    players = range(game.config.num_players)
    if viewer is not None:
        check_int("viewer", viewer, 0, players[-1])
    plays = game.plays
    played_by = {card: player for player, card in enumerate(plays[-1])} if plays else {}
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
        _last_prizes(game),
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
        [scores[player].total for scores in game.round_scores],
        known,
        hidden if open_hand else [None] * len(hidden),
    )


def _last_prizes(game: GameView) -> Sequence[int]:
    """The prizes that were taken in the last turn: the cards played before it, or the first row."""
    plays, players = game.plays, game.config.num_players
    if len(plays) > 1:
        return plays[-2]
    dealt = players * game.config.hand_size
    return game.deal.deck[dealt : dealt + players] if plays else ()


def draw_table(table: TableView) -> str:
    """The table as text: progress, objectives, prizes, tableaux, hands."""
    players = table.players
    winners = " and ".join(players[player].name for player in table.winners)
    headline = f"the game is over: {winners} won" if winners else progress_text(table)
    names = [player.short_name for player in players]
    prizes = [str(card_of(number)) for number, _ in table.row]
    played_by = [
        "from the deck" if player is None else players[player].name for _, player in table.row
    ]
    blocks = [
        f"Mind Up!  {headline}",
        _objectives(table.objectives, names),
        aligned([["prizes", *prizes], ["played by", *played_by]]),
        _tableaux(table),
        "" if winners else _hands(table),
    ]
    return "\n\n".join(block for block in blocks if block)


def progress_text(table: TableView) -> str:
    rounds, turns = table.config.num_rounds, table.config.turns_of(table.round)
    return f"round {table.round} of {rounds}, turn {table.turn} of {turns}"


def _objectives(objectives: Iterable[tuple[str, Sequence[int]]], names: Sequence[str]) -> str:
    """A line for each (id, players): points, condition, who meets it; empty without objectives."""
    lines = []
    for id_, meeting in objectives:
        objective = OBJECTIVES[OBJECTIVE_INDEX[id_]]
        met = f"met by {', '.join(names[player] for player in meeting) or 'nobody'}"
        lines.append([f"{objective.points:+d}", objective.condition, met])
    return f"objectives\n{aligned(lines)}" if lines else ""


def _tableaux(table: TableView) -> str:
    values = (f"[{value}]" for value in table.score_cards)
    lines = [["score cards", *values, "in this tableau", "finished rounds"]]
    for player in table.players:
        columns = [
            f"{card_of(cards[0]).colour} {' '.join(map(_marked, cards))}" if cards else "."
            for cards in player.tableau
        ]
        lines.append([player.name, *columns, str(player.running_score), str(player.score)])
    return aligned(lines)


def _hands(table: TableView) -> str:
    lines = []
    for player in table.players:
        cards = [_marked(card) for card in player.known]
        cards += ["(?)" if card is None else f"({_marked(card)})" for card in player.hidden]
        lines.append([player.hand_name, " ".join(cards)])
    legend = "( ) only its owner knows   + ++ - bonus or malus of a card"
    return f"{aligned(lines)}\n{legend}"


def _marked(number: int) -> str:
    """The number of a card, with a mark of its points."""
    return f"{number}{_POINTS_MARK[card_of(number).points]}"


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells, padded to columns."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "   ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
