"""The game that is served and the saved ones, and the answers to the page's requests about them."""

import asyncio
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

from mindup_env import OFFICIAL_DECK
from mindup_env.checks import check_int
from mindup_play.bots import in_thread
from mindup_play.offer import NEW_GAME, STRENGTHS, bots_of, check_no_code, offer, settings_of
from mindup_play.preparation import Preparation
from mindup_play.records import replay_data
from mindup_play.review_jobs import ReviewJobs
from mindup_play.saved import SavedGames
from mindup_play.server import checked, get, post
from mindup_play.session import PlayedGame, Session
from mindup_play.settings import PlaySettings
from mindup_play.table_state import deck_state

Plain = dict[str, Any]
_OUTDATED = "The game has continued in the meantime, perhaps in another tab."


def _conflict(message: str = _OUTDATED) -> HTTPException:
    """The request is for another game or turn than the current one."""
    return HTTPException(HTTPStatus.CONFLICT, message)


class SessionManager:
    """The current game and the saved ones.

    Every request that changes something names the current ``game`` and its ``turn``: how many turns
    are played. It is checked again after all that takes time, and only then the state is changed.
    """

    def __init__(
        self, session: Session, game_id: str, games: SavedGames, preparation: Preparation
    ) -> None:
        self.session, self._game_id = session, game_id
        self._saved_games = games
        self._reviews = ReviewJobs()
        self.preparation = preparation
        self._known_bots = list(dict.fromkeys([*STRENGTHS, *bots_of(session.settings)]))

    def routes(self) -> list[BaseRoute]:
        turn: dict[str, type] = {"game": str, "turn": int}
        return [
            get("/deck", self.deck),
            get("/state", self.state),
            get("/hint", self.hint),
            get("/offer", self.offer),
            get("/games", self.games),
            get("/finished", self.finished, "game"),
            get("/log", self.log, "game"),
            get("/record", self.record, "game"),
            get("/replay", self.replay, "game"),
            post("/review", self.review, **turn),
            post("/play", self.play, **turn, card=int),
            post("/deal", self.deal, **turn, settings=dict),
            post("/resume", self.resume, **turn, saved_game=str),
            post("/try-again", self.try_again, **turn, saved_game=str, turns=int),
            post("/delete", self.delete, **turn, saved_game=str),
        ]

    # The current game

    async def deck(self) -> list[Plain]:
        """Colour and points of every card."""
        return deck_state(OFFICIAL_DECK)

    async def state(self) -> Plain:
        """The game as the person sees it."""
        return _page_state(self._game_id, self.session)

    async def hint(self) -> Plain:
        """The answer names its turn: the game may have continued in the meantime."""
        session = self.session
        turn = {"game_id": self._game_id, "turns_played": session.turns_played}
        if session.settings.hints is not None and not self.preparation.ready:
            return {**turn, "hint": None, "preparing": True}
        pending = session.hint()
        if pending is None:
            return {**turn, "hint": None}
        choice = await asyncio.wrap_future(pending)
        return {**turn, "hint": {"card": choice.card, "evaluation": choice.evaluation_dict()}}

    async def play(self, game: str, turn: int, card: int) -> Plain:
        self._check_current(game, turn)
        session = self.session
        if session.game.over:
            raise _conflict("The game is over.")
        session.check_card(card)
        await session.bots_chose()
        self._check_current(game, turn)
        if self._saved_games.is_elsewhere(game, session.game):
            await self._resume(game, turn, game)
            raise _conflict()
        session.play(card)
        self.save()
        return await self.state()

    def save(self) -> None:
        try:
            self._saved_games.save(self._game_id, self.session)
        except OSError as error:
            print(f"mindup: cannot save the game: {error}", file=sys.stderr)

    # Other games

    async def offer(self) -> Plain:
        """The bots of the new-game screen: no page names any other, which could run code."""
        return await in_thread(partial(offer, self._known_bots))

    async def deal(self, game: str, turn: int, settings: Plain) -> Plain:
        """Starts another game. The current one stays among the saved games."""
        self._check_current(game, turn)
        new = checked(settings, NEW_GAME, "settings")
        make = partial(settings_of, new, self.session.settings, self._known_bots)
        return await self._replace(game, turn, await in_thread(make))

    async def resume(self, game: str, turn: int, saved_game: str) -> Plain:
        """Continues a saved game in the place of the current one."""
        self._check_current(game, turn)
        if saved_game == game:
            return await self.state()
        return await self._resume(game, turn, saved_game)

    async def try_again(self, game: str, turn: int, saved_game: str, turns: int) -> Plain:
        """Plays on from a turn of a finished game, in the place of the current one."""
        self._check_current(game, turn)
        found = await self._finished(saved_game)
        plays = found.game.plays[: check_int("turns", turns, 0, found.turns_played - 1)]
        return await self._replace(game, turn, found.settings, plays)

    async def delete(self, game: str, turn: int, saved_game: str) -> Plain:
        self._check_current(game, turn)
        if saved_game == game:
            raise _conflict("The current game cannot be deleted.")
        self._saved_games.delete(saved_game)
        return await self.games()

    async def games(self) -> Plain:
        """The saved games, the newest first."""
        newest = self._saved_games.newest_first()
        return {"games": await in_thread(lambda: [self._entry(*each) for each in newest])}

    # Finished games

    async def finished(self, game: str) -> Plain:
        """The last state of a finished game, current or saved."""
        return _page_state(game, await self._finished(game))

    async def log(self, game: str) -> Plain:
        """All turns of the current game, or of a finished one, with the points they brought."""
        found = self.session if game == self._game_id else await self._finished(game)
        return {"turns": found.log()}

    async def record(self, game: str) -> Plain:
        """The record of a finished game, with all hands."""
        return (await self._finished(game)).record()

    async def replay(self, game: str) -> Plain:
        """A finished game turn by turn, with all hands."""
        found = await self._finished(game)
        data = await in_thread(partial(replay_data, found.record()))
        return {**data, "names": found.settings.table_names, "seat": found.settings.seat}

    async def review(self, game: str, turn: int) -> Plain:
        """How far the review of a finished game is; the first request starts it."""
        if game not in self._reviews:
            found = await self._finished(game)  # raises an error for other games
            if turn != found.turns_played:
                raise _conflict()
            if not self.preparation.ready:
                return {"progress": 0.0, "review": None, "preparing": True}
            self._reviews.start(game, found.games)
        return self._reviews.state(game)

    # Parts of the answers

    def _check_current(self, game: str, turn: int) -> None:
        if (game, turn) != (self._game_id, self.session.turns_played):
            raise _conflict()

    async def _resume(self, game: str, turn: int, saved_game: str) -> Plain:
        found = await in_thread(partial(self._saved_games.read, saved_game))
        return await self._replace(game, turn, found.settings, found.game.plays, saved_game)

    async def _replace(
        self,
        game: str,
        turn: int,
        settings: PlaySettings,
        plays: Iterable[Sequence[int]] = (),
        game_id: str | None = None,
    ) -> Plain:
        """Another game in the place of the current one, by default with a new id.

        Its bots are made, and choose again in all turns, while other requests are answered.
        """
        check_no_code(settings, self._known_bots)
        session = await in_thread(partial(Session, settings, plays))
        self._check_current(game, turn)
        self.session, self._game_id = session, game_id or self._saved_games.new_id()
        return await self.state()

    async def _finished(self, game_id: str) -> PlayedGame:
        """A finished game: the current one, or one on disk."""
        if game_id == self._game_id and self.session.game.over:
            return self.session
        found = await in_thread(partial(self._saved_games.read, game_id))
        if not found.game.over:
            raise _conflict("All hands are shown only when the game is over.")
        return found

    def _entry(self, game_id: str, saved_at: float) -> Plain:
        """A line in the list of saved games; nothing in it is hidden from the person."""
        entry = {"game_id": game_id, "saved_at": saved_at}
        try:
            found = self._saved_games.read(game_id)
        except ValueError:
            return {**entry, "readable": False}
        table, settings = found.table_state(), found.settings
        return {
            **entry,
            "readable": True,
            "names": settings.names,
            "seat": settings.seat,
            **{name: table[name] for name in ("round", "turn", "over")},
            "place": found.game.ranks[settings.seat] + 1 if found.game.over else None,
            "points": table["players"][settings.seat]["total"],
        }


def _page_state(game_id: str, game: PlayedGame) -> Plain:
    """A game as the person sees it."""
    settings, table = game.settings, game.table_state()
    secret = settings.secret_seed and not table["over"]
    return {
        "game_id": game_id,
        "turns_played": table["turns_played"],
        "seat": settings.seat,
        "names": settings.table_names,
        "bots": settings.names,
        "objectives": settings.objectives,
        "opponents": list(settings.bots.values()),
        # A text, because a JavaScript number holds no more than 53 bits.
        "seed": None if secret else str(settings.seed),
        "command": None if secret else settings.command,
        "hint_bot": settings.hint_bot_name,
        "table": table,
    }
