"""What can be read of one game: the table as it is now, the scores, and the past."""

from typing import NamedTuple

import numpy as np

from mindup_env.cards import card_of, numbers_of
from mindup_env.checks import check_int
from mindup_env.config import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.clock import first_turn, log_start
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Int8Array
from mindup_env.game.deal import Deal
from mindup_env.objectives import OBJECTIVE_INDEX, OBJECTIVES

Tableau = tuple[tuple[int, ...], ...]  # the cards of each column, in the order placed


class Placement(NamedTuple):
    """A card in a tableau, and its points by their source."""

    card: int  # the printed number
    column: int  # the index of its column, from the left
    score_card: int  # the value above the column
    bonus: int  # the bonus or malus of the card

    @property
    def points(self) -> int:
        return self.score_card + self.bonus


class RoundScore(NamedTuple):
    """The points of one player in a finished round, by their source."""

    colour_points: int
    bonus_points: int
    objective_points: int

    @property
    def total(self) -> int:
        return sum(self)

    def to_dict(self) -> dict[str, int]:
        """The parts and their total, as plain data."""
        return {**self._asdict(), "total": self.total}


class GameView:
    """Reads one game and never changes it. Cards are printed numbers, players 0, 1, 2, ...

    Args:
        batch: a batch of exactly one game; the view reads it, it does not copy it.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch, self._games = batch, batch.games
        self._players = range(batch.config.num_players)

    # The table as it is now

    @property
    def config(self) -> GameConfig:
        """The rules that the game is played by."""
        return self._batch.config

    @property
    def round(self) -> int:
        """The round, from 1; a game that is over stays in its last round."""
        return int(self._batch.rules.round_at[self._clock]) + 1

    @property
    def turn(self) -> int:
        """The turn of this round, from 1; a game that is over stays at its last turn."""
        return int(self._batch.rules.turn_at[self._clock]) + 1

    @property
    def over(self) -> bool:
        """Whether the last turn of the last round is played."""
        return self._clock == self.config.num_turns

    @property
    def row(self) -> tuple[int, ...]:
        """The prizes, ascending."""
        return _numbers(self._games.row[0])

    @property
    def score_cards(self) -> tuple[int, ...]:
        """The value above each column this round, left to right."""
        return tuple(self._games.score_cards[0, self.round - 1].tolist())

    @property
    def objectives(self) -> tuple[str, ...]:
        """The ids of the objectives shown this round."""
        return tuple(OBJECTIVES[index].id for index in self._shown_objectives)

    def hand(self, player: int) -> tuple[int, ...]:
        """All cards in the hand of a player, ascending."""
        return numbers_of(int(self._games.hands[0, self._seat(player)]))

    def known(self, player: int) -> tuple[int, ...]:
        """The public cards of a hand: those that the player took back when the round began."""
        known, _, _ = _read_seats(self._batch)
        return numbers_of(known[self._seat(player)])

    def tableau(self, player: int) -> Tableau:
        """The five columns, left to right, each in the order in which its cards were placed."""
        return self._tableau(player, self.round)

    def objectives_met(self, player: int) -> tuple[str, ...]:
        """Of the objectives shown, those the player would score if the round ended now."""
        _, met, _ = _read_seats(self._batch)
        own = met[self._seat(player)]
        return tuple(OBJECTIVES[index].id for index in self._shown_objectives if (own >> index) & 1)

    # Scores

    @property
    def scores(self) -> tuple[int, ...]:
        """The total of the finished rounds, for each player."""
        finished = self._games.points[0, : self._finished_rounds]
        return tuple(finished.sum(axis=(0, 2), dtype=int).tolist())

    @property
    def running_scores(self) -> tuple[int, ...]:
        """Colour and bonus points of this round so far; objectives score at the round's end."""
        points = self._games.points[0, self.round - 1]
        return tuple((points[:, 0].astype(int) + points[:, 1]).tolist())

    @property
    def standing_scores(self) -> tuple[RoundScore, ...]:
        """The score of each player if this round ended now; of the last round at the end."""
        points = self._games.points[0, self.round - 1].tolist()
        met = map(self.objectives_met, self._players)
        return tuple(
            RoundScore(colours, bonus, sum(OBJECTIVES[OBJECTIVE_INDEX[id_]].points for id_ in ids))
            for (colours, bonus, _), ids in zip(points, met, strict=True)
        )

    def placements(self, player: int, round_: int) -> tuple[Placement, ...]:
        """The cards of a player's tableau in a round (from 1), in order, with their points."""
        check_int("round", round_, 1, self.round)
        score_cards = self._games.score_cards[0, round_ - 1].tolist()
        columns: dict[str, int] = {}  # a new colour opens the leftmost empty column
        placed = []
        for card in self._games.taken[0, self._log(round_), self._seat(player)].tolist():
            if card != NOTHING:
                number, colour, bonus = card_of(card + 1)
                column = columns.setdefault(colour, len(columns))
                placed.append(Placement(number, column, score_cards[column], bonus))
        return tuple(placed)

    @property
    def round_scores(self) -> tuple[tuple[RoundScore, ...], ...]:
        """For each finished round, the score of each player."""
        finished = self._games.points[0, : self._finished_rounds].tolist()
        return tuple(tuple(RoundScore(*parts) for parts in round_) for round_ in finished)

    @property
    def round_tableaux(self) -> tuple[tuple[Tableau, ...], ...]:
        """For each finished round, the tableau of each player as it was scored."""
        return tuple(
            tuple(self._tableau(player, round_) for player in self._players)
            for round_ in range(1, self._finished_rounds + 1)
        )

    @property
    def round_objectives(self) -> tuple[dict[str, tuple[int, ...]], ...]:
        """For each finished round, the ids of the objectives shown and the players who met each.

        Empty for the rounds that a sampled game (see ``belief.sample``) had finished before.
        """
        return tuple(map(self._players_by_objective, range(1, self._finished_rounds + 1)))

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who won; empty before the end, several if the tie-break leaves them equal."""
        return tuple(player for player, rank in enumerate(self.ranks) if rank == 0)

    @property
    def ranks(self) -> tuple[int, ...]:
        """How many players have a better result than each player; empty before the end."""
        return tuple(_read_seats(self._batch)[2]) if self.over else ()

    # The past

    @property
    def plays(self) -> tuple[tuple[int, ...], ...]:
        """The cards of each turn so far, in seat order; 0 in the unknown past of a sampled game."""
        return tuple(_numbers(turn) for turn in self._games.played[0, : self._clock])

    @property
    def deal(self) -> Deal:
        """Everything that chance decided, including the cards that are still to be drawn."""
        return Deal.read(self._games, 0)

    def __repr__(self) -> str:
        if self.over:
            state = f"over, won by {' and '.join(f'player {p}' for p in self.winners)}"
        else:
            state = f"round {self.round}, turn {self.turn}"
        players = self.config.num_players
        return f"<{type(self).__name__} of {players} players: {state}, scores {self.scores}>"

    @property
    def _clock(self) -> int:
        return int(self._games.clock[0])

    @property
    def _finished_rounds(self) -> int:
        return self.round if self.over else self.round - 1

    @property
    def _shown_objectives(self) -> list[int]:
        shown: list[int] = self._games.objectives[0, self.round - 1].tolist()
        return shown

    def _seat(self, player: int) -> int:
        return check_int("player", player, 0, self.config.num_players - 1)

    def _tableau(self, player: int, round_: int) -> Tableau:
        columns: list[list[int]] = [[] for _ in range(NUM_COLUMNS)]
        for placement in self.placements(player, round_):
            columns[placement.column].append(placement.card)
        return tuple(map(tuple, columns))

    def _players_by_objective(self, round_: int) -> dict[str, tuple[int, ...]]:
        """The ids of the objectives shown in a finished round, and the players who met each.

        Empty if nothing is known of that round, because the game was sampled later.
        """
        shown, log = self._games.objectives[0, round_ - 1].tolist(), self._log(round_)
        taken = self._games.taken[0, log]
        if not shown or (taken == NOTHING).any():
            return {}
        # A second game is set to the end of that round: the rules read only the current one.
        again = self._batch.pick([0])
        kernels.set_up_all(again.arrays)
        again.games.clock[0] = first_turn(again.rules, round_ - 1)
        kernels.lay_tableaux(again.arrays, np.ascontiguousarray(taken.T[None]), log.start)
        _, met, _ = map(np.array, _read_seats(again))
        return {
            OBJECTIVES[index].id: tuple(np.flatnonzero((met >> index) & 1).tolist())
            for index in shown
        }

    def _log(self, round_: int) -> slice:
        """The log entries of a round: one for each turn, and one for the card left over."""
        rules = self._batch.rules
        return slice(log_start(rules, round_ - 1), log_start(rules, round_))


def _read_seats(batch: Batch) -> list[list[int]]:
    """For the players of the only game: public hand cards and objectives met, as sets; ranks."""
    found = np.zeros((3, 1, batch.config.num_players), np.int64)
    kernels.read_seats(batch.arrays, *found)
    seats: list[list[int]] = found[:, 0].tolist()
    return seats


def _numbers(cards: Int8Array) -> tuple[int, ...]:
    return tuple((cards + 1).tolist())
