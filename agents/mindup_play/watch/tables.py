"""The games that are watched: a recorded one, or one that bots play now, and the next ones."""

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from mindup_env import BatchEnv, Game, GameConfig
from mindup_play.background_worker import BackgroundWorker
from mindup_play.bots import BotChoice, BotError, BotPlayer, TurnSnapshot
from mindup_play.records import games_of, replay_data
from mindup_play.session_manager import StaleRequestError
from mindup_play.settings import MAX_SEED
from mindup_play.table_state import deck_state, table_state
from mindup_play.watch.insights import (
    CardProbabilities,
    FeatureReader,
    PrizeForecast,
    feature_reader,
)

Plain = dict[str, Any]


class _Thinking(NamedTuple):
    seat: int
    since: float


class _Seat(NamedTuple):
    bot: BotPlayer
    features: FeatureReader | None


class BotsTable:
    """Bots at all seats of one game; they play on as fast as they can until it is over.

    Args:
        specs: the bot of each seat.
        names: how the page calls them.
        config: the rules.
        seed: random seed of the deal and of the bots.
        warn: told about a bot that fails; the page only shows which one it was.
    """

    def __init__(
        self,
        specs: Sequence[str],
        names: Sequence[str],
        config: GameConfig,
        seed: int,
        warn: Callable[[str], None],
    ) -> None:
        self._names, self._config, self._warn = list(names), config, warn
        self.seed = seed
        self._bots = [BotPlayer(spec, config, seat) for seat, spec in enumerate(specs)]
        self._env = BatchEnv(config, autoreset=False, illegal_action="raise")
        self._env.reset(seed=seed)
        self._worker, self._closed = BackgroundWorker(), False
        self._lock = Lock()
        self._games = [self._env.game(0)]  # before the first turn, and after each turn
        self._forecast = PrizeForecast(config)
        self._tables = [table_state(self._games[0], None)]
        self._evaluations: list[list[Plain | None]] = []  # by turn and player
        self._details: list[list[Plain]] = []
        self._thinking: _Thinking | None = None
        self._failed: str | None = None

    def start(self) -> None:
        """Lets the bots play, in a thread."""
        self._worker.submit(self._play)

    def close(self) -> None:
        """Ends the game after the turn that the bots play now."""
        self._closed = True
        self._worker.close()

    def state(self, first: int) -> Plain:
        with self._lock:
            thinking = self._thinking
            return {
                "deck": deck_state(self._config.deck),
                "names": self._names,
                "first": first,
                "tables": self._tables[first:],
                "evaluations": self._evaluations[max(first - 1, 0) :],
                "details": self._details[max(first - 1, 0) :],
                "num_turns": self._config.num_turns,
                "thinking": None
                if thinking is None
                else {"seat": thinking.seat, "seconds": perf_counter() - thinking.since},
                "failed": self._failed,
                "seed": str(self.seed),  # a JavaScript number holds no more than 53 bits
            }

    def forecast(self, seed: str, turn: int) -> list[CardProbabilities]:
        """The probability that each card of each seat takes each prize, after so many turns."""
        if seed != str(self.seed):
            raise StaleRequestError("outdated")
        with self._lock:
            games = [*self._games]
        return self._forecast.at(games, turn)

    def _play(self) -> None:
        seats = [_Seat(bot, feature_reader(bot.agent, self._config)) for bot in self._bots]
        game = self._games[0]
        while not game.over and not self._closed:
            turn = TurnSnapshot.of(self._env)
            choices, details = [], []
            for number, seat in enumerate(seats):
                since = perf_counter()
                self._think(number, since)
                try:
                    choices.append(seat.bot.choose(turn))
                except BotError as error:
                    self._warn(str(error))
                    self._fail(self._names[number])
                    return
                features = [] if seat.features is None else seat.features.read()
                details.append({"seconds": perf_counter() - since, "features": features})
            self._env.step(np.array([[choice.card - 1 for choice in choices]]))
            before, game = game, self._env.game(0)
            self._show(before, game, choices, details)

    def _think(self, seat: int, since: float) -> None:
        with self._lock:
            self._thinking = _Thinking(seat, since)

    def _fail(self, name: str) -> None:
        with self._lock:
            self._failed, self._thinking = name, None

    def _show(
        self, before: Game, game: Game, choices: Sequence[BotChoice], details: list[Plain]
    ) -> None:
        with self._lock:
            self._games.append(game)
            self._tables.append(table_state(game, before))
            self._evaluations.append([choice.evaluation_dict() for choice in choices])
            self._details.append(details)
            self._thinking = None


class RecordedTable:
    """All turns of a record, at once."""

    def __init__(self, record: Mapping[str, Any], names: list[str] | None) -> None:
        self._data = replay_data(record, names)
        self._games = games_of(record)
        self._forecast = PrizeForecast(self._games[0].config)

    def state(self, first: int) -> dict[str, Any]:
        return {
            **self._data,
            "first": first,
            "tables": self._data["tables"][first:],
            "details": [],
            "num_turns": len(self._data["tables"]) - 1,
            "thinking": None,
            "failed": None,
            "seed": None,
        }

    def forecast(self, seed: str, turn: int) -> list[CardProbabilities]:
        if seed:
            raise StaleRequestError("outdated")
        return self._forecast.at(self._games, turn)


class BotsGames:
    """The game that is watched, and the next ones, each with the next seed.

    Args:
        make: returns the table of a seed, before its first turn.
        seed: the seed of the first game.
    """

    def __init__(self, make: Callable[[int], BotsTable], seed: int) -> None:
        self._lock = Lock()
        self._make = make
        self._table = make(seed)
        self._table.start()

    def state(self, first: int) -> dict[str, Any]:
        return self._table.state(first)

    def forecast(self, seed: str, turn: int) -> list[CardProbabilities]:
        return self._table.forecast(seed, turn)

    def deal(self, seed: str) -> dict[str, Any]:
        """Deals the game after that of ``seed``, unless another request has dealt it."""
        with self._lock:
            if seed == str(self._table.seed):
                table = self._make((self._table.seed + 1) % (MAX_SEED + 1))
                self._table.close()
                self._table = table
                table.start()
            return {"seed": str(self._table.seed)}
