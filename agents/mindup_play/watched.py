"""The games that are watched: a recorded one, or one that bots play now, and the next ones."""

import traceback
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

from mindup_agents.labels import numbered
from mindup_agents.review import WORLDS
from mindup_env import Game, GameConfig
from mindup_play.bots import BotChoice, BotError, BotPlayer, in_background, in_thread
from mindup_play.finished import ShownGame, ShownGames
from mindup_play.records import after_turn
from mindup_play.server import get, post
from mindup_play.settings import MAX_SEED, STRENGTHS, short_name

Plain = dict[str, Any]


class RecordedGame:
    """A recorded game, which the page reviews if ``worlds``, those of each decision, are given."""

    view = "review"

    def __init__(self, game: ShownGame, worlds: int | None = None) -> None:
        self._game = game
        self._worlds = worlds

    def routes(self) -> list[BaseRoute]:
        shown = ShownGames(lambda _: self._game, self._worlds or WORLDS)
        return [get(self.replay), *shown.routes()]

    async def replay(self, game: str) -> Plain:  # noqa: ARG002  # the server has no other
        return {**self._game.data(), "review": self._worlds is not None}


class WatchedGame:
    """The turns so far of a game that bots play in a thread, as fast as they can."""

    def __init__(self, specs: Sequence[str], config: GameConfig, seed: int) -> None:
        self.seed = str(seed)  # a text, because a JavaScript number holds no more than 53 bits
        self._bots = [BotPlayer(spec, config, seed, seat) for seat, spec in enumerate(specs)]
        bots = list(dict.fromkeys([*STRENGTHS, *specs]))
        names = numbered([short_name(spec) for spec in specs])
        self._own: list[list[BotChoice]] = []
        self.shown = ShownGame([Game(config, seed)], names, bots, seed, own=self._own)
        self._thinking: int | None = None  # the seat that chooses
        self._failed: str | None = None  # why a bot ended the game
        self._closed = False
        self.played = in_background(self._play)

    def close(self) -> None:
        """Ends the game after the turn that the bots play now."""
        self._closed = True

    def table(self, first: int) -> Plain:
        """All tables from the one after ``first`` turns on."""
        data = self.shown.data()
        return {
            **data,
            "tables": data["tables"][first:],
            "num_turns": self.shown.games[0].config.num_turns,
            "thinking": self._thinking,
            "failed": self._failed,
            "seed": self.seed,
        }

    def _play(self) -> None:
        try:
            while not self.shown.games[-1].over and not self._closed:
                self._play_turn(self.shown.games[-1])
        except BotError as error:
            traceback.print_exception(error)
            self._failed = str(error)
            self._thinking = None

    def _play_turn(self, game: Game) -> None:
        choices = []
        for seat, bot in enumerate(self._bots):
            self._thinking = seat
            choices.append(bot.choose(game))
        self._thinking = None
        self._own.append(choices)  # there before the next table
        self.shown.games.append(after_turn(game, [choice.card for choice in choices]))


class BotsGames:
    """The game that is watched, and the next ones, each with the next seed, which names it."""

    view = "watch"

    def __init__(self, specs: Sequence[str], config: GameConfig, seed: int) -> None:
        self._make = partial(WatchedGame, specs, config)
        self.game = self._make(seed)
        self._shown_games = ShownGames(self._current)

    def routes(self) -> list[BaseRoute]:
        return [get(self.table), post(self.deal), *self._shown_games.routes()]

    async def table(self, first: str) -> Plain:
        return self.game.table(int(first))

    async def deal(self, seed: str) -> Plain:
        """Deals the game after that of ``seed``, unless another request has dealt it."""
        if seed == self.game.seed:
            next_seed = (int(seed) + 1) % (MAX_SEED + 1)
            other = await in_thread(partial(self._make, next_seed))
            if seed == self.game.seed:
                self.game, other = other, self.game
            other.close()
        return {"seed": self.game.seed}

    def _current(self, seed: str) -> ShownGame:
        if seed != self.game.seed:
            raise HTTPException(HTTPStatus.CONFLICT, "Another game is watched now.")
        return self.game.shown
