"""A stand-in server in the environment of each test, and a clock without long pauses."""

from collections.abc import Iterator
from threading import Thread

import pytest

from mindup_agents.llm import BUDGET, chat
from mindup_agents.llm.environment import KEY as KEY_VARIABLE
from mindup_agents.llm.environment import RUN, URL
from tests.llm.server import KEY, StandIn


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with StandIn() as running:
        Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        for name, value in ((URL, running.url), (KEY_VARIABLE, KEY), ("NO_PROXY", "127.0.0.1")):
            monkeypatch.setenv(name, value)
        for name in (BUDGET, RUN):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(chat, "FIRST_PAUSE", 0.001)
        yield running
        running.ended.set()
        running.shutdown()
