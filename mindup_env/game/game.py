"""One game, for people: play it, look at it, copy it, save it."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from mindup_env.cards import numbers_of
from mindup_env.checks import as_list, check_int
from mindup_env.config import GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.state import Games, Int8Array, Int64Array
from mindup_env.game import mid_game_state as midway
from mindup_env.game.deal import Deal
from mindup_env.game.record import START, check_result, make_record, read_record, read_saved
from mindup_env.game.tableaux import Tableau, objectives_met_in, tableau_of
from mindup_env.game.text import table_text
from mindup_env.objectives import OBJECTIVES


class RoundScore(NamedTuple):
    """What a player scored in a finished round."""

    colour_points: int
    bonus_points: int
    objective_points: int

    @property
    def total(self) -> int:
        return sum(self)


class Game:
    """A game of Mind Up! Cards go by their printed numbers, players by 0, 1, 2, ...

    The cards depend on seed, slot and episode alone; without a seed they are different each time.
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
        self._batch = Batch(_checked(GameConfig() if config is None else config), 1)
        kernels.deal_all(self._batch.arrays, make_keys(seed, 1, slot, episode))

    @classmethod
    def from_deal(
        cls,
        config: GameConfig,
        deck: Iterable[int],
        score_orders: Iterable[Iterable[int]],
        objectives: Iterable[Iterable[str]] | None = None,
    ) -> Self:
        """A game with the cards as given; see ``Deal`` for their order."""
        return cls._begin(config, Deal.of(_checked(config), deck, score_orders, objectives))

    @classmethod
    def from_batch(cls, batch: Batch, index: int) -> Self:
        """A copy of one game of a batch."""
        game = cls.__new__(cls)
        game._batch = batch.pick([index])
        return game

    @classmethod
    def _begin(cls, config: GameConfig, deal: Deal) -> Self:
        game = cls.__new__(cls)
        game._batch = Batch(config, 1)
        deal.write(game._batch.games, 0)
        kernels.set_up_all(game._batch.arrays)
        return game

    # The table as it is now

    @property
    def batch(self) -> Batch:
        """The batch of one that holds the game, not a copy."""
        return self._batch

    @property
    def config(self) -> GameConfig:
        return self._batch.config

    @property
    def round(self) -> int:
        return int(self._batch.rules.round_at[self._clock]) + 1

    @property
    def turn(self) -> int:
        """The turn of this round."""
        return int(self._batch.rules.turn_at[self._clock]) + 1

    @property
    def over(self) -> bool:
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
        return numbers_of(int(self._games.hands[0, self._seat(player)]))

    def known(self, player: int) -> tuple[int, ...]:
        """The cards of a hand that everybody knows: those taken back when the round began."""
        return numbers_of(self._ask(kernels.known_all)[self._seat(player)])

    def tableau(self, player: int) -> Tableau:
        """The columns, left to right, each in the order in which its cards were placed."""
        return tableau_of(self._batch, self._seat(player), self.round)

    def objectives_met(self, player: int) -> tuple[str, ...]:
        """Of the objectives shown, those the player would score if the round ended now."""
        met = self._ask(kernels.objectives_met_all)[self._seat(player)]
        return tuple(OBJECTIVES[index].id for index in self._shown_objectives if (met >> index) & 1)

    # Scores

    @property
    def scores(self) -> tuple[int, ...]:
        """The totals of the finished rounds."""
        finished = self._games.points[0, : self._finished_rounds]
        return tuple(finished.sum(axis=(0, 2), dtype=int).tolist())

    @property
    def running_scores(self) -> tuple[int, ...]:
        """Colour and bonus points of the tableaux now; objectives count when a round ends."""
        points = self._games.points[0, self.round - 1]
        return tuple((points[:, 0].astype(int) + points[:, 1]).tolist())

    @property
    def round_scores(self) -> tuple[tuple[RoundScore, ...], ...]:
        """For each finished round, what each player scored."""
        finished = self._games.points[0, : self._finished_rounds].tolist()
        return tuple(tuple(RoundScore(*parts) for parts in round_) for round_ in finished)

    @property
    def round_tableaux(self) -> tuple[tuple[Tableau, ...], ...]:
        """For each finished round, the tableau of each player as it was scored."""
        return tuple(
            tuple(tableau_of(self._batch, player, round_) for player in self._players)
            for round_ in range(1, self._finished_rounds + 1)
        )

    @property
    def round_objectives(self) -> tuple[dict[str, tuple[int, ...]], ...]:
        """For each finished round, the objectives that were shown, and who met each of them.

        A sampled game knows nothing of those that were over before.
        """
        return tuple(map(self._who_met, range(1, self._finished_rounds + 1)))

    @property
    def winners(self) -> tuple[int, ...]:
        """Whoever won, once the game is over; several share a victory that no tie-break settles."""
        if not self.over:
            return ()
        ranks = self._ask(kernels.rank_all)
        return tuple(player for player in self._players if ranks[player] == 0)

    # Playing

    def play(self, cards: Iterable[int]) -> None:
        """Plays one turn: the card of player 0, of player 1, ..."""
        cards = as_list("the cards of a turn", cards)
        self._check_playable(cards)
        kernels.play_all(self._batch.arrays, np.array([cards], np.int8) - 1)

    def _check_playable(self, cards: list[Any]) -> None:
        if self.over:
            raise ValueError("the game is over: no more cards can be played")
        if len(cards) != self.config.num_players:
            raise ValueError(
                f"a turn takes {self.config.num_players} cards, one of each player in seat order; "
                f"here are {len(cards)}"
            )
        for player, card in enumerate(cards):
            hand = self.hand(player)
            if check_int(f"the card of player {player}", card) not in hand:
                raise ValueError(
                    f"player {player} cannot play card {card}, which is not in the hand: {hand}"
                )

    # The past, copies and files

    @property
    def plays(self) -> tuple[tuple[int, ...], ...]:
        """The cards of each turn so far, in seat order; 0 in a sampled game's unknown past."""
        return tuple(_numbers(turn) for turn in self._games.played[0, : self._clock])

    @property
    def deal(self) -> Deal:
        """All the cards that chance decided, those still to be drawn included."""
        return Deal.read(self._games, 0)

    def copy(self) -> Self:
        return self.from_batch(self._batch, 0)

    __copy__ = copy

    def to_dict(self) -> dict[str, Any]:
        """The game as plain data for JSON: its config, its deal and the cards played.

        A game that was sampled from a belief has no past. It has a ``start`` too: the state that
        was sampled, and the cards played are those since.
        """
        plain = {"config": self.config.to_dict(), "deal": self.deal.to_dict()}
        plays = [list(turn) for turn in self.plays]
        if midway.has_past(self._batch):
            return {**plain, "plays": plays}
        start = midway.read_start(self._batch)
        return {**plain, START: start, "plays": plays[start["turns_played"] :]}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        config, deal, plays = read_saved(plain)
        game = cls._begin(config, deal)
        if START in plain:
            midway.write_start(game._batch, plain[START])
        for turn, cards in enumerate(plays, start=1):
            try:
                game.play(cards)
            except ValueError as error:
                raise ValueError(f"turn {turn} of {len(plays)}: {error}") from None
        return game

    def record(self) -> dict[str, Any]:
        """The game and its result so far, in a versioned form to keep and to share."""
        return make_record(self.to_dict(), self._result())

    @classmethod
    def replay(cls, record: Mapping[str, Any], turns: int | None = None) -> Self:
        """The recorded game after that many turns, or after all of them."""
        saved, result = read_record(record)
        plays = as_list("plays", saved["plays"])
        game = cls.from_dict({**saved, "plays": plays})
        check_result(result, game._result())
        if turns is None:
            return game
        check_int("turns", turns, 0, len(plays))
        return cls.from_dict({**saved, "plays": plays[:turns]})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.config == other.config and all(
            map(np.array_equal, self._batch.arrays[1], other._batch.arrays[1])
        )

    __hash__ = None  # type: ignore[assignment]  # a game changes as it is played

    def __repr__(self) -> str:
        if self.over:
            state = f"over, won by {' and '.join(f'player {p}' for p in self.winners)}"
        else:
            state = f"round {self.round}, turn {self.turn}"
        return f"<Game of {self.config.num_players} players: {state}, scores {self.scores}>"

    def __str__(self) -> str:
        return table_text(self)

    @property
    def _games(self) -> Games:
        return self._batch.games

    @property
    def _clock(self) -> int:
        return int(self._games.clock[0])

    @property
    def _players(self) -> range:
        return range(self.config.num_players)

    @property
    def _finished_rounds(self) -> int:
        return self.round if self.over else self.round - 1

    @property
    def _shown_objectives(self) -> list[int]:
        shown: list[int] = self._games.objectives[0, self.round - 1].tolist()
        return shown

    def _who_met(self, round_: int) -> dict[str, tuple[int, ...]]:
        shown = self._games.objectives[0, round_ - 1].tolist()
        met = objectives_met_in(self._batch, round_) if shown else None
        if met is None:
            return {}
        return {
            OBJECTIVES[index].id: tuple(np.flatnonzero((met >> index) & 1).tolist())
            for index in shown
        }

    def _seat(self, player: int) -> int:
        return check_int("player", player, 0, self.config.num_players - 1)

    def _ask(self, question: Callable[[kernels.BatchArrays, Int64Array], None]) -> list[int]:
        answers = np.zeros((1, self.config.num_players), np.int64)
        question(self._batch.arrays, answers)
        return [int(answer) for answer in answers[0]]

    def _result(self) -> dict[str, Any]:
        return {
            "over": self.over,
            "round_scores": [
                [{**score._asdict(), "total": score.total} for score in round_]
                for round_ in self.round_scores
            ],
            "scores": list(self.scores),
            "winners": list(self.winners),
        }


def _checked(config: Any) -> GameConfig:
    if not isinstance(config, GameConfig):
        raise ValueError(f"config must be a GameConfig, not {config!r}")
    return config


def _numbers(cards: Int8Array) -> tuple[int, ...]:
    return tuple((cards + 1).tolist())
