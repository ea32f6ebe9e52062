"""The games that are watched: a recorded one, or one that bots play now, and the next ones."""

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, Self

import numpy as np

from mindup_env import BatchEnv, Game, GameConfig
from mindup_play.bots import BotError, BotPlayer, TurnSnapshot, in_background
from mindup_play.records import evaluations_of, games_of, player_names
from mindup_play.routes import get, post
from mindup_play.session import Evaluations
from mindup_play.settings import MAX_SEED
from mindup_play.table_state import deck_state, table_state, table_states

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
    ) -> None:
        # A text, because a JavaScript number holds no more than 53 bits.
        self.seed = None if seed is None else str(seed)
        self._lock = Lock()
        self._config = games[0].config
        self._num_turns = len(games) - 1 if seed is None else self._config.num_turns
        self._names = names and list(names)
        self._tables = table_states(games)
        self._evaluations = evaluations or []
        self._thinking: int | None = None  # the seat that chooses
        self._failed: str | None = None  # the name of the bot that ended the game
        self._closed = False

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
        game = cls([env.game(0)], names, seed=seed)
        in_background(lambda: game._play(env, dict(zip(names, bots, strict=True)), warn))
        return game

    def close(self) -> None:
        """Ends the game after the turn that the bots play now."""
        self._closed = True

    @get
    def table(self, first: int) -> Plain:
        """All tables from the one after ``first`` turns on, and what the bots make of them."""
        with self._lock:
            return {
                "deck": deck_state(self._config.deck),
                "names": self._names,
                "tables": self._tables[first:],
                "evaluations": self._evaluations[max(first - 1, 0) :],
                "num_turns": self._num_turns,
                "thinking": self._thinking,
                "failed": self._failed,
                "seed": self.seed,
            }

    def _play(
        self, env: BatchEnv, bots: Mapping[str, BotPlayer], warn: Callable[[str], None]
    ) -> None:
        game = env.game(0)
        while not game.over and not self._closed:
            turn, choices = TurnSnapshot.of(env), []
            for seat, (name, bot) in enumerate(bots.items()):
                self._thinking = seat
                try:
                    choices.append(bot.choose(turn))
                except BotError as error:
                    warn(str(error))
                    with self._lock:
                        self._failed, self._thinking = name, None
                    return
            env.step(np.array([[choice.card - 1 for choice in choices]]))
            before, game = game, env.game(0)
            with self._lock:
                self._tables.append(table_state(game, before))
                self._evaluations.append([choice.evaluation_dict() for choice in choices])
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

    @post
    def deal(self, seed: str) -> Plain:
        """Deals the game after that of ``seed``, unless another request has dealt it."""
        with self._lock:
            if seed == self.game.seed:
                before, self.game = self.game, self._make((int(seed) + 1) % (MAX_SEED + 1))
                before.close()
            return {"seed": self.game.seed}
