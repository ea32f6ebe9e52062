"""The HTTP server of a page, on the loopback address alone, until Ctrl-C."""

import argparse
import json
import os
import re
import sys
import traceback
import webbrowser
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from mindup_play.bots import BotError, wait_for_background
from mindup_play.pages import is_page, read_served_files
from mindup_play.routes import RequestError, routes_of

ADDRESS = "127.0.0.1"
_JSON = "application/json"
_TIMEOUT = 30.0
"""Seconds in which a request must arrive."""
_SECONDS_FOR_BOTS = 2.0
"""In which bots can finish their choices after Ctrl-C."""
_MAX_BODY_BYTES = 4000
"""The bodies that the page sends have a few hundred."""
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


class Response(NamedTuple):
    status: HTTPStatus
    content_type: str
    body: bytes


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = os.name == "posix"  # elsewhere, two servers would share the port

    def __init__(self, manager: Any, port: int = 0, home: str = "/") -> None:
        """``manager`` answers the routes, such as a session manager; ``home`` is the first page."""
        self.manager, self.routes = manager, routes_of(manager.__class__)
        self.files = {**read_served_files()}
        self.files["/"] = self.files[home]
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

    do_HEAD = do_GET  # noqa: N815  # the base class's name

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
        self._refuse(RequestError(explain or message or status.phrase, status))

    def _respond(self, method: str) -> None:
        try:
            self._check_origin()
            self._send(self._answer(method))
        except ValueError as error:
            self._refuse(error)

    def _refuse(self, error: ValueError) -> None:
        if isinstance(error, BotError):
            traceback.print_exception(error)
        self.request_version = self.protocol_version  # older versions would get no headers
        self.close_connection |= isinstance(error, RequestError)  # the body may be unread
        # By default, it is about a card or a game that cannot be played.
        self._send(
            _json(getattr(error, "status", HTTPStatus.UNPROCESSABLE_ENTITY), {"error": str(error)})
        )

    def _check_origin(self) -> None:
        hosts = self.headers.get_all("Host", [])
        accepted = len(hosts) == 1 and hosts[0] in self.server.hosts
        _require(accepted, HTTPStatus.MISDIRECTED_REQUEST, f"this server is {self.server.url}")
        origins = {f"http://{host}" for host in self.server.hosts}
        own = origins.issuperset(self.headers.get_all("Origin", []))
        _require(own, HTTPStatus.FORBIDDEN, "cross-origin request refused")

    def _answer(self, method: str) -> Response:
        path, mark, query = self.path.partition("?")
        files = self.server.files
        # The query of a page is for its script alone: opening a link changes nothing here.
        if method == "GET" and path in files and (not mark or is_page(path)):
            return Response(HTTPStatus.OK, *files[path])
        route = self.server.routes.get((method, path))
        if route is None or (mark and method != "GET"):
            raise self._unknown_route(method)
        if method == "POST":
            return _json(HTTPStatus.OK, route.answer(self.server.manager, self._read_json()))
        given = dict(parse_qsl(query, keep_blank_values=True))
        return _json(HTTPStatus.OK, route.answer_query(self.server.manager, given))

    def _unknown_route(self, method: str) -> RequestError:
        if self.path in {*self.server.files, *(path for _, path in self.server.routes)}:
            message = f"{self.path} does not accept {method}"
            return RequestError(message, HTTPStatus.METHOD_NOT_ALLOWED)
        return RequestError(f"there is no {self.path}", HTTPStatus.NOT_FOUND)

    def _read_json(self) -> Any:
        is_json = self.headers.get_all("Content-Type", []) == [_JSON]
        _require(is_json, HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Content-Type must be {_JSON}")
        lengths = self.headers.get_all("Content-Length", [])
        has_length = len(lengths) == 1 and re.fullmatch("[0-9]{1,9}", lengths[0], re.ASCII)
        known = has_length and "Transfer-Encoding" not in self.headers
        _require(known, HTTPStatus.LENGTH_REQUIRED, "one number as Content-Length is required")
        length, limit = int(lengths[0]), f"the limit is {_MAX_BODY_BYTES} bytes"
        _require(length <= _MAX_BODY_BYTES, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, limit)
        body = self.rfile.read(length)
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise RequestError(f"the body is not JSON: {error}") from None

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


def _require(condition: object, status: HTTPStatus, otherwise: str) -> None:
    if not condition:
        raise RequestError(otherwise, status)


def _json(status: HTTPStatus, data: Any) -> Response:
    return Response(status, _JSON, json.dumps(data).encode())


# A page that a command serves


def add_server_options(parser: argparse.ArgumentParser, usual_port: int = 0) -> None:
    usual = f"{usual_port}, so that links last; if in use, another" if usual_port else "a free one"
    parser.add_argument("--port", type=int, help=f"port of the server (default: {usual})")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.set_defaults(usual_port=usual_port)


def serve(
    manager: Any,
    arguments: argparse.Namespace,
    announced: str,
    home: str = "/",
) -> None:
    """Serves until Ctrl-C, and opens the browser at the page ``home``.

    The arguments are those of ``add_server_options``; the terminal says what is ``announced``, with
    ``{address}``.
    """
    server = _listen(manager, arguments.port, arguments.usual_port, home)
    try:
        with server:
            print(announced.format(address=server.url), flush=True)
            if not arguments.no_browser:
                # Some browsers block the caller until they are closed.
                Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
            server.serve_forever()
    except KeyboardInterrupt:
        print()  # the terminal shows ^C without a newline
        wait_for_background(_SECONDS_FOR_BOTS)


def _listen(manager: Any, port: int | None, usual_port: int, home: str) -> Server:
    if port is None:
        with suppress(OSError):
            return Server(manager, usual_port, home)
    try:
        return Server(manager, port or 0, home)
    except (OSError, OverflowError) as error:
        raise ValueError(f"cannot listen at {ADDRESS}, port {port}: {error}") from None
