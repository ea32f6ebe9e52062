"""The routes of the server: the methods that ``@get`` and ``@post`` mark, by their names.

``try_again`` answers ``/try-again``. A request holds the arguments of the method, as a JSON body or
as a query. The files of the pages are served beside these routes, by GET: see pages.py.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from http import HTTPStatus
from inspect import getmembers, isfunction
from typing import Any, TypeVar, get_type_hints

from mindup_env.settings.declaration import from_plain, settings

Method = TypeVar("Method", bound=Callable[..., Any])
_VERBS: dict[Callable[..., Any], str] = {}
"""Of the marked methods."""


def get(method: Method) -> Method:
    _VERBS[method] = "GET"
    return method


def post(method: Method) -> Method:
    _VERBS[method] = "POST"
    return method


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


@cache
def routes_of(manager: type) -> dict[tuple[str, str], Route]:
    """The routes of a class, by verb and path."""
    return {
        (_VERBS[method], f"/{name.replace('_', '-')}"): Route(method)
        for name, method in getmembers(manager, isfunction)
        if method in _VERBS
    }
