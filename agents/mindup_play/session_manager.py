"""The game that is served and the saved ones, and the answers to the page's requests about them."""

import sys
from http import HTTPStatus
from threading import Lock
from typing import Any, NamedTuple

from mindup_env import OFFICIAL_DECK
from mindup_env.checks import check_int
from mindup_play.offer import NewGame, offer
from mindup_play.preparation import Preparation
from mindup_play.records import replay_data
from mindup_play.review_jobs import ReviewJobs
from mindup_play.routes import get, post
from mindup_play.saved import SavedGames
from mindup_play.session import PlayedGame, Session
from mindup_play.table_state import deck_state

Plain = dict[str, Any]
_OUTDATED = "The game has continued in the meantime, perhaps in another tab."


class StaleRequestError(ValueError):
    """The request is for another game or turn than the current one."""

    status = HTTPStatus.CONFLICT


class TurnId(NamedTuple):
    """The game and the turn that a request is for."""

    game_id: str
    turns_played: int


class SessionManager:
    """The current game and the saved ones. Requests come from several threads."""

    def __init__(
        self, session: Session, game_id: str, games: SavedGames, preparation: Preparation
    ) -> None:
        self._lock = Lock()
        self.session, self._game_id = session, game_id
        self._saved_games = games
        self._reviews = ReviewJobs()
        self.preparation = preparation

    @get
    def deck(self) -> list[Plain]:
        """Colour and points of every card."""
        return deck_state(OFFICIAL_DECK)

    @get
    def state(self) -> Plain:
        """The game as the person sees it."""
        with self._lock:
            return self._state()

    @get
    def hint(self) -> Plain:
        """The answer names its turn: the game may have continued in the meantime."""
        with self._lock:
            turn = self._turn_id()
            if self.session.settings.hints is not None and not self.preparation.hints.is_set():
                return {**turn._asdict(), "hint": None, "preparing": True}
            pending = self.session.hint()
        if pending is None:
            return {**turn._asdict(), "hint": None}
        choice = pending.result()
        hint = {"card": choice.card, "evaluation": choice.evaluation_dict()}
        return {**turn._asdict(), "hint": hint}

    @post
    def play(self, turn: TurnId, card: int) -> Plain:
        with self._lock:
            self._check_current(turn)
            if self.session.game.over:
                raise StaleRequestError("The game is over.")
            session = self.session
        session.wait_for_bots()  # without the lock: other requests are answered meanwhile
        with self._lock:
            self._check_current(turn)
            session.play(card)
            self.save()
            return self._state()

    # Other games

    @get
    def offer(self) -> Plain:
        """The bots of the new-game screen."""
        with self._lock:
            return offer(self.session.settings)

    @post
    def deal(self, turn: TurnId, game: NewGame) -> Plain:
        """Starts another game. The current one stays among the saved games."""
        with self._lock:
            self._check_current(turn)
            settings = game.settings(self.session.settings)
            return self._replace(Session(settings), self._saved_games.new_id())

    @post
    def resume(self, turn: TurnId, saved_game: str) -> Plain:
        """Continues a saved game in the place of the current one."""
        with self._lock:
            self._check_current(turn)
            if saved_game == self._game_id:
                return self._state()
        # Without the lock: the bots choose again in all turns.
        session = self._saved_games.load(saved_game)
        with self._lock:
            self._check_current(turn)
            return self._replace(session, saved_game)

    @post
    def delete(self, saved_game: str) -> Plain:
        with self._lock:
            if saved_game == self._game_id:
                raise StaleRequestError("The current game cannot be deleted.")
            self._saved_games.delete(saved_game)
        return self.games()

    @get
    def games(self) -> Plain:
        """The saved games, the newest first."""
        newest = self._saved_games.newest_first()
        return {"games": [self._saved_game_entry(*each) for each in newest]}

    @get
    def finished(self, game: str) -> Plain:
        """The last state of a finished game, current or saved."""
        return _page_state(game, self._finished(game))

    @get
    def log(self, game: str) -> Plain:
        """All turns of the current game, or of a finished one, with the points they brought."""
        with self._lock:
            if game == self._game_id:
                return {"turns": self.session.log()}
        return {"turns": self._finished(game).log()}

    @get
    def record(self, game: str) -> Plain:
        """The record of a finished game, with all hands."""
        return self._finished(game).record()

    @get
    def replay(self, game: str) -> Plain:
        """A finished game turn by turn, with all hands."""
        found = self._finished(game)
        data = replay_data(found.record())
        return {**data, "names": found.settings.table_names, "seat": found.settings.seat}

    @post
    def review(self, game: str) -> Plain:
        """How far the review of a finished game is; the first request starts it."""
        if not self.preparation.reviews.is_set():
            self._finished(game)  # raises an error for other games
            return {"progress": 0.0, "review": None, "preparing": True}
        return self._reviews.state(game, lambda: self._finished(game).games)

    @post
    def try_again(self, game: str, turns: int) -> Plain:
        """Plays on from a turn of a finished game, in the place of the current one."""
        found = self._finished(game)
        plays = found.game.plays[: check_int("turns", turns, 0, len(found.game.plays) - 1)]
        session = Session(found.settings, plays)  # without the lock, as in ``resume``
        with self._lock:
            return self._replace(session, self._saved_games.new_id())

    def save(self) -> None:
        try:
            self._saved_games.save(self._game_id, self.session)
        except OSError as error:
            print(f"mindup: cannot save the game: {error}", file=sys.stderr)

    def _finished(self, game_id: str) -> PlayedGame:
        """A finished game: the current one, or one on disk."""
        with self._lock:
            if game_id == self._game_id and self.session.game.over:
                return self.session
        found = self._saved_games.read(game_id)
        if not found.game.over:
            raise StaleRequestError("All hands are shown only when the game is over.")
        return found

    def _saved_game_entry(self, game_id: str, saved_at: float) -> Plain:
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

    def _replace(self, session: Session, game_id: str) -> Plain:
        self.session, self._game_id = session, game_id
        return self._state()

    def _turn_id(self) -> TurnId:
        return TurnId(self._game_id, self.session.turns_played)

    def _state(self) -> Plain:
        return _page_state(self._game_id, self.session)

    def _check_current(self, turn: TurnId) -> None:
        if turn != self._turn_id():
            raise StaleRequestError(_OUTDATED)


def _page_state(game_id: str, game: PlayedGame) -> Plain:
    """A game as the person sees it."""
    settings, table = game.settings, game.table_state()
    secret = settings.secret_seed and not table["over"]
    return {
        **TurnId(game_id, table["turns_played"])._asdict(),
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
