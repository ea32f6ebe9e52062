"""One chat completion: a request to the server, repeated after failures that may pass."""

import json
import math
import random
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event
from typing import Any, NamedTuple

import httpx2

from mindup_agents.llm.endpoint import KEY, Endpoint
from mindup_env.agent import StopRunError
from mindup_env.settings.checks import shown

TRIES = 7
"""Of one request; the pauses between them add up to about a minute."""
FIRST_PAUSE = 1.0
LONGEST_WAIT = 120.0
"""The longest pause that a server may ask for, in seconds."""
MOST_BYTES = 4 * 2**20
"""Of an answer: a million tokens."""
_CONNECT_SECONDS = 20.0
_PASSING = {408, 409, 425, 429}
_MESSAGES = "error", "message", "detail"
"""Where the body of an error has its text; one can be in another."""
_WRONG_KEY, _NOT_FOUND, _SERVER_ERRORS = (401, 403), 404, 500

OnFailure = Callable[[str], None]


class Completion(NamedTuple):
    """What a model wrote, and what it took; tokens are None if the server does not count them."""

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float


class _PassingError(Exception):
    """A failure after which the same request may succeed."""

    def __init__(self, problem: str, wait: float | None = None) -> None:
        super().__init__(problem)
        self.wait = wait  # seconds that the server asks for


class ChatClient:
    """Sends requests to an endpoint; several threads share it.

    Args:
        endpoint: the server.
        client: its connections.
        timeout: seconds for an answer.
        stop: no request is begun once it is set, and pauses end.
    """

    def __init__(
        self, endpoint: Endpoint, client: httpx2.Client, timeout: float, stop: Event
    ) -> None:
        self._endpoint, self._client, self._stop = endpoint, client, stop
        self._seconds = timeout
        self._timeout = httpx2.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS))

    def complete(self, body: Mapping[str, Any], on_failure: OnFailure) -> Completion:
        """The answer to a request; ``on_failure`` is told of each try that fails.

        Raises:
            StopRunError: if the server refuses the request, or no try succeeds.
        """
        pause = FIRST_PAUSE
        for number in range(1, TRIES + 1):
            if self._stop.is_set():
                raise StopRunError("another request has failed")
            try:
                return self._try(body)
            except _PassingError as error:
                problem = str(error)
                on_failure(problem)
                if number == TRIES:
                    break
                # Requests that failed together do not return together.
                wait = pause * random.uniform(0.5, 1) if error.wait is None else error.wait
                if wait > LONGEST_WAIT:
                    raise StopRunError(
                        f"{self._endpoint.host} asks for a pause of {wait:.0f} s ({problem}): "
                        "resume the run later"
                    ) from None
            self._stop.wait(wait)
            pause *= 2
        raise StopRunError(
            f"{self._endpoint.host} gave no answer in {TRIES} tries; the last problem: {problem}"
        )

    def _try(self, body: Mapping[str, Any]) -> Completion:
        start = time.monotonic()
        try:
            with self._client.stream(
                "POST",
                self._endpoint.address,
                json=body,
                headers=self._endpoint.headers,
                timeout=self._timeout,
            ) as response:
                content = self._read(response, start + self._seconds)
        except httpx2.TimeoutException:
            raise self._too_slow() from None
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            problem = self._endpoint.hide_key(f"{type(error).__name__}: {error}")
            raise _PassingError(problem) from None
        if response.status_code != httpx2.codes.OK:
            raise self._refusal(response, content, body["model"])
        return self._read_completion(content, time.monotonic() - start)

    def _read(self, response: httpx2.Response, deadline: float) -> bytes:
        """The body; the time of the whole is limited too, not only that of each part."""
        content = bytearray()
        for part in response.iter_bytes():
            content += part
            if len(content) > MOST_BYTES:
                raise _PassingError(f"an answer of more than {MOST_BYTES} bytes")
            if time.monotonic() > deadline:
                raise self._too_slow()
        return bytes(content)

    def _too_slow(self) -> _PassingError:
        return _PassingError(f"no answer in {self._seconds:g} s")

    def _refusal(self, response: httpx2.Response, content: bytes, model: str) -> Exception:
        status, host = response.status_code, self._endpoint.host
        said = f"{status}: {self._shown(_error_text(content))}"
        if status in _PASSING or status >= _SERVER_ERRORS:
            return _PassingError(said, _retry_after(response.headers.get("Retry-After")))
        if status in _WRONG_KEY:
            key = f"refuses the key in {KEY}" if self._endpoint.key else f"needs a key: set {KEY}"
            return StopRunError(f"{host} {key} ({said})")
        if status == _NOT_FOUND:
            return StopRunError(f"{host} does not have the model {model!r} ({said})")
        return StopRunError(f"{host} refuses the request ({said})")

    def _read_completion(self, content: bytes, seconds: float) -> Completion:
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError):
            found = self._shown(content.decode(errors="replace"))
            raise _PassingError(f"not JSON, but {found}") from None
        try:
            text = answer["choices"][0]["message"]["content"] or ""
        except (LookupError, TypeError):
            text = None
        if not isinstance(text, str):
            raise _PassingError("JSON without the text choices[0].message.content")
        usage = answer.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        return Completion(
            self._endpoint.hide_key(text),
            _count(counts.get("prompt_tokens")),
            _count(counts.get("completion_tokens")),
            seconds,
        )

    def _shown(self, text: str) -> str:
        """A text of the server for an error; the key is hidden before anything is cut off."""
        return shown(self._endpoint.hide_key(text))


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _error_text(content: bytes) -> str:
    """What the body of an error says: a message in JSON, or all of it."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return content.decode(errors="replace")
    while isinstance(found, dict):
        found = next((found[name] for name in _MESSAGES if name in found), "")
    return str(found)


def _retry_after(header: str | None) -> float | None:
    """The seconds of the header, which has a number or a date; None for anything else."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
