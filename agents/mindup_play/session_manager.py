"""The game that is served, the saved ones, and the answers to requests about them."""

import asyncio
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

from mindup_agents.card_evaluation import WIN_PROBABILITY
from mindup_env import OFFICIAL_DECK
from mindup_env.checks import InputError, check_int
from mindup_play.bots import in_thread
from mindup_play.finished import ShownGame, ShownGames
from mindup_play.preparation import REVIEW, Preparation
from mindup_play.results import results
from mindup_play.saved import SavedGames
from mindup_play.server import get, post
from mindup_play.session import PlayedGame, Session
from mindup_play.settings import (
    STRENGTHS,
    PlaySettings,
    check_no_code,
    offer,
    settings_of,
    short_name,
)
from mindup_play.table_state import Plain, deck_state


class SessionManager:
    """The current game and the saved ones.

    Every request that changes something names the current ``game`` and its ``turn``: how many turns
    are played. It is checked again after all that takes time, and only then the state is changed.
    """

    view = "play"

    def __init__(
        self, session: Session, game_id: str, games: SavedGames, preparation: Preparation
    ) -> None:
        self.session = session
        self.preparation = preparation
        self._game_id = game_id
        self._saved_games = games
        self.shown_games = ShownGames(self._shown_game)
        self._known_bots = list(dict.fromkeys([*STRENGTHS, *session.settings.all_bots]))

    def routes(self) -> list[BaseRoute]:
        asked = self.state, self.hint, self.games, self.log
        changes = self.play, self.deal, self.resume, self.try_again, self.delete, self.review
        return [*map(get, asked), *map(post, changes), *self.shown_games.routes()]

    # The current game

    async def state(self) -> Plain:
        """The game as the person sees it."""
        settings = self.session.settings
        table = self.session.table_state()
        secret = settings.secret_seed and not table["over"]
        return {
            "deck": deck_state(OFFICIAL_DECK),
            "game_id": self._game_id,
            "turns_played": table["turns_played"],
            "person": settings.seat,
            **settings.seats._asdict(),
            "objectives": settings.objectives,
            "opponents": list(settings.bots.values()),
            # A text, because a JavaScript number holds no more than 53 bits.
            "seed": None if secret else str(settings.seed),
            "command": None if secret else settings.command,
            "hint_bot": settings.hints and short_name(settings.hints),
            "table": table,
            "unsaved": self._saved_games.problem,
        }

    async def hint(self) -> Plain:
        """The answer names its turn: the game may have continued in the meantime."""
        session = self.session
        turn = {"game_id": self._game_id, "turns_played": session.turns_played}
        bot = session.settings.hints or ""
        if not self.preparation.is_ready(bot.partition(":")[0]):
            return {**turn, "hint": None, "preparing": True}
        pending = session.hint()
        if pending is None:
            return {**turn, "hint": None}
        return {**turn, "hint": (await asyncio.wrap_future(pending))._asdict()}

    async def play(self, game: str, turn: int, card: int) -> Plain:
        self._check_current(game, turn)
        session = self.session
        session.check_card(card)
        await session.bots_chose()
        self._check_current(game, turn)
        session.play(card)
        before = self._saved_games.problem
        self._saved_games.save(game, session)
        problem = self._saved_games.problem
        if problem and problem != before:
            print(f"mindup: cannot save the game: {problem}", file=sys.stderr, flush=True)
        return await self.state()

    # Other games

    async def deal(self, game: str, turn: int, settings: Plain) -> Plain:
        """Starts another game. The current one stays among the saved games."""
        self._check_current(game, turn)
        new = settings_of(settings, self.session.settings, self._known_bots)
        return await self._replace(game, turn, new)

    async def resume(self, game: str, turn: int, saved_game: str) -> Plain:
        """Continues a saved game in the place of the current one."""
        self._check_current(game, turn)
        found = self._saved_games.read(saved_game)
        return await self._replace(game, turn, found.settings, found.game.plays, saved_game)

    async def try_again(self, game: str, turn: int, saved_game: str, turns: int) -> Plain:
        """Plays on from a turn of a finished game, in the place of the current one."""
        self._check_current(game, turn)
        found = self._finished(saved_game)
        check_int("turns", turns, 0, found.turns_played - 1)
        return await self._replace(game, turn, found.settings, found.game.plays[:turns])

    async def delete(self, game: str, turn: int, saved_game: str) -> Plain:
        self._check_current(game, turn)
        self._saved_games.delete(saved_game)
        return await self.games()

    async def games(self) -> Plain:
        """What the new-game screen shows: bots, saved games and how the person did in them.

        The screen names no other bot, which could run code. The newest games come first.
        """
        return await in_thread(self._games)

    # Finished games

    async def log(self, game: str) -> Plain:
        """All turns of the current game, or of a finished one, with the points they brought."""
        found = self.session if game == self._game_id else self._finished(game)
        return {"turns": found.log()}

    async def review(self, game: str) -> Plain:
        """As ``ShownGames.review``. What the person's choices cost is saved with the game."""
        found = self._finished(game)
        if not self.preparation.is_ready(REVIEW):
            return {"progress": 0.0, "review": None, "preparing": True}
        answer = await self.shown_games.review(game)
        made = answer["review"]
        if made and found.cost is None and made["unit"] == WIN_PROBABILITY:
            found.cost = made["costs"][found.settings.seat]
            self._saved_games.save(game, found)
        return answer

    # Parts of the answers

    def _check_current(self, game: str, turn: int) -> None:
        if (game, turn) != (self._game_id, self.session.turns_played):
            message = "The game has continued in the meantime, perhaps in another tab."
            raise HTTPException(HTTPStatus.CONFLICT, message)

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
        wait = self.preparation.wait_for_bots
        session = await in_thread(partial(Session, settings, plays, wait))
        self._check_current(game, turn)
        self.session = session
        self._game_id = game_id or self._saved_games.new_id()
        return await self.state()

    def _finished(self, game_id: str) -> PlayedGame:
        """A finished game: the current one, or one on disk."""
        if game_id == self._game_id and self.session.game.over:
            return self.session
        found = self._saved_games.read(game_id)
        if not found.game.over:
            message = "All hands are shown only when the game is over."
            raise HTTPException(HTTPStatus.CONFLICT, message)
        return found

    def _shown_game(self, game_id: str) -> ShownGame:
        found = self._finished(game_id)
        settings = found.settings
        return ShownGame(
            found.games, settings.seats, self._known_bots, settings.seed, settings.seat
        )

    def _games(self) -> Plain:
        entries, finished = [], []
        for game_id, saved_at in self._saved_games.newest_first():
            entry = {"game_id": game_id, "saved_at": saved_at}
            try:
                found = self._saved_games.read(game_id)
            except InputError:
                entries.append({**entry, "readable": False})
                continue
            entries.append({**entry, "readable": True, **_entry(found)})
            if found.game.over:
                finished.append(found)
        bots = offer(self._known_bots)
        return {"bots": bots, "games": entries, "results": results(finished)}


def _entry(found: PlayedGame) -> Plain:
    """A line in the list of saved games; nothing in it is hidden from the person."""
    table = found.table_state()
    settings = found.settings
    return {
        "bots": [*filter(None, settings.seats.bots)],
        "round": table["round"],
        "turn": table["turn"],
        "over": table["over"],
        "place": found.place if found.game.over else None,
        "points": table["players"][settings.seat]["total"],
        "cost": found.cost,
    }
