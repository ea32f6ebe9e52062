"""What the environment and the options say of a server: address, key, prices and budget."""

import os
import re
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, NamedTuple, Self

from pydantic import Field

from mindup_env.agent import from_text
from mindup_env.runs.processes import environment

URL, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
BUDGET = "MINDUP_LLM_BUDGET"
"""The environment variable with the budget of a run, which its worker processes inherit."""
RUN = "MINDUP_LLM_RUN"
"""With the folder of an arena: its budget is one for all of its bots, each with its own folder."""

_OPENAI = "https://api.openai.com/v1"
_ADDRESS = re.compile(
    r"https?://(?P<host>(\[[\da-f:.]+\]|[^\s/:@?#[\]]+)(:\d+)?)(/[^\s?#]*)?", re.IGNORECASE
)
_KEY_TEXT = re.compile(r"[!-~]*")
_PRICES = re.compile(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", re.ASCII)
_UNIT = 10**6
_Amount = Annotated[float, Field(gt=0, allow_inf_nan=False)]


@dataclass(frozen=True)
class Server:
    """Where requests are sent."""

    host: str  # with the port, for messages
    url: str  # the base address
    key: str = field(repr=False)  # no message, file or error may show it

    @classmethod
    def from_environment(cls) -> Self:
        """The server of the environment: by default that of OpenAI, which needs a key.

        No error shows a value: it could be, or contain, a key.
        """
        url = os.environ.get(URL, "").strip() or _OPENAI
        key = os.environ.get(KEY, "").strip()
        if not key and url == _OPENAI:
            raise ValueError(
                f"language models need {KEY} in the environment, or {URL} for a server without keys"
            )
        if not _KEY_TEXT.fullmatch(key):
            raise ValueError(f"{KEY} has a character that no key has: check how it was copied")
        address = _ADDRESS.fullmatch(url)
        if address is None:
            raise ValueError(
                f"{URL} must be an address such as http://127.0.0.1:8000/v1, without a user name, "
                "a password or anything after ? or #"
            )
        return cls(address["host"], url, key)

    def hide_key(self, text: str) -> str:
        """The text without the key: a server may repeat the request in its answer."""
        return text.replace(self.key, "(hidden key)") if self.key else text


class Prices(NamedTuple):
    """The prices of a million tokens."""

    input: float
    output: float

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads ``2.5/10``."""
        found = _PRICES.fullmatch(text)
        if found is None:
            raise ValueError(
                "prices must be those of a million tokens of input and of output, such as 2.5/10, "
                f"not {text!r}"
            )
        return cls(*map(float, found.groups()))

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (self.input * prompt_tokens + self.output * completion_tokens) / _UNIT


def budget_of_run(text: str | None, folder: Path) -> AbstractContextManager[None]:
    """Within the context, the language models of an arena have this budget together.

    Args:
        text: the budget; that of the environment if None.
        folder: the folder of the arena.
    """
    changes = {RUN: str(folder.resolve())}
    if text is not None:
        parse_budget(text)
        changes[BUDGET] = text
    return environment(changes)


def parse_budget(text: str) -> float:
    """Reads a budget, in the currency of the prices."""
    budget: float = from_text("a budget", text, _Amount)
    return budget
