"""Answers about games that are shown with all hands: replays, records, reviews and advice of bots.

Advice is what bots would play at every seat of a turn, from what that seat saw.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from starlette.routing import BaseRoute

from mindup_agents.review import WORLDS, review_game
from mindup_env import Game
from mindup_env.checks import InputError, check_int, suggestion
from mindup_env.config import MIN_PLAYERS
from mindup_play.bots import BotChoice, BotPlayer, in_background, in_thread
from mindup_play.records import Seats
from mindup_play.server import get, post
from mindup_play.settings import STRENGTHS, can_play
from mindup_play.table_state import Plain, deck_state, table_states

OWN = "own"
"""In the place of a bot that is asked: what the bots of the seats made of their cards."""


class ShownGame(NamedTuple):
    """A game without secrets; ``games`` are the one before the first turn, and after each turn."""

    games: list[Game]
    seats: Seats
    known_bots: Sequence[str] = tuple(STRENGTHS)  # can be asked; the name of another can run code
    seed: int = 0  # of these bots
    person: int | None = None  # the seat
    own: list[list[BotChoice]] | None = None  # of the bots that play the game, by turn and seat
    reviewed: bool = True  # whether its page reviews it at once

    @property
    def asked(self) -> list[str]:
        able = [bot for bot in self.known_bots if can_play(bot, self.games[0].config)]
        return [OWN, *able] if self.own is not None else able

    def data(self) -> Plain:
        """What a page shows of it."""
        games = self.games[:]  # which may grow
        config = games[0].config  # reviews are made by the champion, with two players by search
        reviewable = config.num_players == MIN_PLAYERS or can_play("champion", config)
        return {
            "deck": deck_state(config.deck),
            **self.seats._asdict(),
            "tables": table_states(games),
            "ask": self.asked,
            "person": self.person,
            "reviewed": self.reviewed and reviewable,
        }


class _Review:
    def __init__(self, games: list[Game], worlds: int) -> None:
        self.progress = 0.0
        show = partial(setattr, self, "progress")
        review = partial(review_game, games, worlds=worlds, on_progress=show)
        self.made = in_background(lambda: review().to_dict())


class _Advice:
    """A bot at every seat of a game; one with a memory sees all turns in their order."""

    def __init__(self, game: ShownGame, bot: str) -> None:
        config = game.games[0].config
        seats = range(config.num_players)
        self._games = game.games
        self._players = [BotPlayer(bot, config, game.seed, seat) for seat in seats]
        self._made: list[list[BotChoice]] = []

    def choices(self, turn: int) -> list[BotChoice]:
        for game in self._games[len(self._made) : turn + 1]:
            self._made.append([player.choose(game) for player in self._players])
        return self._made[turn]


class ShownGames:
    """Answers about games by their ids; ``find`` refuses those with secrets."""

    view = "review"

    def __init__(self, find: Callable[[str], ShownGame], worlds: int = WORLDS) -> None:
        self._find = find
        self.worlds = worlds  # of each decision that is reviewed
        self._reviews: dict[str, _Review] = {}
        self._advice: dict[tuple[str, str], _Advice] = {}

    def routes(self) -> list[BaseRoute]:
        return [get(self.replay), get(self.record), get(self.ask), post(self.review)]

    async def replay(self, game: str) -> Plain:
        """The game turn by turn, with all hands."""
        return await in_thread(self._find(game).data)

    async def record(self, game: str) -> Plain:
        """The record of the game, with all hands."""
        found = self._find(game)
        return {**found.games[-1].record(), **found.seats._asdict()}

    async def ask(self, game: str, bot: str, turn: str) -> Plain:
        """What a bot would play at every seat after so many turns."""
        found = self._find(game)
        if bot not in found.asked:
            raise InputError(f"unknown bot {bot!r}{suggestion(bot, found.asked)}")
        last = len(found.games) - 1 - (bot == OWN or found.games[-1].over)
        number = check_int("turn", int(turn) if turn.isdecimal() else turn, 0, last)
        if found.own is not None and bot == OWN:
            choices = found.own[number]
        else:
            # While it works, and after it has failed, another request makes another one.
            advice = self._advice.pop((game, bot), None)
            if advice is None:
                advice = await in_thread(partial(_Advice, found, bot))
            choices = await in_thread(partial(advice.choices, number))
            self._advice[game, bot] = advice
        return {"choices": [choice._asdict() for choice in choices]}

    async def review(self, game: str) -> Plain:
        """How far the review is; the first request starts it.

        A review that failed is reported once; then it can be started again.
        """
        found = self._find(game)
        review = self._reviews.get(game) or _Review(found.games, self.worlds)
        self._reviews[game] = review
        if not review.made.done():
            return {"progress": review.progress, "review": None}
        if review.made.exception():
            del self._reviews[game]
        return {"progress": 1.0, "review": review.made.result()}
