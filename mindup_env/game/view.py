"""What can be read of one game: the table as it is now, the scores, and the past."""

from typing import NamedTuple

import numpy as np

from mindup_env.cards import OBJECTIVE_INDEX, OBJECTIVES, card_of, numbers_of
from mindup_env.checks import check_int
from mindup_env.config import GameConfig
from mindup_env.engine.batch import Batch
from mindup_env.engine.clock import first_draw, log_start
from mindup_env.engine.state import NOTHING, NUM_COLUMNS
from mindup_env.game.deal import Deal

Tableau = tuple[tuple[int, ...], ...]  # the cards of each column, in the order placed


class RoundScore(NamedTuple):
    """The points of one player in a round, by their source."""

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
    """Reads one game. Cards are printed numbers, players 0, 1, 2, ...

    Args:
        batch: a batch of exactly one game, which is not copied.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch = batch

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
        return tuple((self._batch.games.row[0] + 1).tolist())

    @property
    def score_cards(self) -> tuple[int, ...]:
        """The value above each column this round, left to right."""
        return tuple(self._batch.games.score_cards[0, self.round - 1].tolist())

    @property
    def objectives(self) -> tuple[str, ...]:
        """The ids of the objectives shown this round."""
        indices = self._batch.games.objectives[0, self.round - 1].tolist()
        return tuple(OBJECTIVES[index].id for index in indices)

    def hand(self, player: int) -> tuple[int, ...]:
        """All cards in the hand of a player, ascending."""
        return numbers_of(int(self._batch.games.hands[0, self._seat(player)]))

    def known(self, player: int) -> tuple[int, ...]:
        """The public cards of a hand: those taken back when the round began."""
        return numbers_of(int(self._batch.seat_facts().known[0, self._seat(player)]))

    def tableau(self, player: int) -> Tableau:
        """The five columns, left to right, each in the order of its cards."""
        return self._tableau(player, self.round)

    def objectives_met(self, player: int) -> tuple[str, ...]:
        """The objectives that the player would score if the round ended now."""
        met = int(self._batch.seat_facts().met[0, self._seat(player)])
        return tuple(id_ for id_ in self.objectives if met >> OBJECTIVE_INDEX[id_] & 1)

    # Scores

    @property
    def scores(self) -> tuple[int, ...]:
        """The total of the finished rounds, for each player."""
        finished = self._batch.games.points[0, : self._finished_rounds]
        return tuple(finished.sum(axis=(0, 2), dtype=int).tolist())

    @property
    def running_scores(self) -> tuple[int, ...]:
        """Colour and bonus points of this round; objectives score at its end."""
        points = self._batch.games.points[0, self.round - 1].tolist()
        return tuple(colours + bonus for colours, bonus, _ in points)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won: empty before the end, several if the tie-break leaves them equal."""
        return tuple(player for player, rank in enumerate(self.ranks) if rank == 0)

    @property
    def ranks(self) -> tuple[int, ...]:
        """How many players have a better result than each player; empty before the end."""
        return tuple(self._batch.seat_facts().ranks[0].tolist()) if self.over else ()

    # The past

    @property
    def round_scores(self) -> tuple[tuple[RoundScore, ...], ...]:
        """For each finished round, the score of each player."""
        finished = self._batch.games.points[0, : self._finished_rounds].tolist()
        return tuple(tuple(RoundScore(*parts) for parts in round_) for round_ in finished)

    @property
    def round_tableaux(self) -> tuple[tuple[Tableau, ...], ...]:
        """For each finished round, the tableau of each player as it was scored."""
        rounds = range(1, self._finished_rounds + 1)
        players = range(self.config.num_players)
        return tuple(tuple(self._tableau(each, round_) for each in players) for round_ in rounds)

    @property
    def round_objectives(self) -> tuple[dict[str, tuple[int, ...]], ...]:
        """For each finished round, the ids of the objectives shown and the players who met each.

        In the unknown past of a game from ``belief.sample``, no player met one.
        """
        games = self._batch.games
        rounds = []
        for round_ in range(self._finished_rounds):
            met = games.met[0, round_].tolist()
            rounds.append(
                {
                    OBJECTIVES[i].id: tuple(p for p, own in enumerate(met) if own >> i & 1)
                    for i in games.objectives[0, round_].tolist()
                }
            )
        return tuple(rounds)

    @property
    def past_is_known(self) -> bool:
        """Whether all cards played and taken are known, as in every game but a sampled one."""
        games = self._batch.games
        entries = self._clock + self._finished_rounds  # a turn takes a card, and a round's end
        logs = games.played[0, : self._clock], games.taken[0, :entries]
        first_row = first_draw(self._batch.rules, 0) + np.arange(self.config.num_players)
        prizes = games.taken[0, 0] if self._clock else games.row[0]
        is_dealt = np.isin(prizes, games.deck[0, first_row]).all()
        return bool(is_dealt) and not any((log == NOTHING).any() for log in logs)

    @property
    def plays(self) -> tuple[tuple[int, ...], ...]:
        """The cards of each turn, in seat order; 0 in the unknown past of a sampled game."""
        played = self._batch.games.played[0, : self._clock] + 1
        return tuple(map(tuple, played.tolist()))

    @property
    def deal(self) -> Deal:
        """All that chance decided, with the cards that are still to be drawn."""
        return Deal.read(self._batch.games, 0)

    def __repr__(self) -> str:
        state = f"round {self.round}, turn {self.turn}"
        if self.over:
            state = f"over, won by {self.winners}"
        return f"<Game of {self.config.num_players} players: {state}, scores {self.scores}>"

    @property
    def _clock(self) -> int:
        return int(self._batch.games.clock[0])

    @property
    def _finished_rounds(self) -> int:
        return self.round if self.over else self.round - 1

    def _seat(self, player: int) -> int:
        return check_int("player", player, 0, self.config.num_players - 1)

    def _tableau(self, player: int, round_: int) -> Tableau:
        rules = self._batch.rules
        # An entry for each turn, and one for the card left over.
        log = slice(log_start(rules, round_ - 1), log_start(rules, round_))
        columns: dict[str, list[int]] = {}  # a new colour opens the leftmost empty column
        for card in self._batch.games.taken[0, log, self._seat(player)].tolist():
            if card != NOTHING:
                columns.setdefault(card_of(card + 1).colour, []).append(card + 1)
        return (*map(tuple, columns.values()), *[()] * (NUM_COLUMNS - len(columns)))
