"""The game that is served and the saved ones, and the answers to the page's requests about them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from mindup_env.settings.checks import check_int
from mindup_play.bots import BotError
from mindup_play.languages import TextError
from mindup_play.offer import NewGame, offer
from mindup_play.page_state import TurnId, finished_state, page_state, saved_game_entry
from mindup_play.preparation import Preparation
from mindup_play.records import replay_data
from mindup_play.review.jobs import ReviewJobs
from mindup_play.saved import SavedContent, SavedGame, SavedGames
from mindup_play.session import Session
from mindup_play.table_state import turn_states

Plain = dict[str, Any]


class StaleRequestError(TextError):
    """The request is for another game or turn than the current one."""


class SessionManager:
    """Requests may come from several threads; ``warn`` is called if a game cannot be saved.

    ``saved`` is the current game on disk: that of ``session``.
    """

    def __init__(
        self, session: Session, saved: SavedGame, games: SavedGames, warn: Callable[[str], None]
    ) -> None:
        self._lock = Lock()
        self._session, self._saved = session, saved
        self._games, self._warn = games, warn
        self._reviews = ReviewJobs(warn)
        self.preparation = Preparation()

    def state(self) -> Plain:
        with self._lock:
            return self._state()

    def hint(self) -> Plain:
        """The answer names its turn: the game may have continued in the meantime."""
        with self._lock:
            turn = self._turn_id()
            if self._session.settings.hints is not None and not self.preparation.hints_ready:
                return {**turn._asdict(), "hint": None, **self._preparing()}
            pending = self._session.hint()
        if pending is None:
            return {**turn._asdict(), "hint": None}
        choice = pending.result()
        hint = {"card": choice.card, "evaluation": choice.evaluation_dict()}
        return {**turn._asdict(), "hint": hint}

    def play(self, turn: TurnId, card: int) -> Plain:
        with self._lock:
            self._check_current(turn)
            if self._session.game.over:
                raise StaleRequestError("game_over")
            session = self._session
        session.wait_for_bots()  # without the lock: other requests are answered meanwhile
        with self._lock:
            self._check_current(turn)
            session.play(card)
            self.save()
            return self._state()

    # Other games

    def offer(self) -> Plain:
        """The bots that another game can have."""
        with self._lock:
            return offer(self._session.settings)

    def deal(self, turn: TurnId, game: NewGame) -> Plain:
        """Starts another game. The current one stays among the saved games."""
        with self._lock:
            self._check_current(turn)
            settings = game.settings(self._session.settings)
            with self._reason_at_the_terminal("bot_cannot_play"):
                session = Session(settings)
            return self._replace(session, self._games.new())

    def resume(self, turn: TurnId, game_id: str) -> Plain:
        """Continues a saved game in the place of the current one."""
        with self._lock:
            self._check_current(turn)
            if game_id == self._saved.id:
                return self._state()
        saved = self._games.find(game_id)
        with self._reason_at_the_terminal("game_not_resumed"):
            session = saved.load()  # without the lock: the bots choose again in all turns
        with self._lock:
            if turn == self._turn_id():
                return self._replace(session, saved)
        session.close()
        saved.close()
        raise StaleRequestError("outdated")

    def delete(self, game_id: str) -> Plain:
        with self._lock:
            if game_id == self._saved.id:
                raise StaleRequestError("game_is_current")
            saved = self._games.find(game_id)
            with self._reason_at_the_terminal("game_not_deleted"):
                saved.delete()
        return self.saved_games()

    def saved_games(self) -> Plain:
        """The saved games, the newest first."""
        return {"games": [saved_game_entry(*each) for each in self._games.newest_first()]}

    def finished(self, game_id: str) -> Plain:
        """A finished game, current or saved, as the page shows it."""
        with self._lock:
            if game_id == self._saved.id and self._session.game.over:
                return self._state()
        return finished_state(game_id, self._finished_content(game_id))

    def log(self, game_id: str) -> Plain:
        """All turns of the current game, or of a finished one."""
        with self._lock:
            if game_id == self._saved.id:
                return {"turns": self._session.log()}
        return {"turns": turn_states(self._finished_content(game_id).games)}

    def record(self, game_id: str) -> Plain:
        """The record of a finished game, with all hands."""
        with self._lock:
            if game_id == self._saved.id and self._session.game.over:
                return self._session.record()
        return self._finished_content(game_id).record()

    def replay(self, game_id: str) -> Plain:
        """A finished game turn by turn, with all hands."""
        content = self._finished_content(game_id)
        return {**replay_data(self.record(game_id)), "seat": content.settings.seat}

    def review(self, game_id: str) -> Plain:
        """How far the review of a finished game is; the first request starts it."""
        if not self.preparation.reviews_ready:
            self._finished_content(game_id)  # raises an error for other games
            return {"progress": 0.0, "review": None, **self._preparing()}
        return self._reviews.state(game_id, lambda: self.record(game_id))

    def try_again(self, game_id: str, turns: int) -> Plain:
        """Plays on from a turn of a finished game, in the place of the current one."""
        content = self._finished_content(game_id)
        plays = content.game.plays[: check_int("turns", turns, 0, len(content.game.plays) - 1)]
        with self._reason_at_the_terminal("game_not_resumed"):
            session = Session(content.settings, plays)  # without the lock, as in ``resume``
        with self._lock:
            return self._replace(session, self._games.new())

    def save(self) -> None:
        try:
            self._saved.save(self._session)
        except OSError as error:
            self._warn(f"cannot save the game in {self._saved.path}: {error.strerror}")

    def close(self) -> None:
        """Ends the bots' threads and the preparation, and lets other processes open the game."""
        self.preparation.close()
        self._close_game()

    def _finished_content(self, game_id: str) -> SavedContent:
        saved = self._games.find(game_id)
        with self._reason_at_the_terminal("game_unreadable"):
            content = saved.read()
        if not content.game.over:
            raise StaleRequestError("record_hidden")
        return content

    @contextmanager
    def _reason_at_the_terminal(self, key: str) -> Iterator[None]:
        """The reason may name a path, or have a text of a bot's own: the page does not get it."""
        try:
            yield
        except (BotError, OSError, ValueError) as error:
            self._warn(str(error))
            raise TextError(key) from None

    def _replace(self, session: Session, saved: SavedGame) -> Plain:
        self._close_game()
        self._session, self._saved = session, saved
        return self._state()

    def _preparing(self) -> Plain:
        """For an answer that has to wait; the page asks again."""
        return {"preparing": True, "compiling": self.preparation.is_compiling}

    def _close_game(self) -> None:
        self._session.close()
        self._saved.close()

    def _turn_id(self) -> TurnId:
        return TurnId(self._saved.id, self._session.turns_played)

    def _state(self) -> Plain:
        session = self._session
        return page_state(self._saved.id, session.settings, session.table_state())

    def _check_current(self, turn: TurnId) -> None:
        if turn != self._turn_id():
            raise StaleRequestError("outdated")
