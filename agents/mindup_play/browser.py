"""Serves a page, and opens it in the browser, until Ctrl-C."""

import argparse
import webbrowser
from contextlib import suppress
from threading import Thread
from typing import Any, NamedTuple

from mindup_play.routes import Routes
from mindup_play.server import ADDRESS, Server


class ServedPage(NamedTuple):
    """What is served, and what the terminal says about it."""

    manager: Any  # what the routes ask
    routes: Routes
    path: str  # of the page that is opened
    doing: str
    note: str = "Ctrl-C ends"
    usual_port: int = 0  # tried first; 0 for any


def add_server_options(parser: argparse.ArgumentParser, usual_port: int = 0) -> None:
    usual = f"{usual_port}, so that links last; if in use, another" if usual_port else "a free one"
    parser.add_argument("--port", type=int, help=f"port of the server (default: {usual})")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def serve(served: ServedPage, arguments: argparse.Namespace) -> None:
    """Serves until Ctrl-C; the arguments are those of ``add_server_options``."""
    server = _listen(served, arguments.port)
    try:
        with server:
            address = server.url + served.path
            print(f"{served.doing} at {address} ({served.note})", flush=True)
            if not arguments.no_browser:
                # Some browsers block the caller until they are closed.
                Thread(target=webbrowser.open, args=(address,), daemon=True).start()
            server.serve_forever()
    except KeyboardInterrupt:
        print()  # the terminal shows ^C without a newline


def _listen(served: ServedPage, port: int | None) -> Server:
    if port is None:
        with suppress(OSError):
            return Server(served.manager, served.usual_port, served.routes)
    try:
        return Server(served.manager, port or 0, served.routes)
    except (OSError, OverflowError) as error:
        raise ValueError(f"cannot listen at {ADDRESS}, port {port}: {error}") from None
