"""Servers that fail: what passes is tried again, and all else stops the run with what is wrong."""

import socket
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from mindup_agents.llm import chat
from mindup_agents.llm.chat import MOST_BYTES, TRIES
from mindup_agents.llm.environment import KEY as KEY_VARIABLE
from mindup_agents.llm.environment import URL, Server
from mindup_env.agent import StopRunError
from tests.llm.server import (
    KEY,
    Answers,
    Reply,
    Request,
    StandIn,
    chosen_card,
    completion,
    first_turn,
    model,
    refusal,
    well_played,
)

LATER = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
PASSING = {
    "429": refusal(429, "slow down"),
    "429 with a pause": refusal(429, "slow down", Retry_After="0.01"),
    "429 with a date": refusal(429, "slow down", Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"),
    "429 with nonsense": refusal(429, "slow down", Retry_After="nan"),
    "500": refusal(500, Retry_After="soon"),
    "503": Reply(b"<html>busy</html>", 503),
    "no JSON": Reply(b"<html>hello</html>"),
    "not UTF-8": Reply(b"\xff\xfe\x00"),
    "deep JSON": Reply(b"[" * 100_000),
    "no message": Reply(b'{"choices": [null]}'),
    "no text": Reply(b'{"choices": [{"message": {"content": [1]}}]}'),
    "nothing": Reply(b""),
    "huge": Reply(b" " * (MOST_BYTES + 1)),
    "broken": Reply(b" " * 1000, broken=True),
}


def at_first(reply: Reply) -> Answers:
    """The reply to the first two requests of each prompt, and then good answers."""
    seen: dict[str, int] = {}

    def answers(request: Request) -> Reply:
        seen[request.prompt] = seen.get(request.prompt, 0) + 1
        return reply if seen[request.prompt] <= 2 else well_played(request)

    return answers


@pytest.mark.parametrize("reply", PASSING.values(), ids=PASSING)
def test_what_may_pass_is_tried_again(reply: Reply, server: StandIn, tmp_path: Path) -> None:
    expected = model().act(*first_turn(1))
    server.requests.clear()
    server.answers = at_first(reply)
    assert model(tmp_path).act(*first_turn(1)).tolist() == expected.tolist()
    assert len(server.requests) == 2 * 3
    (kept,) = (tmp_path / "llm").glob("*.jsonl")
    assert kept.read_text().count('"failure": ') == 2 * 2


@pytest.mark.parametrize("reply", [PASSING["500"], PASSING["no JSON"], PASSING["huge"]])
def test_a_server_that_never_recovers_stops_the_run(reply: Reply, server: StandIn) -> None:
    server.answers = lambda _: reply
    with pytest.raises(StopRunError, match=f"gave no answer in {TRIES} tries; the last") as error:
        model(concurrency=1).act(*first_turn(1))
    assert len(server.requests) == TRIES
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (refusal(401, "bad key"), f"refuses the key in {KEY_VARIABLE} \\(401: 'bad key'\\)"),
        (refusal(403), f"refuses the key in {KEY_VARIABLE}"),
        (refusal(404, "no such model"), "does not have the model 'stand-in' .404: 'no such model'"),
        (refusal(400, "temperature is too high"), "refuses the request .400: 'temperature is too"),
        (Reply(b'{"detail": "wrong"}', 422), "422: 'wrong'"),
        (Reply(b"", 301, (("Location", "http://127.0.0.1:1/"),)), "refuses the request .301"),
        (refusal(429, Retry_After="3600"), "asks for a pause of 3600 s .429: 'no'.: resume"),
        (refusal(503, Retry_After=LATER), r"asks for a pause of \d+ s .503: 'no'.: resume"),
    ],
)
def test_what_does_not_pass_stops_the_run_at_once(
    reply: Reply, problem: str, server: StandIn
) -> None:
    server.answers = lambda _: reply
    with pytest.raises(StopRunError, match=problem) as error:
        model(concurrency=1).act(*first_turn(2))
    assert len(server.requests) == 1
    assert server.url.split("/")[2] in str(error.value)


def test_a_slow_server_is_not_waited_for(server: StandIn) -> None:
    def slow(request: Request) -> Reply:
        if len(server.requests) <= 2:
            server.ended.wait(30)
        return well_played(request)

    server.answers = slow
    start = time.monotonic()
    model(timeout=0.5).act(*first_turn(1))
    assert time.monotonic() - start < 10 and len(server.requests) == 4


def test_a_server_that_drips_is_not_waited_for(
    server: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte arrives in time, but not the whole answer."""
    monkeypatch.setattr(chat, "TRIES", 1)
    server.answers = lambda _: Reply(b" " * 100, drips=True)
    start = time.monotonic()
    with pytest.raises(StopRunError, match=r"no answer in 0\.5 s"):
        model(timeout=0.5, concurrency=1).act(*first_turn(1).pick([0]))
    assert time.monotonic() - start < 10


@pytest.mark.usefixtures("server")
def test_a_server_that_is_not_there_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        monkeypatch.setenv(URL, f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
        with pytest.raises(StopRunError, match=f"in {TRIES} tries; the last problem: ConnectError"):
            model().act(*first_turn(1))


def test_the_failure_of_one_request_ends_the_pauses_of_others(server: StandIn) -> None:
    def one_is_refused(_: Request) -> Reply:
        if len(server.requests) < 4:
            return refusal(429, Retry_After="100")
        return refusal(401)

    server.answers = one_is_refused
    start = time.monotonic()
    with pytest.raises(StopRunError, match="refuses the key"):
        model(concurrency=4).act(*first_turn(2))
    assert time.monotonic() - start < 30


def test_the_answers_to_requests_that_were_sent_are_kept(server: StandIn, tmp_path: Path) -> None:
    """Also when another request stops the run: they are paid for."""

    def last_is_refused(request: Request) -> Reply:
        if len(server.requests) == 4:
            return refusal(401)
        time.sleep(0.3)
        return well_played(request)

    server.answers = last_is_refused
    with pytest.raises(StopRunError, match="refuses the key"):
        model(tmp_path, concurrency=4).act(*first_turn(4))
    server.answers, before = well_played, len(server.requests)
    model(tmp_path).act(*first_turn(4))
    assert before == 4 and len(server.requests) == 4 + 8 - 3


ENVIRONMENT: list[tuple[dict[str, str], str]] = [
    ({KEY_VARIABLE: " \n"}, "need OPENAI_API_KEY in the environment, or OPENAI_BASE_URL for a"),
    ({KEY_VARIABLE: f"{KEY}\n{KEY}"}, "OPENAI_API_KEY has a character that no key has"),
    ({KEY_VARIABLE: f"{KEY}é"}, "OPENAI_API_KEY has a character that no key has"),
    *(
        ({URL: url, KEY_VARIABLE: KEY}, "OPENAI_BASE_URL must be an address such as")
        for url in (
            "localhost:8000",
            "ftp://localhost/v1",
            "http:///v1",
            "http://[::1/v1",
            "http://localhost:port/v1",
            f"http://user:{KEY}@localhost/v1",
            f"http://localhost/v1?key={KEY}",
            f"http://localhost/v1#{KEY}",
        )
    ),
]


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(("variables", "problem"), ENVIRONMENT)
def test_a_wrong_environment_is_refused_without_its_values(
    variables: dict[str, str], problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(URL)
    openai = Server("api.openai.com", "https://api.openai.com/v1", KEY)
    assert Server.from_environment() == openai, "the default"
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=problem) as error:
        model()
    assert KEY not in str(error.value)


def test_a_server_without_keys_gets_none(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE)
    model().act(*first_turn(1))
    assert "Authorization" not in server.requests[0].headers
    server.answers = lambda _: refusal(401)
    with pytest.raises(StopRunError, match=f"needs a key: set {KEY_VARIABLE}"):
        model().act(*first_turn(1))


TALKATIVE: dict[str, Callable[[Request], Reply]] = {
    "refusal": lambda request: refusal(401, f"{'x' * 185} {request.headers['Authorization']}"),
    "failure": lambda request: refusal(500, f"unknown: {request.headers['Authorization']}"),
    "no JSON": lambda request: Reply(f"{'x' * 185} {request.headers['Authorization']}".encode()),
    "answer": lambda request: completion(f"{request.headers['Authorization']}\ncard 0"),
    "valid answer": lambda request: completion(
        f"{request.headers['Authorization']}\ncard {chosen_card(request.prompt)}"
    ),
    "header": lambda request: Reply(b"", 500, (("X-Key", request.headers["Authorization"]),)),
}


@pytest.mark.parametrize("answers", TALKATIVE.values(), ids=TALKATIVE)
def test_the_key_gets_into_no_error_and_no_file(
    answers: Answers, server: StandIn, tmp_path: Path
) -> None:
    """Not even a part of it, of a server that repeats it."""
    server.answers = answers
    bot, errors = model(tmp_path, concurrency=1), []
    try:
        bot.act(*first_turn(1))
    except Exception as error:  # noqa: BLE001  # of any kind
        errors = [each for each in (error, error.__cause__, error.__context__) if each]
    assert errors or answers is TALKATIVE["valid answer"]
    files = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert files or answers is TALKATIVE["refusal"]
    texts = [repr(bot), repr(vars(bot)), *files, *map(str, errors), *map(repr, errors)]
    for text in texts:
        assert KEY[:8] not in text
