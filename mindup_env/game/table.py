"""The table as values to draw, and its drawing as text; a game or an observation fills it in."""

from collections.abc import Sequence
from typing import NamedTuple

from mindup_env.cards import OBJECTIVE_INDEX, OBJECTIVES, card_of
from mindup_env.checks import check_int, check_type
from mindup_env.config import GameConfig
from mindup_env.game.view import GameView

_POINTS_MARK = {-1: "-", 0: "", 1: "+", 2: "++"}


class PlayerView(NamedTuple):
    """One player at the table."""

    name: str
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

    @property
    def progress(self) -> str:
        """The round and the turn in words, or who won."""
        if self.winners:
            names = " and ".join(self.players[player].name for player in self.winners)
            return f"the game is over: {names} won"
        turns = self.config.turns_of(self.round)
        return f"round {self.round} of {self.config.num_rounds}, turn {self.turn} of {turns}"


def table_text(game: GameView, viewer: int | None = None) -> str:
    """The table of a game as text, without the cards that ``viewer`` does not know."""
    return draw_table(table_view(game, viewer))


def table_view(game: GameView, viewer: int | None) -> TableView:
    """The table as ``viewer`` sees it; with all hands open if None."""
    config = check_type("game", game, GameView).config
    players = range(config.num_players)
    if viewer is not None:
        check_int("viewer", viewer, 0, config.num_players - 1)
    dealt = config.num_players * config.hand_size
    first_row = game.deal.deck[dealt : dealt + config.num_players]
    # The cards played in one turn are the prizes of the next.
    rows = [first_row, *game.plays]
    played_by: dict[int, int] = {}
    last_prizes: Sequence[int] = ()
    if len(rows) > 1:
        played_by = {card: player for player, card in enumerate(rows[-1])}
        last_prizes = rows[-2]
    met = [game.objectives_met(player) for player in players]
    views = []
    for player in players:
        known = game.known(player)
        hidden: list[int | None] = [card for card in game.hand(player) if card not in known]
        views.append(
            PlayerView(
                f"player {player}",
                game.tableau(player),
                game.running_scores[player],
                [scores[player].total for scores in game.round_scores],
                known,
                hidden if viewer in (None, player) else [None] * len(hidden),
            )
        )
    return TableView(
        config,
        game.round,
        game.turn,
        game.winners,
        [(id_, [player for player in players if id_ in met[player]]) for id_ in game.objectives],
        [(number, played_by.get(number)) for number in game.row],
        game.score_cards,
        views,
        last_prizes,
    )


def draw_table(table: TableView) -> str:
    """The table as text: progress, objectives, prizes, tableaux, hands."""
    names = [player.name for player in table.players]
    short = [name.removeprefix("player ") for name in names]
    objectives = []
    for id_, meeting in table.objectives:
        objective = OBJECTIVES[OBJECTIVE_INDEX[id_]]
        met_by = ", ".join(short[player] for player in meeting) or "nobody"
        objectives.append([f"{objective.points:+d}", objective.condition, f"met by {met_by}"])
    row = [
        ["prizes", *(str(card_of(number)) for number, _ in table.row)],
        ["played by", *("from the deck" if by is None else names[by] for _, by in table.row)],
    ]
    score_cards = [f"[{value}]" for value in table.score_cards]
    tableaux = [["score cards", *score_cards, "in this tableau", "finished rounds"]]
    hands = []
    for player, own in zip(table.players, short, strict=True):
        columns = [
            f"{card_of(cards[0]).colour} {' '.join(map(_marked, cards))}" if cards else "."
            for cards in player.tableau
        ]
        tableaux.append([player.name, *columns, str(player.running_score), str(player.score)])
        cards = [_marked(card) for card in player.known]
        cards += ["(?)" if card is None else f"({_marked(card)})" for card in player.hidden]
        hand = "your hand" if own == "you" else f"hand of {own}"
        hands.append([hand, " ".join(cards)])
    blocks = [f"Mind Up!  {table.progress}", aligned(row), aligned(tableaux)]
    if objectives:
        blocks.insert(1, f"objectives\n{aligned(objectives)}")
    if not table.winners:
        legend = "( ) only its owner knows   + ++ - bonus or malus of a card"
        blocks.append(f"{aligned(hands)}\n{legend}")
    return "\n\n".join(blocks)


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
