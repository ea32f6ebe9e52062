"""One chat completion by the ``openai`` client, repeated after failures that may pass."""

import json
import math
import random
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event
from typing import Any, NamedTuple

import openai

from mindup_agents.llm.environment import KEY, Server
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


class _Connections(openai.DefaultHttpxClient):
    """Connections that limit the size and the time of a whole answer, not only of each part."""

    def __init__(self, seconds: float) -> None:
        super().__init__(follow_redirects=False)
        self._seconds = seconds

    def send(self, request: Any, **options: Any) -> Any:
        until = time.monotonic() + self._seconds
        response = super().send(request, **{**options, "stream": True})
        content = bytearray()
        try:
            for part in response.iter_bytes():
                content += part
                if len(content) > MOST_BYTES:
                    raise _PassingError(f"an answer of more than {MOST_BYTES} bytes")
                if time.monotonic() > until:
                    raise openai.APITimeoutError(request)
        finally:
            response.close()
        headers = {name: each for name, each in response.headers.items() if "encoding" not in name}
        whole = bytes(content)
        return type(response)(response.status_code, headers=headers, content=whole, request=request)


class ChatClient(openai.OpenAI):
    """Sends requests to a server; several threads share it.

    Args:
        server: the server.
        timeout: seconds for an answer.
        stop: no request is begun once it is set, and pauses end.
    """

    def __init__(self, server: Server, timeout: float, stop: Event) -> None:
        super().__init__(
            api_key=server.key or "none",
            base_url=server.url,
            timeout=openai.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS)),
            max_retries=0,  # each failure is kept, and the pauses end with the run
            http_client=_Connections(timeout),
        )
        self._server, self._seconds, self._stop = server, timeout, stop
        self._no_key: openai.RequestOptions = {}
        if not server.key:
            self._no_key = {"headers": {"Authorization": openai.omit}}

    def complete(self, body: Mapping[str, Any], on_failure: Callable[[str], None]) -> Completion:
        """The answer to a request; ``on_failure`` is told of each try that fails.

        Raises:
            StopRunError: if the server refuses the request, or no try succeeds.
        """
        host = self._server.host
        for number in range(TRIES):
            if self._stop.is_set():
                raise StopRunError("another request has failed")
            found = self._try(body)
            if isinstance(found, Completion):
                return found
            if isinstance(found, StopRunError):
                raise found
            on_failure(str(found))
            wait = found.wait
            if wait is None:  # requests that failed together do not return together
                wait = FIRST_PAUSE * 2**number * random.uniform(0.5, 1)
            if wait > LONGEST_WAIT:
                raise StopRunError(
                    f"{host} asks for a pause of {wait:.0f} s ({found}): resume the run later"
                )
            if number + 1 < TRIES:
                self._stop.wait(wait)
        raise StopRunError(f"{host} gave no answer in {TRIES} tries; the last problem: {found}")

    def _try(self, body: Mapping[str, Any]) -> Completion | _PassingError | StopRunError:
        """An answer or what is wrong, which keeps no error of the client: one may show the key."""
        start = time.monotonic()
        try:
            content = self.post("/chat/completions", cast_to=str, body=body, options=self._no_key)
            return self._read_completion(content, time.monotonic() - start)
        except openai.APITimeoutError:
            return _PassingError(f"no answer in {self._seconds:g} s")
        except openai.APIConnectionError as error:
            problem = f"{type(error.__cause__).__name__}: {error.__cause__}"
            return _PassingError(self._server.hide_key(problem))
        except openai.APIStatusError as error:
            return self._refusal(error, str(body["model"]))
        except _PassingError as error:
            return error

    def _refusal(self, error: openai.APIStatusError, model: str) -> _PassingError | StopRunError:
        body = error.body if isinstance(error.body, dict) else {}
        text = str(body.get("message") or body.get("detail") or error.body or error.response.text)
        said = f"{error.status_code}: {self._shown(text)}"
        if error.status_code in _PASSING or isinstance(error, openai.InternalServerError):
            return _PassingError(said, _retry_after(error.response.headers.get("Retry-After")))
        problem = "refuses the request"
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            problem = f"refuses the key in {KEY}" if self._server.key else f"needs a key: set {KEY}"
        elif isinstance(error, openai.NotFoundError):
            problem = f"does not have the model {model!r}"
        return StopRunError(f"{self._server.host} {problem} ({said})")

    def _read_completion(self, content: str, seconds: float) -> Completion:
        try:
            answer = json.loads(content)
        except (ValueError, RecursionError):
            raise _PassingError(f"not JSON, but {self._shown(content)}") from None
        try:
            text = answer["choices"][0]["message"]["content"] or ""
        except (LookupError, TypeError):
            text = None
        if not isinstance(text, str):
            raise _PassingError("JSON without the text choices[0].message.content")
        usage = answer.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        found = (counts.get(f"{name}_tokens") for name in ("prompt", "completion"))
        read, written = (each if type(each) is int and each >= 0 else None for each in found)
        return Completion(self._server.hide_key(text), read, written, seconds)

    def _shown(self, text: str) -> str:
        """A text of the server for an error; the key is hidden before anything is cut off."""
        return shown(self._server.hide_key(text))


def _retry_after(header: str | None) -> float | None:
    """The seconds of the header, which has a number or a date; None for anything else."""
    seconds = math.nan
    with suppress(ValueError, TypeError):
        seconds = (parsedate_to_datetime(header or "") - datetime.now(UTC)).total_seconds()
    with suppress(ValueError):
        seconds = float(header or "")
    return max(seconds, 0.0) if math.isfinite(seconds) else None
