"""Keeps the one game that is played, and answers for it."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

from mindup_play.saved import SavedGame
from mindup_play.session import Session
from mindup_play.settings import PlaySettings, easy_seed

Plain = dict[str, Any]


class StaleError(ValueError):
    """The request is for another game or turn than the one in play."""


class Turn(NamedTuple):
    """Which turn of which game a request is for."""

    game: str
    clock: int


class SessionManager:
    """``notice`` is told when a game cannot be saved; playing goes on."""

    def __init__(self, session: Session, saved: SavedGame, notice: Callable[[str], None]) -> None:
        self._lock = Lock()
        self._saved, self._notice = saved, notice
        self._sit_down(session)

    def state(self) -> Plain:
        with self._lock:
            return self._state()

    def hint(self) -> Plain:
        """Says for which turn it is: the person may have gone on meanwhile."""
        with self._lock:
            place, coming = self._place(), self._session.hint()
        if coming is None:
            return {**place, "hint": None}
        choice = coming.result()
        return {**place, "hint": {"card": choice.card, "weighing": choice.plain_evaluation}}

    def record(self) -> Plain:
        """The finished game, with all hands."""
        with self._lock:
            if not self._session.game.over:
                raise StaleError("a record shows all hands: it can be had when the game is over")
            return self._session.record()

    def play(self, turn: Turn, card: int) -> Plain:
        with self._lock:
            self._check_now(turn)
            if self._session.game.over:
                raise StaleError("the game is over")
            session = self._session
            session.check_playable(card)
        session.wait()  # others may ask meanwhile, for the state or for another deal
        with self._lock:
            self._check_now(turn)
            session.play(card)
            self.keep()
            return self._state()

    def deal(self, turn: Turn, players: int, objectives: int, seed: int | None) -> Plain:
        """Begins another game with the same company; a seed deals known cards again."""
        with self._lock:
            self._check_now(turn)
            seed = easy_seed() if seed is None else seed
            seat = min(self._settings.seat, players - 1)
            settings = replace(
                self._settings, players=players, objectives=objectives, seed=seed, seat=seat
            )
            session = Session(settings)
            self._session.leave()
            self._sit_down(session)
            return self._state()

    def keep(self) -> None:
        try:
            self._saved.keep(self._session)
        except OSError as error:
            self._notice(f"cannot save the game in {self._saved.path}: {error.strerror}")

    @property
    def _settings(self) -> PlaySettings:
        return self._session.settings

    def _sit_down(self, session: Session) -> None:
        self._session = session
        self._game = secrets.token_hex(8)

    def _place(self) -> Plain:
        return {"game": self._game, "clock": self._session.clock}

    def _state(self) -> Plain:
        settings = self._settings
        return {
            **self._place(),
            "seat": settings.seat,
            "names": settings.names,
            "objectives": settings.objectives,
            "seed": str(settings.seed),  # not every number fits those of a browser
            "command": settings.command,
            "hints": settings.hints_name,
            "moment": self._session.moment(),
        }

    def _check_now(self, turn: Turn) -> None:
        if turn != (self._game, self._session.clock):
            raise StaleError("the game has gone on since, perhaps in another tab")
