"""The session that is served, and the answers to the page's requests about it."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

from mindup_play.bots import BotError
from mindup_play.languages import TextError
from mindup_play.saved import SavedGame
from mindup_play.session import Session
from mindup_play.settings import PlaySettings, drawn_seed

Plain = dict[str, Any]


class StaleRequestError(TextError):
    """The request is for another game or turn than the current one."""


class TurnId(NamedTuple):
    """The game and the turn that a request is for."""

    game_id: str
    turns_played: int


class SessionManager:
    """Requests may come from several threads; ``warn`` is called if a game cannot be saved."""

    def __init__(self, session: Session, saved: SavedGame, warn: Callable[[str], None]) -> None:
        self._lock = Lock()
        self._saved, self._warn = saved, warn
        self._start(session)

    def state(self) -> Plain:
        with self._lock:
            return self._state()

    def hint(self) -> Plain:
        """The answer names its turn: the game may have continued in the meantime."""
        with self._lock:
            turn, pending = self._turn_id(), self._session.hint()
        if pending is None:
            return {**turn._asdict(), "hint": None}
        choice = pending.result()
        hint = {"card": choice.card, "evaluation": choice.evaluation_dict()}
        return {**turn._asdict(), "hint": hint}

    def record(self) -> Plain:
        """The record of the finished game, with all hands."""
        with self._lock:
            if not self._session.game.over:
                raise StaleRequestError("record_hidden")
            return self._session.record()

    def play(self, turn: TurnId, card: int) -> Plain:
        with self._lock:
            self._check_current(turn)
            if self._session.game.over:
                raise StaleRequestError("game_over")
            session = self._session
            session.check_playable(card)
        session.wait_for_bots()  # without the lock: other requests are answered meanwhile
        with self._lock:
            self._check_current(turn)
            session.play(card)
            self.save()
            return self._state()

    def deal(self, turn: TurnId, players: int, objectives: int, seed: int | None) -> Plain:
        """Starts another game with the same bots; without a seed, a random one is used."""
        with self._lock:
            self._check_current(turn)
            settings = replace(
                self._settings,
                players=players,
                objectives=objectives,
                seat=min(self._settings.seat, players - 1),
                **(drawn_seed() if seed is None else {"seed": seed, "secret_seed": False}),
            )
            session = self._new_session(settings)
            self._session.close()
            self._start(session)
            return self._state()

    def save(self) -> None:
        try:
            self._saved.save(self._session)
        except OSError as error:
            self._warn(f"cannot save the game in {self._saved.path}: {error.strerror}")

    @property
    def _settings(self) -> PlaySettings:
        return self._session.settings

    def _new_session(self, settings: PlaySettings) -> Session:
        """The error about a bot may name a path or more; it is shown at the terminal alone."""
        try:
            return Session(settings)
        except (BotError, ValueError) as error:
            self._warn(str(error))
            raise TextError("bot_cannot_play") from None

    def _start(self, session: Session) -> None:
        self._session = session
        self._game_id = secrets.token_hex(8)

    def _turn_id(self) -> TurnId:
        return TurnId(self._game_id, self._session.turns_played)

    def _state(self) -> Plain:
        settings = self._settings
        secret = settings.secret_seed and not self._session.game.over
        return {
            **self._turn_id()._asdict(),
            "seat": settings.seat,
            "names": settings.names,
            "objectives": settings.objectives,
            # A text, because a JavaScript number holds no more than 53 bits.
            "seed": None if secret else str(settings.seed),
            "command": None if secret else settings.command,
            "hint_bot": settings.hint_bot_name,
            "table": self._session.table_state(),
        }

    def _check_current(self, turn: TurnId) -> None:
        if turn != self._turn_id():
            raise StaleRequestError("outdated")
