"""The games that are watched: a recorded one, or one that bots play now, and the next ones."""

import traceback
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

from mindup_agents.labels import numbered
from mindup_agents.review import GameReview
from mindup_env import Game, GameConfig
from mindup_play.advice import Advice
from mindup_play.bots import BotError, BotPlayer, in_background, in_thread
from mindup_play.records import CARD_EVALUATIONS, NAMES, after_turn, games_of, replay_data
from mindup_play.reviews import Reviews
from mindup_play.server import get, post
from mindup_play.settings import MAX_SEED, STRENGTHS, short_name
from mindup_play.table_state import deck_state, table_states

Plain = dict[str, Any]


class RecordedGame:
    """What the page of a recorded game asks for."""

    view = "review"

    def __init__(self, record: Plain, review: GameReview | None = None) -> None:
        self.games = games_of(record)
        self.review = review
        self._advice = Advice(self.games, [*STRENGTHS])
        self._data = replay_data(record)

    def routes(self) -> list[BaseRoute]:
        return [get(self.replay), get(self.ask)]

    async def replay(self, game: str) -> Plain:  # noqa: ARG002  # the server has no other
        review = self.review and self.review.to_dict()
        return {**self._data, "ask": self._advice.bots, "review": review}

    async def ask(self, game: str, bot: str, turn: str) -> Plain:  # noqa: ARG002
        return await self._advice.choices(bot, turn)


class WatchedGame:
    """The turns so far of a game that bots play in a thread, as fast as they can."""

    def __init__(self, specs: Sequence[str], config: GameConfig, seed: int) -> None:
        self.seed = str(seed)  # a text, because a JavaScript number holds no more than 53 bits
        self._names = numbered([short_name(spec) for spec in specs])
        self._bots = [BotPlayer(spec, config, seed, seat) for seat, spec in enumerate(specs)]
        self.games = [Game(config, seed)]
        self.advice = Advice(self.games, list(dict.fromkeys([*STRENGTHS, *specs])), seed)
        self._evaluations: list[list[Plain | None]] = []  # what the bots made of each turn
        self._thinking: int | None = None  # the seat that chooses
        self._failed: str | None = None  # why a bot ended the game
        self._closed = False
        self.played = in_background(self._play)

    def close(self) -> None:
        """Ends the game after the turn that the bots play now."""
        self._closed = True

    def table(self, first: int) -> Plain:
        """All tables from the one after ``first`` turns on, and what the bots made of them."""
        games = self.games[:]  # which may grow; the evaluations of a turn are there before it
        config = games[0].config
        return {
            "deck": deck_state(config.deck),
            "names": self._names,
            "tables": table_states(games)[first:],
            "evaluations": self._evaluations[max(first, 1) - 1 : len(games) - 1],
            "num_turns": config.num_turns,
            "thinking": self._thinking,
            "failed": self._failed,
            "seed": self.seed,
            "ask": self.advice.bots,
        }

    def record(self) -> Plain:
        """The record of the game when it is over."""
        if not self.games[-1].over:
            raise HTTPException(HTTPStatus.CONFLICT, "The game is not over.")
        more = {NAMES: self._names, CARD_EVALUATIONS: self._evaluations}
        return {**self.games[-1].record(), **more}

    def _play(self) -> None:
        try:
            while not self.games[-1].over and not self._closed:
                self._play_turn(self.games[-1])
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
        self._evaluations.append([choice.evaluation for choice in choices])
        self.games.append(after_turn(game, [choice.card for choice in choices]))


class BotsGames:
    """The game that is watched, and the next ones, each with the next seed, which names it."""

    view = "watch"

    def __init__(self, specs: Sequence[str], config: GameConfig, seed: int) -> None:
        self._make = partial(WatchedGame, specs, config)
        self.game = self._make(seed)
        self._reviews = Reviews()

    def routes(self) -> list[BaseRoute]:
        shown = self.table, self.ask, self.record, self.replay
        return [*map(get, shown), post(self.deal), post(self.review)]

    async def table(self, first: str) -> Plain:
        return self.game.table(int(first))

    async def ask(self, game: str, bot: str, turn: str) -> Plain:
        return await self._current(game).advice.choices(bot, turn)

    async def record(self, game: str) -> Plain:
        return self._current(game).record()

    async def replay(self, game: str) -> Plain:
        current = self._current(game)
        data = await in_thread(partial(replay_data, current.record()))
        return {**data, "ask": current.advice.bots, "seat": None}

    async def review(self, game: str, turn: int) -> Plain:  # noqa: ARG002  # it is over
        current = self._current(game)
        current.record()
        return self._reviews.progress(game, current.games)

    async def deal(self, seed: str) -> Plain:
        """Deals the game after that of ``seed``, unless another request has dealt it."""
        if seed == self.game.seed:
            next_seed = (int(seed) + 1) % (MAX_SEED + 1)
            other = await in_thread(partial(self._make, next_seed))
            if seed == self.game.seed:
                self.game, other = other, self.game
            other.close()
        return {"seed": self.game.seed}

    def _current(self, seed: str) -> WatchedGame:
        if seed != self.game.seed:
            raise HTTPException(HTTPStatus.CONFLICT, "Another game is watched now.")
        return self.game
