"""The HTTP server of the playable page, on the loopback address alone."""

import json
import os
import sys
import traceback
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from mindup_play.bots import BotError
from mindup_play.languages import ENGLISH, LANGUAGES, TextError, language_of_request
from mindup_play.pages import is_page, read_served_files
from mindup_play.request_content import JSON, RefusedRequestError, read_json, read_query
from mindup_play.routes import ROUTES, BadRequestError, Routes
from mindup_play.session_manager import StaleRequestError

ADDRESS = "127.0.0.1"
_TIMEOUT = 30.0
"""Seconds in which a request must arrive."""
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

_ERROR_STATUS = {
    BadRequestError: HTTPStatus.BAD_REQUEST,
    StaleRequestError: HTTPStatus.CONFLICT,
    ValueError: HTTPStatus.UNPROCESSABLE_ENTITY,  # a card or a game that cannot be played
}


class Response(NamedTuple):
    status: HTTPStatus
    content_type: str
    body: bytes


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # elsewhere, two servers would share the port

    def __init__(self, manager: Any, port: int = 0, routes: Routes = ROUTES) -> None:
        """``manager`` answers the routes: by default a session manager."""
        self.manager, self.routes = manager, routes
        self.files = {language: read_served_files(language) for language in LANGUAGES}
        super().__init__((ADDRESS, port), RequestHandler)

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.server_port}/"

    @property
    def hosts(self) -> set[str]:
        """The accepted Host headers: any other name may be a DNS rebinding attack."""
        return {f"{name}:{self.server_port}" for name in (ADDRESS, "localhost")}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores that a browser closes its connection before the response is complete."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class RequestHandler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "mindup", ""
    timeout = _TIMEOUT
    disable_nagle_algorithm = True  # or the body waits until the headers are acknowledged

    def do_GET(self) -> None:
        self._respond("GET")

    def do_HEAD(self) -> None:
        self._respond("GET")

    def do_POST(self) -> None:
        self._respond("POST")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base class's name
        """Logs nothing: the terminal belongs to the person."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Called by the base class for a malformed request or an unknown method."""
        known = {HTTPStatus.NOT_IMPLEMENTED: HTTPStatus.METHOD_NOT_ALLOWED}
        status = known.get(HTTPStatus(code), HTTPStatus(code))
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            status = HTTPStatus.BAD_REQUEST
        self.request_version = self.protocol_version  # older versions would get no headers
        self.close_connection = True
        self._send(_error(status, explain or message or status.phrase))

    def _respond(self, method: str) -> None:
        try:
            self._check_origin()
            response = self._answer(method)
        except RefusedRequestError as error:
            self.close_connection = True  # the body may be unread
            response = _error(error.status, str(error))
        except BotError as error:
            traceback.print_exception(error)
            response = _shown_error(HTTPStatus.INTERNAL_SERVER_ERROR, error.summary)
        except TextError as error:
            response = _shown_error(_status(error), error)
        except ValueError as error:
            response = _error(_status(error), str(error))
        self._send(response)

    def _check_origin(self) -> None:
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0] not in self.server.hosts:
            raise RefusedRequestError(
                HTTPStatus.MISDIRECTED_REQUEST, f"this server is {self.server.url}"
            )
        origins = {f"http://{host}" for host in self.server.hosts}
        if not origins.issuperset(self.headers.get_all("Origin", [])):
            raise RefusedRequestError(HTTPStatus.FORBIDDEN, "cross-origin request refused")

    def _answer(self, method: str) -> Response:
        path, mark, query = self.path.partition("?")
        files = self.server.files[self._language()]
        # The query of a page is for its script alone: opening a link changes nothing here.
        if method == "GET" and path in files and (not mark or is_page(path)):
            return Response(HTTPStatus.OK, *files[path])
        route = self.server.routes.get((method, path))
        if route is None or (mark and method != "GET"):
            raise self._unknown_route(method)
        given = read_json(self.headers, self.rfile) if method == "POST" else read_query(query)
        return _json(HTTPStatus.OK, route(self.server.manager, given))

    def _language(self) -> str:
        accepted, cookies = self.headers["Accept-Language"], self.headers["Cookie"]
        return language_of_request(accepted or "", cookies or "")

    def _unknown_route(self, method: str) -> RefusedRequestError:
        if self.path in {*self.server.files[ENGLISH], *(path for _, path in self.server.routes)}:
            return RefusedRequestError(
                HTTPStatus.METHOD_NOT_ALLOWED, f"{self.path} does not accept {method}"
            )
        return RefusedRequestError(HTTPStatus.NOT_FOUND, f"there is no {self.path}")

    def _send(self, response: Response) -> None:
        self.send_response(response.status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(response.body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)


def _json(status: HTTPStatus, data: Any) -> Response:
    return Response(status, JSON, json.dumps(data).encode())


def _status(error: ValueError) -> HTTPStatus:
    return _ERROR_STATUS.get(type(error), _ERROR_STATUS[ValueError])


def _shown_error(status: HTTPStatus, error: TextError) -> Response:
    """The page shows its own text of the key; the message is for other readers."""
    return _json(status, {"error": str(error), "key": error.key, "values": error.values})


def _error(status: HTTPStatus, message: str) -> Response:
    return _json(status, {"error": message})
