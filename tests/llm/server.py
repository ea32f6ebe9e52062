"""A stand-in for a server of language models, which fails as it is told; and who asks it."""

import json
import re
import zlib
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock
from typing import Any, NamedTuple

from mindup_agents.llm import LanguageModel
from mindup_env import GameConfig
from tests.agents.positions import ActArguments, whole_games

KEY = "sk-a-key-of-the-tests/0123456789"
INPUT_TOKENS, OUTPUT_TOKENS = 1000, 10


class Reply(NamedTuple):
    """What the server sends: a part of it if ``broken``, and slowly if it ``drips``."""

    content: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    broken: bool = False
    drips: bool = False


class Request(NamedTuple):
    """What the server was sent."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def prompt(self) -> str:
        text: str = self.body["messages"][-1]["content"]
        return text


Answers = Callable[[Request], Reply]


def completion(text: str | None, **usage: int) -> Reply:
    counts = usage or {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS}
    message = {"role": "assistant", "content": text}
    return Reply(json.dumps({"choices": [{"message": message}], "usage": counts}).encode())


def refusal(status: int, message: str = "no", **headers: str) -> Reply:
    plain = json.dumps({"error": {"message": message}}).encode()
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(plain, status, named)


def hand_in(prompt: str) -> list[int]:
    (held,) = re.findall(r"^You hold (.*)\. Which card do you play\?", prompt, re.MULTILINE)
    return [int(card.split()[0]) for card in held.split(", ")]


def chosen_card(prompt: str) -> int:
    """Any card of the hand, always the same for the same prompt."""
    hand = hand_in(prompt)
    return hand[zlib.crc32(prompt.encode()) % len(hand)]


def well_played(request: Request) -> Reply:
    return completion(f"I take my time.\ncard {chosen_card(request.prompt)}")


class StandIn(ThreadingHTTPServer):
    """The server while it runs; ``answers`` can be replaced at any time.

    Attributes:
        url: its base address.
        requests: what it was sent, in the order of arrival.
        at_once: the largest number of requests that it was working on at the same time.
    """

    request_queue_size = 128
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.answers: Answers = well_played
        self.requests: list[Request] = []
        self.at_once = 0
        self.ended = Event()
        self._working, self._lock = 0, Lock()

    def reply(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            self._working += 1
            self.at_once = max(self.at_once, self._working)
        try:
            return self.answers(request)
        finally:
            with self._lock:
                self._working -= 1


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StandIn

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.title(): value for name, value in self.headers.items()}
        reply = self.server.reply(Request(json.loads(content), headers))
        size = len(reply.content)
        with suppress(BrokenPipeError, ConnectionResetError):
            self.send_response(reply.status)
            for name, value in (*reply.headers, ("Content-Length", str(size))):
                self.send_header(name, value)
            self.end_headers()
            content = reply.content[: size // 2 if reply.broken else size]
            if reply.drips:
                for byte in content:
                    self.wfile.write(bytes([byte]))
                    self.server.ended.wait(0.1)
                return
            self.wfile.write(content)
            self.close_connection = reply.broken

    def log_message(self, *words: object) -> None:
        pass


# The bots that ask it

SHORT = GameConfig(num_players=2, num_rounds=1, hand_size=4)


def model(folder: Path | None = None, **options: Any) -> LanguageModel:
    return LanguageModel(SHORT, model="stand-in", run_folder=folder, **options)


def first_turn(games: int = 3) -> ActArguments:
    """All seats of some games, each with its own random bits."""
    return whole_games(SHORT, games)[0]
