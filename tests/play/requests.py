"""Requests to the server of the page as bytes, for tests that damage them."""

import json
from typing import Any

from mindup_play.pages import read_served_files
from mindup_play.routes import ROUTES

PATHS = [*read_served_files(), *(path for _, path in ROUTES)]
POSTS = sorted(path for method, path in ROUTES if method == "POST")

Headers = list[tuple[bytes, bytes]]


def http(method: bytes, path: bytes, headers: Headers, body: bytes) -> bytes:
    lines = [b"%s %s HTTP/1.1" % (method, path), *(b"%s: %s" % pair for pair in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def get(path: str, port: int) -> bytes:
    """A request that the server accepts."""
    return http(b"GET", path.encode(), [(b"Host", b"127.0.0.1:%d" % port)], b"")


def post(path: str, plain: Any, port: int) -> bytes:
    """A request with ``plain`` as JSON, in the form that the server accepts."""
    body = json.dumps(plain).encode()
    headers = [
        (b"Host", b"127.0.0.1:%d" % port),
        (b"Content-Type", b"application/json"),
        (b"Content-Length", b"%d" % len(body)),
    ]
    return http(b"POST", path.encode(), headers, body)
