"""A stand-in server in the environment of each test, and a clock without long pauses."""

from collections.abc import Iterator

import pytest

from mindup_agents.llm import BUDGET, chat
from mindup_agents.llm.environment import KEY as KEY_VARIABLE
from mindup_agents.llm.environment import RUN, URL
from tests.llm.server import KEY, StandIn, stand_in


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    with stand_in() as running:
        monkeypatch.setenv(URL, running.url)
        monkeypatch.setenv(KEY_VARIABLE, KEY)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        monkeypatch.delenv(BUDGET, raising=False)
        monkeypatch.delenv(RUN, raising=False)
        monkeypatch.setattr(chat, "FIRST_PAUSE", 0.001)
        yield running
