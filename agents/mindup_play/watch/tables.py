"""The games that are watched: a recorded one, or one that bots play now, and the next ones."""

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from time import perf_counter
from typing import Any, Self

import numpy as np

from mindup_env import BatchEnv, Game, GameConfig
from mindup_play.bots import BotError, BotPlayer, TurnSnapshot, in_background
from mindup_play.records import evaluations_of, games_of, player_names
from mindup_play.routes import Route, Routes
from mindup_play.session_manager import StaleRequestError
from mindup_play.settings import MAX_SEED
from mindup_play.table_state import deck_state, table_state, table_states
from mindup_play.watch.insights import CardProbabilities, PrizeForecast, feature_reader

Plain = dict[str, Any]


class WatchedGame:
    """A recorded game, or the turns so far of one that is played, which has a seed.

    ``games`` are the game before the first turn, and after each turn. Without ``names`` the page
    numbers the players. The ``evaluations`` are by turn and player.
    """

    def __init__(
        self,
        games: Sequence[Game],
        names: Sequence[str] | None,
        evaluations: list[list[Plain | None]] | None,
        seed: int | None = None,
    ) -> None:
        self._seed = "" if seed is None else str(seed)
        self._lock = Lock()
        self._config = games[0].config
        self._num_turns = self._config.num_turns if self._seed else len(games) - 1
        self._names = names and list(names)
        self._games, self._tables = list(games), table_states(games)
        self._evaluations = evaluations
        self._details: list[list[Plain]] = []  # by turn and player
        self._thinking: tuple[int, float] | None = None  # the seat that chooses, and since when
        self._failed: str | None = None
        self._forecast = PrizeForecast(self._config)

    @classmethod
    def of_record(cls, record: Mapping[str, Any], names: Sequence[str] | None = None) -> Self:
        games = games_of(record)
        evaluations = evaluations_of(record, games[:-1])
        return cls(games, player_names(record, games[0], names), evaluations)

    def table(self, first: int) -> Plain:
        """All tables from the one after ``first`` turns on, and what the bots make of them."""
        before, evaluations = max(first - 1, 0), self._evaluations
        with self._lock:
            seat, since = self._thinking or (None, 0.0)
            return {
                "deck": deck_state(self._config.deck),
                "names": self._names,
                "first": first,
                "tables": self._tables[first:],
                "evaluations": evaluations if evaluations is None else evaluations[before:],
                "details": self._details[before:],
                "num_turns": self._num_turns,
                "thinking": None
                if seat is None
                else {"seat": seat, "seconds": perf_counter() - since},
                "failed": self._failed,
                # A text, because a JavaScript number holds no more than 53 bits.
                "seed": self._seed or None,
            }

    def forecast(self, seed: str, turn: int) -> list[CardProbabilities]:
        """By seat and card, the probability of each prize of the row after so many turns.

        ``seed`` is that of the game, as its table has it; empty for a recorded game.
        """
        if seed != self._seed:
            raise StaleRequestError("outdated")
        with self._lock:
            games = [*self._games]
        return self._forecast.at(games, turn)


class BotsTable(WatchedGame):
    """Bots at all seats of one game; they play on as fast as they can until it is over.

    ``warn`` is told why a bot fails; the page only shows which one it was.
    """

    def __init__(
        self,
        specs: Sequence[str],
        names: Sequence[str],
        config: GameConfig,
        seed: int,
        warn: Callable[[str], None],
    ) -> None:
        self._players, self._warn = list(names), warn
        self._bots = [BotPlayer(spec, config, seat) for seat, spec in enumerate(specs)]
        self._env = BatchEnv(config, autoreset=False)
        self._env.reset(seed=seed)
        self._shown: list[list[Plain | None]] = []  # the evaluations
        super().__init__([self._env.game(0)], names, self._shown, seed)
        self._closed = False

    def start(self) -> None:
        """Lets the bots play, in a thread."""
        in_background(self._play)

    def close(self) -> None:
        """Ends the game after the turn that the bots play now."""
        self._closed = True

    def _play(self) -> None:
        readers = [feature_reader(bot.agent, self._config) for bot in self._bots]
        game = self._games[0]
        while not game.over and not self._closed:
            turn = TurnSnapshot.of(self._env)
            choices, details = [], []
            for seat, (bot, reader) in enumerate(zip(self._bots, readers, strict=True)):
                since = perf_counter()
                self._thinking = seat, since
                try:
                    choices.append(bot.choose(turn))
                except BotError as error:
                    self._warn(str(error))
                    with self._lock:
                        self._failed, self._thinking = self._players[seat], None
                    return
                features = [] if reader is None else reader()
                details.append({"seconds": perf_counter() - since, "features": features})
            self._env.step(np.array([[choice.card - 1 for choice in choices]]))
            before, game = game, self._env.game(0)
            with self._lock:
                self._games.append(game)
                self._tables.append(table_state(game, before))
                self._shown.append([choice.evaluation_dict() for choice in choices])
                self._details.append(details)
                self._thinking = None


class BotsGames:
    """The game that is watched, and the next ones, each with the next seed.

    ``make`` returns the table of a seed, before its first turn.
    """

    def __init__(self, make: Callable[[int], BotsTable], seed: int) -> None:
        self._lock = Lock()
        self._make, self._seed = make, seed
        self._table = make(seed)
        self._table.start()

    def table(self, first: int) -> Plain:
        return self._table.table(first)

    def forecast(self, seed: str, turn: int) -> list[CardProbabilities]:
        return self._table.forecast(seed, turn)

    def deal(self, seed: str) -> Plain:
        """Deals the game after that of ``seed``, unless another request has dealt it."""
        with self._lock:
            if seed == str(self._seed):
                next_seed = (self._seed + 1) % (MAX_SEED + 1)
                table = self._make(next_seed)
                self._table.close()
                self._table, self._seed = table, next_seed
                table.start()
            return {"seed": str(self._seed)}


WATCH_ROUTES: Routes = {
    ("GET", "/table"): Route(WatchedGame.table),
    ("GET", "/forecast"): Route(WatchedGame.forecast),
}
"""Those for a recorded game."""
BOTS_ROUTES: Routes = {
    ("GET", "/table"): Route(BotsGames.table),
    ("GET", "/forecast"): Route(BotsGames.forecast),
    ("POST", "/deal"): Route(BotsGames.deal),
}
"""Those for games of bots."""
