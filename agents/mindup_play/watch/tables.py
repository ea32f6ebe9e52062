"""The games that are watched: a recorded one, or one that bots play now, and the next ones."""

import traceback
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import numpy as np

from mindup_agents.review import GameReview
from mindup_env import BatchEnv, GameConfig
from mindup_play.bots import BotError, BotPlayer, TurnSnapshot, in_background
from mindup_play.routes import get, post
from mindup_play.session import Evaluations
from mindup_play.settings import MAX_SEED
from mindup_play.table_state import deck_state, table_state

Plain = dict[str, Any]

WATCHED_AT = "Watch at {address} (Ctrl-C ends)"
"""What the terminal says of the page."""


class RecordedGame:
    """What the page of a recorded game asks for; ``data`` is that of ``replay_data``."""

    def __init__(self, data: Plain, review: GameReview | None = None) -> None:
        self._data = {**data, "review": review and review.to_dict()}

    @get
    def replay(self, game: str) -> Plain:  # noqa: ARG002  # the server has no other
        return self._data


class WatchedGame:
    """The turns so far of a game that bots play in a thread, as fast as they can."""

    def __init__(
        self,
        specs: Sequence[str],
        names: Sequence[str],
        config: GameConfig,
        seed: int,
    ) -> None:
        self.seed = str(seed)  # a text, because a JavaScript number holds no more than 53 bits
        self._lock = Lock()
        self._names, self._config = list(names), config
        self._bots = [BotPlayer(spec, config, seat) for seat, spec in enumerate(specs)]
        self._env = BatchEnv(config, autoreset=False)
        self._env.reset(seed=seed)
        self._tables = [table_state(self._env.game(0), None)]
        self._evaluations: Evaluations = []
        self._thinking: int | None = None  # the seat that chooses
        self._failed: str | None = None  # why a bot ended the game
        self._closed = False
        self.played = in_background(self._play)

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
                "num_turns": self._config.num_turns,
                "thinking": self._thinking,
                "failed": self._failed,
                "seed": self.seed,
            }

    def _play(self) -> None:
        game = self._env.game(0)
        while not game.over and not self._closed:
            turn, choices = TurnSnapshot.of(self._env), []
            for seat, bot in enumerate(self._bots):
                self._thinking = seat
                try:
                    choices.append(bot.choose(turn))
                except BotError as error:
                    traceback.print_exception(error)
                    with self._lock:
                        self._failed, self._thinking = str(error), None
                    return
            self._env.step(np.array([[choice.card - 1 for choice in choices]]))
            before, game = game, self._env.game(0)
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
