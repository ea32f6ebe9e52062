"""The routes of the server: what each request holds, and who answers it.

The files of the pages are served beside these routes, by GET: see pages.py.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mindup_env import OFFICIAL_DECK
from mindup_env.settings.declaration import from_plain, settings
from mindup_play.offer import NewGame
from mindup_play.page_state import TurnId
from mindup_play.session_manager import SessionManager
from mindup_play.table_state import deck_state


class BadRequestError(ValueError):
    """A request lacks something, or holds something else than it must."""


# The query of a GET, or the JSON body of a POST


@settings
class Nothing:
    """A request that holds nothing."""


@settings
class GameRequest:
    """A request about a finished game, or about the current one."""

    game: str


@settings
class TryAgainRequest(GameRequest):
    turns: int


@settings
class SavedGameRequest:
    saved_game: str


@settings
class TurnRequest:
    """A request that changes the current game names the turn that it is for."""

    game_id: str
    turns_played: int

    @property
    def turn(self) -> TurnId:
        return TurnId(self.game_id, self.turns_played)


@settings
class PlayRequest(TurnRequest):
    card: int


@settings
class DealRequest(NewGame, TurnRequest):
    pass


@settings
class ResumeRequest(SavedGameRequest, TurnRequest):
    pass


class Route(NamedTuple):
    """``answer`` gets what the server serves, and a request of this class."""

    answer: Callable[[Any, Any], Any]
    request: type = Nothing

    def __call__(self, answering: Any, given: Any) -> Any:
        try:
            request: Any = from_plain(self.request, given)
        except ValueError as error:
            raise BadRequestError(str(error)) from None
        return self.answer(answering, request)


Routes = Mapping[tuple[str, str], Route]


def _play(manager: SessionManager, request: PlayRequest) -> Any:
    return manager.play(request.turn, request.card)


def _deal(manager: SessionManager, request: DealRequest) -> Any:
    return manager.deal(request.turn, request)


def _resume(manager: SessionManager, request: ResumeRequest) -> Any:
    return manager.resume(request.turn, request.saved_game)


def _delete(manager: SessionManager, request: SavedGameRequest) -> Any:
    return manager.delete(request.saved_game)


def _try_again(manager: SessionManager, request: TryAgainRequest) -> Any:
    return manager.try_again(request.game, request.turns)


def _of_game(answer: Callable[[SessionManager, str], Any]) -> Route:
    def of_game(manager: SessionManager, request: GameRequest) -> Any:
        return answer(manager, request.game)

    return Route(of_game, GameRequest)


ROUTES: Routes = {
    # colour and points of every card
    ("GET", "/deck"): Route(lambda _manager, _: deck_state(OFFICIAL_DECK)),
    # the table as the person sees it
    ("GET", "/state"): Route(lambda manager, _: manager.state()),
    # the card that the hint bot would play, when it has chosen
    ("GET", "/hint"): Route(lambda manager, _: manager.hint()),
    # the new state
    ("POST", "/play"): Route(_play, PlayRequest),
    # the bots of the new-game screen
    ("GET", "/offer"): Route(lambda manager, _: manager.offer()),
    # the state of the new game
    ("POST", "/deal"): Route(_deal, DealRequest),
    # the saved games, newest first
    ("GET", "/games"): Route(lambda manager, _: manager.saved_games()),
    # the state of a saved game, which becomes the current one
    ("POST", "/resume"): Route(_resume, ResumeRequest),
    # the saved games without the deleted one
    ("POST", "/delete"): Route(_delete, SavedGameRequest),
    # the last state of a finished game
    ("GET", "/finished"): _of_game(SessionManager.finished),
    # all turns of a game so far, with the points that they brought
    ("GET", "/log"): _of_game(SessionManager.log),
    # the record of a finished game
    ("GET", "/record"): _of_game(SessionManager.record),
    # a finished game turn by turn, for its replay
    ("GET", "/replay"): _of_game(SessionManager.replay),
    # how far its review is, or the review; the first request starts it
    ("POST", "/review"): _of_game(SessionManager.review),
    # the state of a new game that begins at a turn of it
    ("POST", "/try-again"): Route(_try_again, TryAgainRequest),
}
"""The routes of ``mindup play``; a session manager answers."""
