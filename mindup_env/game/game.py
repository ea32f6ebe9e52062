"""One game to play, read, copy, save and replay."""

import secrets
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Self

import numpy as np

from mindup_env.cards import numbers_of
from mindup_env.checks import as_list, check_int, shown
from mindup_env.config import GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.clock import log_start
from mindup_env.engine.state import NOTHING
from mindup_env.game.deal import Deal
from mindup_env.game.record import FORMAT, read_record
from mindup_env.game.table import table_text
from mindup_env.game.tableau import RoundScore, Tableau, tableau_of
from mindup_env.objectives import OBJECTIVE_INDEX, OBJECTIVES


class Game:
    """A game of Mind Up! Cards are printed numbers, players 0, 1, 2, ...

    The cards depend on seed, slot and episode alone. ``str(game)`` is the table as text, with all
    hands open. Only one thread may use a game at a time.

    Args:
        config: the rules; the published game for four players if None.
        seed: 0 to 2**64 - 1; a random seed if None.
        slot: the place that the game would have in a batch.
        episode: how many games the slot played before.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        seed: int | None = None,
        *,
        slot: int = 0,
        episode: int = 0,
    ) -> None:
        seed = secrets.randbits(64) if seed is None else seed
        self._batch = Batch(check_config(GameConfig() if config is None else config), 1)
        kernels.deal_all(self._batch.arrays, make_keys(seed, 1, slot, episode))

    @classmethod
    def from_deal(
        cls,
        config: GameConfig,
        deck: Iterable[int],
        score_orders: Iterable[Iterable[int]],
        objectives: Iterable[Iterable[str]] | None = None,
    ) -> Self:
        """A game with the given cards, see ``Deal``; without objectives if None."""
        return cls._begin(config, Deal.of(check_config(config), deck, score_orders, objectives))

    @classmethod
    def _begin(cls, config: GameConfig, deal: Deal) -> Self:
        """The game of a deal that was checked for ``config``."""
        game = cls._of(Batch(config, 1))
        deal.write(game._batch.games, 0)
        kernels.set_up_all(game._batch.arrays)
        return game

    @classmethod
    def _of(cls, batch: Batch) -> Self:
        """The game that is the only one of ``batch``, which is not copied."""
        game = cls.__new__(cls)
        game._batch = batch
        return game

    def play(self, cards: Iterable[int]) -> None:
        """Plays one turn. A card that is not in the hand is refused, and nothing changes.

        Args:
            cards: the card number of player 0, of player 1, ...
        """
        cards = as_list("the cards of a turn", cards)
        if self.over:
            raise ValueError("the game is over: no more cards can be played")
        if len(cards) != self.config.num_players:
            raise ValueError(
                f"a turn takes {self.config.num_players} cards, one of each player in seat order, "
                f"not {len(cards)}"
            )
        for player, card in enumerate(cards):
            hand = self.hand(player)
            if check_int(f"the card of player {player}", card) not in hand:
                raise ValueError(
                    f"player {player} cannot play card {card}, which is not in the hand: {hand}"
                )
        kernels.play_all(self._batch.arrays, np.array([cards], np.int8) - 1)

    def copy(self) -> Self:
        """An independent copy."""
        return self._of(self._batch.pick([0]))

    __copy__ = copy

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
        """The public cards of a hand: those that the player took back when the round began."""
        return numbers_of(self._read_seats()[0][self._seat(player)])

    def tableau(self, player: int) -> Tableau:
        """The five columns, left to right, each in the order in which its cards were placed."""
        return self._tableau(player, self.round)

    def objectives_met(self, player: int) -> tuple[str, ...]:
        """Of the objectives shown, those the player would score if the round ended now."""
        met = self._read_seats()[1][self._seat(player)]
        return tuple(id_ for id_ in self.objectives if met >> OBJECTIVE_INDEX[id_] & 1)

    # Scores

    @property
    def scores(self) -> tuple[int, ...]:
        """The total of the finished rounds, for each player."""
        finished = self._batch.games.points[0, : self._finished_rounds]
        return tuple(finished.sum(axis=(0, 2), dtype=int).tolist())

    @property
    def running_scores(self) -> tuple[int, ...]:
        """Colour and bonus points of this round so far; objectives score at the round's end."""
        points = self._batch.games.points[0, self.round - 1].tolist()
        return tuple(colours + bonus for colours, bonus, _ in points)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who won; empty before the end, several if the tie-break leaves them equal."""
        return tuple(player for player, rank in enumerate(self.ranks) if rank == 0)

    @property
    def ranks(self) -> tuple[int, ...]:
        """How many players have a better result than each player; empty before the end."""
        return tuple(self._read_seats()[2]) if self.over else ()

    # The past

    @property
    def round_scores(self) -> tuple[tuple[RoundScore, ...], ...]:
        """For each finished round, the score of each player."""
        finished = self._batch.games.points[0, : self._finished_rounds].tolist()
        return tuple(tuple(RoundScore(*parts) for parts in round_) for round_ in finished)

    @property
    def round_tableaux(self) -> tuple[tuple[Tableau, ...], ...]:
        """For each finished round, the tableau of each player as it was scored."""
        rounds, players = range(1, self._finished_rounds + 1), range(self.config.num_players)
        return tuple(tuple(self._tableau(each, round_) for each in players) for round_ in rounds)

    @property
    def round_objectives(self) -> tuple[dict[str, tuple[int, ...]], ...]:
        """For each finished round, the ids of the objectives shown and the players who met each.

        Nobody met one in the unknown past of a game from ``belief.sample``.
        """
        games, players = self._batch.games, range(self.config.num_players)
        rounds = zip(games.objectives[0].tolist(), games.met[0].tolist(), strict=True)
        found = (
            {OBJECTIVES[i].id: tuple(p for p in players if met[p] >> i & 1) for i in shown_}
            for shown_, met in rounds
        )
        return tuple(islice(found, self._finished_rounds))

    @property
    def plays(self) -> tuple[tuple[int, ...], ...]:
        """The cards of each turn so far, in seat order; 0 in the unknown past of a sampled game."""
        return tuple(map(tuple, (self._batch.games.played[0, : self._clock] + 1).tolist()))

    @property
    def deal(self) -> Deal:
        """Everything that chance decided, including the cards that are still to be drawn."""
        return Deal.read(self._batch.games, 0)

    def record(self) -> dict[str, Any]:
        """The config, the deal, the plays and the result so far, as plain data for JSON.

        Raises:
            ValueError: if the game is from ``belief.sample``, so that its past is unknown.
        """
        if any(0 in turn for turn in self.plays):
            raise ValueError("the past of a game from belief.sample is unknown: it has no record")
        return {
            "format": FORMAT,
            "config": self.config.to_dict(),
            "deal": self.deal.to_dict(),
            "plays": [list(turn) for turn in self.plays],
            "result": {"scores": list(self.scores), "winners": list(self.winners)},
        }

    @classmethod
    def replay(cls, record: Mapping[str, Any], turns: int | None = None) -> Self:
        """Plays a recorded game again and checks it against the rules and its result.

        Args:
            record: what ``record`` returned.
            turns: how many turns the game that is returned has; all of them if None.
        """
        given = read_record(record)
        games, number = [cls._begin(given.config, given.deal)], len(given.plays)
        for turn, cards in enumerate(given.plays, start=1):
            games.append(games[-1].copy())
            try:
                games[-1].play(cards)
            except ValueError as error:
                raise ValueError(f"turn {turn} of {number}: {error}") from None
        if given.result != (result := games[-1].record()["result"]):
            raise ValueError(
                f"the record has the result {shown(given.result)}, but its plays lead to {result}"
            )
        return games[number if turns is None else check_int("turns", turns, 0, number)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.config == other.config and all(
            map(np.array_equal, self._batch.arrays[1], other._batch.arrays[1])
        )

    __hash__ = None  # type: ignore[assignment]  # a game changes as it is played

    def __str__(self) -> str:
        return table_text(self)

    def __repr__(self) -> str:
        state = (
            f"over, won by {self.winners}" if self.over else f"round {self.round}, turn {self.turn}"
        )
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
        taken = self._batch.games.taken[0, log, self._seat(player)]
        return tableau_of((taken[taken != NOTHING] + 1).tolist())

    def _read_seats(self) -> list[list[int]]:
        """For each player the public hand cards and all objectives met, as sets; and the ranks."""
        found = np.zeros((3, 1, self.config.num_players), np.int64)
        kernels.read_seats(self._batch.arrays, *found)
        seats: list[list[int]] = found[:, 0].tolist()
        return seats
