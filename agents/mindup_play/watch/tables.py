"""The games that are watched: a recorded one, or one that bots play now, and the next ones."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from time import perf_counter
from typing import Any, Self

import numpy as np

from mindup_env import BatchEnv, Game, GameConfig
from mindup_play.bots import BotError, BotPlayer, TurnSnapshot, in_background
from mindup_play.forecast import Forecasts
from mindup_play.records import evaluations_of, games_of, player_names
from mindup_play.routes import get, post
from mindup_play.session import Evaluations
from mindup_play.session_manager import StaleRequestError
from mindup_play.settings import MAX_SEED
from mindup_play.table_state import deck_state, table_state, table_states
from mindup_play.watch.insights import feature_reader

Plain = dict[str, Any]

WATCHED_AT = "Watch at {address} (Ctrl-C ends)"
"""What the terminal says of the page."""


class WatchedGame:
    """A recorded game, or the turns so far of one that is played, which has a seed.

    ``games`` are the game before the first turn, and after each turn. Without ``names`` the page
    numbers the players. The ``evaluations`` are by turn and player.
    """

    def __init__(
        self,
        games: list[Game],
        names: Sequence[str] | None,
        evaluations: Evaluations | None = None,
        seed: int | None = None,
        bots: Iterable[BotPlayer] = (),
    ) -> None:
        self.seed = "" if seed is None else str(seed)
        self._lock = Lock()
        self._config = games[0].config
        self._num_turns = len(games) - 1 if seed is None else self._config.num_turns
        self._names = names and list(names)
        self._games, self._tables = games, table_states(games)
        self._evaluations = evaluations or []
        self._details: list[list[Plain]] = []  # by turn and player
        self._thinking: tuple[int, float] | None = None  # the seat that chooses, and since when
        self._failed: str | None = None  # the name of the bot that ended the game
        self._closed = False
        self._forecasts = Forecasts(self._config, bots)

    @classmethod
    def of_record(cls, record: Mapping[str, Any], names: Sequence[str] | None = None) -> Self:
        games = games_of(record)
        evaluations = evaluations_of(record, games[:-1])
        return cls(games, player_names(record, games[0], names), evaluations)

    @classmethod
    def of_bots(
        cls,
        specs: Sequence[str],
        names: Sequence[str],
        config: GameConfig,
        seed: int,
        warn: Callable[[str], None],
    ) -> Self:
        """A game that bots play in a thread, as fast as they can.

        ``warn`` is told why a bot fails; the page only shows which one it was.
        """
        bots = [BotPlayer(spec, config, seat) for seat, spec in enumerate(specs)]
        env = BatchEnv(config, autoreset=False)
        env.reset(seed=seed)
        game = cls([env.game(0)], names, seed=seed, bots=bots)
        in_background(lambda: game._play(env, dict(zip(names, bots, strict=True)), warn))
        return game

    def close(self) -> None:
        """Ends the game after the turn that the bots play now."""
        self._closed = True

    @get
    def table(self, first: int) -> Plain:
        """All tables from the one after ``first`` turns on, and what the bots make of them."""
        before = max(first - 1, 0)
        with self._lock:
            seat, since = self._thinking or (None, 0.0)
            thinking = {"seat": seat, "seconds": perf_counter() - since}
            return {
                "deck": deck_state(self._config.deck),
                "names": self._names,
                "tables": self._tables[first:],
                "evaluations": self._evaluations[before:],
                "details": self._details[before:],
                "num_turns": self._num_turns,
                "thinking": None if seat is None else thinking,
                "failed": self._failed,
                # A text, because a JavaScript number holds no more than 53 bits.
                "seed": self.seed or None,
            }

    @get
    def forecast(self, seed: str, turn: int) -> list[Plain]:
        """By seat, what it can expect of the turn after so many turns.

        ``seed`` is that of the game, as its table has it; empty for a recorded game.
        """
        if seed != self.seed:
            raise StaleRequestError("outdated")
        with self._lock:
            games = [*self._games]
        return [each._asdict() for each in self._forecasts.at(games, turn)]

    def _play(
        self, env: BatchEnv, bots: Mapping[str, BotPlayer], warn: Callable[[str], None]
    ) -> None:
        readers = [feature_reader(bot.agent, self._config) for bot in bots.values()]
        while not self._games[-1].over and not self._closed:
            turn = TurnSnapshot.of(env)
            choices, details = [], []
            for seat, (name, reader) in enumerate(zip(bots, readers, strict=True)):
                since = perf_counter()
                self._thinking = seat, since
                try:
                    choices.append(bots[name].choose(turn))
                except BotError as error:
                    warn(str(error))
                    with self._lock:
                        self._failed, self._thinking = name, None
                    return
                features = [] if reader is None else reader()
                details.append({"seconds": perf_counter() - since, "features": features})
            env.step(np.array([[choice.card - 1 for choice in choices]]))
            with self._lock:
                self._games.append(env.game(0))
                self._tables.append(table_state(self._games[-1], self._games[-2]))
                self._evaluations.append([choice.evaluation_dict() for choice in choices])
                self._details.append(details)
                self._thinking = None


class BotsGames:
    """The game that is watched, and the next ones, each with the next seed.

    ``make`` starts the game of a seed.
    """

    def __init__(self, make: Callable[[int], WatchedGame], seed: int) -> None:
        self._lock, self._make, self.game = Lock(), make, make(seed)

    @get
    def table(self, first: int) -> Plain:
        return self.game.table(first)

    @get
    def forecast(self, seed: str, turn: int) -> list[Plain]:
        return self.game.forecast(seed, turn)

    @post
    def deal(self, seed: str) -> Plain:
        """Deals the game after that of ``seed``, unless another request has dealt it."""
        with self._lock:
            if seed == self.game.seed:
                before, self.game = self.game, self._make((int(seed) + 1) % (MAX_SEED + 1))
                before.close()
            return {"seed": self.game.seed}
