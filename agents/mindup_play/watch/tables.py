"""The games that are watched: a recorded one, or one that bots play now, and the next ones."""

import re
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

from mindup_agents.review import GameReview
from mindup_env import BatchEnv, GameConfig
from mindup_play.bots import BotError, BotPlayer, TurnSnapshot, in_background, in_thread
from mindup_play.server import get, post
from mindup_play.settings import MAX_SEED
from mindup_play.table_state import deck_state, table_state

Plain = dict[str, Any]


class RecordedGame:
    """What the page of a recorded game asks for; ``data`` is that of ``replay_data``."""

    def __init__(self, data: Plain, review: GameReview | None = None) -> None:
        self._data = {**data, "review": review and review.to_dict()}

    def routes(self) -> list[BaseRoute]:
        return [get("/replay", self.replay, "game")]

    async def replay(self, game: str) -> Plain:  # noqa: ARG002  # the server has no other
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
        self._names, self._config = list(names), config
        self._bots = [BotPlayer(spec, config, seat) for seat, spec in enumerate(specs)]
        self._env = BatchEnv(config, autoreset=False)
        self._env.reset(seed=seed)
        # Each table, with what the bots made of the turn before it.
        self._turns: list[tuple[Plain, list[Plain | None]]] = [
            (table_state(self._env.game(0), None), [])
        ]
        self._thinking: int | None = None  # the seat that chooses
        self._failed: str | None = None  # why a bot ended the game
        self._closed = False
        self.played = in_background(self._play)

    def close(self) -> None:
        """Ends the game after the turn that the bots play now."""
        self._closed = True

    def table(self, first: int) -> Plain:
        """All tables from the one after ``first`` turns on, and what the bots make of them."""
        turns = [*self._turns]  # which may grow
        return {
            "deck": deck_state(self._config.deck),
            "names": self._names,
            "tables": [table for table, _ in turns[first:]],
            "evaluations": [evaluations for _, evaluations in turns[max(first, 1) :]],
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
                    self._failed, self._thinking = str(error), None
                    return
            self._env.step(np.array([[choice.card - 1 for choice in choices]]))
            before, game = game, self._env.game(0)
            evaluations = [choice.evaluation_dict() for choice in choices]
            self._turns.append((table_state(game, before), evaluations))
            self._thinking = None


class BotsGames:
    """The game that is watched, and the next ones, each with the next seed.

    ``make`` starts the game of a seed.
    """

    def __init__(self, make: Callable[[int], WatchedGame], seed: int) -> None:
        self._make, self.game = make, make(seed)

    def routes(self) -> list[BaseRoute]:
        return [get("/table", self.table, "first"), post("/deal", self.deal, seed=str)]

    async def table(self, first: str) -> Plain:
        if not re.fullmatch("[0-9]{1,4}", first, re.ASCII):
            raise HTTPException(400, "first must be a number of turns")
        return self.game.table(int(first))

    async def deal(self, seed: str) -> Plain:
        """Deals the game after that of ``seed``, unless another request has dealt it."""
        if seed == self.game.seed:
            made = await in_thread(partial(self._make, (int(seed) + 1) % (MAX_SEED + 1)))
            dealt, left = (made, self.game) if seed == self.game.seed else (self.game, made)
            self.game = dealt
            left.close()
        return {"seed": self.game.seed}
