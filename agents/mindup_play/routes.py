"""The routes of the server: which method answers which request.

A request holds the arguments of the method, as a JSON body or as a query. The files of the pages
are served beside these routes, by GET: see pages.py.
"""

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, get_type_hints

from mindup_env.settings.declaration import from_plain, settings
from mindup_play.session_manager import SessionManager


class RequestError(ValueError):
    """A request is not one that the page sends: by default, it holds the wrong things."""

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(message)
        self.status = status


class Route:
    """A method of what the server serves; its types say what a request holds."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self.types = get_type_hints(method)
        del self.types["return"]
        self._request: type = settings(type("Request", (), {"__annotations__": {**self.types}}))

    def answer(self, manager: Any, given: Any) -> Any:
        """The answer to the JSON body of a POST."""
        try:
            request: Any = from_plain(self._request, given)
        except ValueError as error:
            raise RequestError(str(error)) from None
        return self._method(manager, **vars(request))

    def answer_query(self, manager: Any, given: Mapping[str, str]) -> Any:
        """The answer to the query of a GET, where numbers are written as texts."""
        numbers = {
            name: int(text)
            for name, text in given.items()
            if self.types.get(name) is int and re.fullmatch("[0-9]{1,4}", text, re.ASCII)
        }
        return self.answer(manager, {**given, **numbers})


Routes = Mapping[tuple[str, str], Route]

ROUTES: Routes = {
    ("GET", "/deck"): Route(SessionManager.deck),
    ("GET", "/state"): Route(SessionManager.state),
    ("GET", "/hint"): Route(SessionManager.hint),
    ("POST", "/play"): Route(SessionManager.play),
    ("GET", "/offer"): Route(SessionManager.offer),
    ("POST", "/deal"): Route(SessionManager.deal),
    ("GET", "/games"): Route(SessionManager.saved_games),
    ("POST", "/resume"): Route(SessionManager.resume),
    ("POST", "/delete"): Route(SessionManager.delete),
    ("GET", "/finished"): Route(SessionManager.finished),
    ("GET", "/log"): Route(SessionManager.log),
    ("GET", "/record"): Route(SessionManager.record),
    ("GET", "/replay"): Route(SessionManager.replay),
    ("POST", "/review"): Route(SessionManager.review),
    ("POST", "/try-again"): Route(SessionManager.try_again),
}
"""The routes of ``mindup play``."""
