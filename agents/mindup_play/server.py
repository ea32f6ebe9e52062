"""The server: a few pages and questions, on the loopback address alone."""

import json
import re
import sys
import traceback
from collections.abc import Callable, Container
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from mindup_play.bots import BotError
from mindup_play.routes import GETS, POSTS, BadRequestError, read_body
from mindup_play.served_files import JSON, read_served_files
from mindup_play.session_manager import Plain, SessionManager, StaleError

ADDRESS = "127.0.0.1"
_MOST_BYTES = 1000
"""Bodies take about a hundred."""
_PATIENCE = 30.0
"""Seconds in which a request has to arrive."""
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

_STATUS = {BadRequestError: HTTPStatus.BAD_REQUEST, StaleError: HTTPStatus.CONFLICT}
"""Of what is refused; any other fault is a card or a table that cannot be played."""


class Answer(NamedTuple):
    status: HTTPStatus
    kind: str
    body: bytes


class RefusalError(Exception):
    def __init__(self, status: HTTPStatus, words: str) -> None:
        super().__init__(words)
        self.status = status


class Server(ThreadingHTTPServer):
    """Serves the files that it has read at the start, and no other."""

    daemon_threads = True

    def __init__(self, manager: SessionManager, port: int = 0) -> None:
        self.manager = manager
        self.files = read_served_files()
        super().__init__((ADDRESS, port), Handler)

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.server_port}/"

    @property
    def names(self) -> set[str]:
        """By which a browser may call this server; another name is a page's attempt to get in."""
        return {f"{name}:{self.server_port}" for name in (ADDRESS, "localhost")}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone away in the middle of an answer is no fault."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "mindup", ""
    timeout = _PATIENCE
    disable_nagle_algorithm = True  # or the body waits for the headers to be confirmed

    def do_GET(self) -> None:
        self._respond(self._get)

    def do_HEAD(self) -> None:
        self._respond(self._get)

    def do_POST(self) -> None:
        self._respond(self._post)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class's name
        """Says nothing: the terminal belongs to the person."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the base class refuses: no HTTP, or a method that it does not know."""
        known = {HTTPStatus.NOT_IMPLEMENTED: HTTPStatus.METHOD_NOT_ALLOWED}
        status = known.get(HTTPStatus(code), HTTPStatus(code))
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            status = HTTPStatus.BAD_REQUEST
        self.request_version = self.protocol_version  # to others it would send a body alone
        self.close_connection = True
        self._send(_refusal(status, explain or message or status.phrase))

    def _respond(self, ask: Callable[[], Answer]) -> None:
        try:
            self._check_caller()
            answer = ask()
        except RefusalError as refusal:
            self.close_connection = True  # a body may stand unread
            answer = _refusal(refusal.status, str(refusal))
        except BotError as error:
            traceback.print_exception(error)
            answer = _refusal(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
        except ValueError as error:
            answer = _refusal(_STATUS.get(type(error), HTTPStatus.UNPROCESSABLE_ENTITY), str(error))
        self._send(answer)

    def _check_caller(self) -> None:
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0] not in self.server.names:
            raise RefusalError(HTTPStatus.MISDIRECTED_REQUEST, f"this is {self.server.url}")
        origins = {f"http://{name}" for name in self.server.names}
        if not origins.issuperset(self.headers.get_all("Origin", [])):
            raise RefusalError(HTTPStatus.FORBIDDEN, "another page has nothing to ask here")

    def _get(self) -> Answer:
        if self.path in self.server.files:
            return Answer(HTTPStatus.OK, *self.server.files[self.path])
        if self.path in GETS:
            return _told(GETS[self.path](self.server.manager))
        raise self._unknown(POSTS)

    def _post(self) -> Answer:
        if self.path not in POSTS:
            raise self._unknown({**GETS, **self.server.files})
        return _told(POSTS[self.path](self.server.manager, read_body(self._body())))

    def _body(self) -> bytes:
        if self.headers.get_all("Content-Type", []) != [JSON]:
            raise RefusalError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Content-Type must be {JSON}")
        lengths = self.headers.get_all("Content-Length", [])
        if "Transfer-Encoding" in self.headers or len(lengths) != 1:
            raise RefusalError(HTTPStatus.LENGTH_REQUIRED, "the body needs one Content-Length")
        if not re.fullmatch("[0-9]{1,9}", lengths[0], re.ASCII):
            raise RefusalError(HTTPStatus.BAD_REQUEST, "Content-Length is no number")
        length = int(lengths[0])
        if length > _MOST_BYTES:
            raise RefusalError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {_MOST_BYTES} bytes")
        body = self.rfile.read(length)
        if len(body) < length:
            raise RefusalError(HTTPStatus.BAD_REQUEST, "the body is shorter than its length")
        return body

    def _unknown(self, elsewhere: Container[str]) -> RefusalError:
        if self.path in elsewhere:
            return RefusalError(HTTPStatus.METHOD_NOT_ALLOWED, "another method is for this")
        return RefusalError(HTTPStatus.NOT_FOUND, "there is nothing by this name")

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)


def _told(plain: Plain) -> Answer:
    return Answer(HTTPStatus.OK, JSON, json.dumps(plain).encode())


def _refusal(status: HTTPStatus, words: str) -> Answer:
    return Answer(status, JSON, json.dumps({"error": words}).encode())
