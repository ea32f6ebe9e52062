"""The content of a request, its JSON body or its query, read within limits."""

import json
import re
from email.message import Message
from http import HTTPStatus
from io import BufferedIOBase
from typing import Any
from urllib.parse import parse_qsl

from mindup_play.routes import BadRequestError

JSON = "application/json"
_MAX_BODY_BYTES = 4000
"""The bodies that the page sends have a few hundred."""
_MAX_QUERY_ENTRIES = 10


class RefusedRequestError(Exception):
    """The request itself is refused, before its body is read to the end."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


def read_json(headers: Message, stream: BufferedIOBase) -> Any:
    """The body of a POST; ``stream`` is at its first byte."""
    try:
        return json.loads(_read_body(headers, stream))
    except (ValueError, RecursionError) as error:
        raise BadRequestError(f"the body is not JSON: {error}") from None


def _read_body(headers: Message, stream: BufferedIOBase) -> bytes:
    if headers.get_all("Content-Type", []) != [JSON]:
        raise RefusedRequestError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Content-Type must be {JSON}")
    lengths = headers.get_all("Content-Length", [])
    if "Transfer-Encoding" in headers or len(lengths) != 1:
        raise RefusedRequestError(
            HTTPStatus.LENGTH_REQUIRED, "exactly one Content-Length is required"
        )
    if not re.fullmatch("[0-9]{1,9}", lengths[0], re.ASCII):
        raise RefusedRequestError(HTTPStatus.BAD_REQUEST, "Content-Length must be a number")
    length = int(lengths[0])
    if length > _MAX_BODY_BYTES:
        raise RefusedRequestError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the limit is {_MAX_BODY_BYTES} bytes"
        )
    body = stream.read(length)
    if len(body) < length:
        raise RefusedRequestError(
            HTTPStatus.BAD_REQUEST, "the body is shorter than its Content-Length"
        )
    return body


def read_query(query: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(
            query,
            keep_blank_values=True,
            strict_parsing=bool(query),
            errors="strict",
            max_num_fields=_MAX_QUERY_ENTRIES,
        )
    except ValueError as error:
        raise BadRequestError(f"the query of the address is malformed: {error}") from None
    if len(dict(pairs)) < len(pairs):
        raise BadRequestError("the query of the address has an entry twice")
    return dict(pairs)
