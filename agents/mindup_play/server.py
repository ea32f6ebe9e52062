"""The HTTP server of a page, on the loopback address alone, until Ctrl-C.

What it serves has a method ``routes``, which are made by ``get`` and ``post``. Only these handlers
change a state, one at a time, in one thread; what takes long runs in others, see ``bots``.
"""

import asyncio
import json
import mimetypes
import signal
import socket
import traceback
import webbrowser
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from threading import Thread
from typing import Annotated, Any, Protocol, Self, get_origin, get_type_hints

import tyro
import uvicorn
from jinja2 import Environment, FileSystemLoader
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from mindup_env.checks import InputError, check_entries, check_int, shown
from mindup_play.bots import BotError, wait_for_background

ADDRESS = "127.0.0.1"
HTTP_PORT = 80
_WEB = Path(__file__).parent / "web"
PAGES = {"/": "play", "/review.html": "review"}
"""The views by their paths, each with a script of its name. At the root is what is served."""
# Some systems know these files as plain text, which browsers then refuse to run.
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("text/css", ".css")
mimetypes.add_type("image/svg+xml", ".svg")
_NAMES = ADDRESS, "localhost", "[::1]"
_JSON = "application/json"
_SECONDS_FOR_BOTS = 0.5
"""In which they can finish their choices after Ctrl-C."""
PATIENCE = 10
"""Seconds in which a connection has sent its whole request; then it is closed."""
_MOST_BYTES = 1_000_000  # in the body of a request
_HEADERS = {
    "Cache-Control": "no-store",
    "Connection": "close",  # so that each connection has one request, and ends with it
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
Answer = Callable[..., Awaitable[Any]]


class Served(Protocol):
    """What a server answers requests about, and the view that is the page at its root."""

    view: str

    def routes(self) -> list[BaseRoute]: ...


def _route(method: str, answer: Answer) -> Route:
    """Answers at the path that is the name of ``answer``, with JSON.

    Its arguments are the entries of the query, or of the JSON in the body of a POST.
    """
    hints = get_type_hints(answer)
    hints.pop("return", None)
    kinds = {name: get_origin(hint) or hint for name, hint in hints.items()}

    async def endpoint(request: Request) -> Response:
        given = await _body(request) if method == "POST" else dict(request.query_params)
        return _Answer(await answer(**_checked(given, kinds)))

    return Route(f"/{answer.__name__.replace('_', '-')}", endpoint, methods=[method])


get = partial(_route, "GET")
post = partial(_route, "POST")


async def _body(request: Request) -> Any:
    """The JSON in the body of a request."""
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for chunk in request.stream():
                body += chunk
                if len(body) > _MOST_BYTES:
                    message = f"a request has at most {_MOST_BYTES} bytes"
                    raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        return json.loads(body)
    except TimeoutError:
        raise HTTPException(HTTPStatus.REQUEST_TIMEOUT) from None
    except (RecursionError, ValueError) as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"not JSON: {error}") from None


class _Answer(JSONResponse):
    def render(self, content: Any) -> bytes:
        """Escapes what is not ASCII: half a character, as in the name of a bot, has no UTF-8."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def _checked(given: Any, kinds: Mapping[str, type]) -> dict[str, Any]:
    """What was given, with exactly these entries of these types."""
    check_entries("the request", given, kinds)
    for name, kind in kinds.items():
        if type(given[name]) is not kind:
            raise InputError(f"{name} must be of type {kind.__name__}, not {shown(given[name])}")
    return dict(given)


def make_app(served: Served) -> ASGIApp:
    """The pages, their files and the routes."""
    templates = Environment(loader=FileSystemLoader(_WEB), autoescape=True)
    template = templates.get_template("page.html")
    pages = []
    for path, view in {**PAGES, "/": served.view}.items():
        page = HTMLResponse(template.render(view=view))
        pages.append(Route(path, page, methods=["GET"]))
    routes = [*pages, *served.routes(), Mount("/", StaticFiles(directory=_WEB))]
    handlers = dict.fromkeys((ValueError, HTTPException, Exception), _explain)
    return _guarded(Starlette(routes=routes, exception_handlers=handlers))


def _guarded(app: ASGIApp) -> ASGIApp:
    """Refuses the requests of other sites, and sets the headers of all responses."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        refusal = _refusal(scope) if scope["type"] == "http" else None
        await (refusal or app)(scope, receive, send_with_headers)

    return guarded


def _refusal(scope: Scope) -> Response | None:
    headers = Headers(scope=scope)
    _, port = scope["server"]
    hosts = {f"{name}:{port}" for name in _NAMES}
    if port == HTTP_PORT:  # which browsers leave out
        hosts.update(_NAMES)
    given = headers.getlist("host")
    if len(given) != 1 or given[0] not in hosts:  # another name may be a DNS rebinding attack
        return _error(HTTPStatus.MISDIRECTED_REQUEST, f"this server is http://{ADDRESS}:{port}/")
    if not {f"http://{host}" for host in hosts}.issuperset(headers.getlist("origin")):
        return _error(HTTPStatus.FORBIDDEN, "cross-origin request refused")
    if scope["method"] == "POST" and headers.getlist("content-type") != [_JSON]:
        return _error(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Content-Type must be {_JSON}")
    return None


def _error(status: int, message: str) -> Response:
    return _Answer({"error": message}, status)


async def _explain(_: Request, error: Exception) -> Response:
    """The answer to a request that is refused or fails."""
    if isinstance(error, HTTPException):
        return _error(error.status_code, error.detail)
    if isinstance(error, InputError):
        # It is about a request, or a card or a game that cannot be played.
        return _error(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
    traceback.print_exception(error)
    message = str(error) if isinstance(error, BotError) else f"{type(error).__name__}: {error}"
    return _error(HTTPStatus.INTERNAL_SERVER_ERROR, message)


Number = Annotated[int | None, tyro.conf.arg(metavar="N", help_behavior_hint="")]
"""An option of the commands."""


@dataclass
class ServerOptions:
    """Where the page is served.

    Attributes:
        port: port of the server (default: a free one; mindup play tries 8414 first)
        no_browser: only print the address
    """

    port: Annotated[int | None, tyro.conf.arg(metavar="PORT", help_behavior_hint="")] = None
    no_browser: tyro.conf.FlagCreatePairsOff[bool] = False


class _Connection(H11Protocol):
    """Ends if the head of its request does not arrive."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(PATIENCE, self._end_without_request)

    def _end_without_request(self) -> None:
        if self.cycle is None:
            self.transport.close()


class Server(uvicorn.Server):
    """Listens from the start, and answers during ``serve_forever``."""

    def __init__(self, served: Served, port: int = 0) -> None:
        super().__init__(
            uvicorn.Config(
                make_app(served),
                http=_Connection,
                ws="none",
                lifespan="off",
                access_log=False,
                log_config=None,  # it would close the handlers of other libraries
                log_level="critical",  # the terminal belongs to the person; see _explain
                server_header=False,
                timeout_graceful_shutdown=0,  # a request that waits for a bot is in no file
            )
        )
        self.socket = socket.create_server((ADDRESS, port))
        self.url = f"http://{ADDRESS}:{self.socket.getsockname()[1]}/"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def serve_forever(self) -> None:
        """Ends with a KeyboardInterrupt, or when ``should_exit`` is set."""
        self.run(sockets=[self.socket])


def serve(served: Served, options: ServerOptions, announced: str, usual_port: int = 0) -> None:
    """Serves until Ctrl-C, and opens the browser; the terminal says ``announced`` and the address.

    A page at ``usual_port`` keeps its address; if that is in use, any other is taken. The signal of
    a system that shuts down ends it like Ctrl-C.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server = _listen(served, options.port, usual_port)
    try:
        with server:
            print(announced.format(address=server.url), flush=True)
            if not options.no_browser:
                # Some browsers block the caller until they are closed.
                Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
            server.serve_forever()
    except KeyboardInterrupt:
        print()  # the terminal shows ^C without a newline
        wait_for_background(_SECONDS_FOR_BOTS)


def _listen(served: Served, port: int | None, usual_port: int) -> Server:
    asked = usual_port if port is None else check_int("port", port, 0, 65535)
    try:
        return Server(served, asked)
    except OSError as error:
        if port is None:
            return Server(served)
        raise InputError(f"cannot listen at {ADDRESS}, port {port}: {error.strerror}") from None
