"""What answers cost, and the budget of a run."""

import math
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Self

BUDGET = "MINDUP_LLM_BUDGET"
"""The environment variable with the budget of a run, which its worker processes inherit."""

_PRICES = re.compile(r"(\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", re.ASCII)
_UNIT = 10**6


class Prices(NamedTuple):
    """The prices of a million tokens."""

    input: float
    output: float

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Reads ``2.5/10``; None if the text is empty: then costs are unknown."""
        if not text:
            return None
        found = _PRICES.fullmatch(text)
        if found is None:
            raise ValueError(
                "prices must be those of a million tokens of input and of output, such as 2.5/10, "
                f"not {text!r}"
            )
        return cls(float(found[1]), float(found[2]))

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (self.input * prompt_tokens + self.output * completion_tokens) / _UNIT


@contextmanager
def budget_of_run(text: str | None) -> Iterator[None]:
    """Within the context, language models have this budget; that of the environment if None."""
    before = os.environ.get(BUDGET)
    if text is not None:
        parse_budget(text)
        os.environ[BUDGET] = text
    try:
        yield
    finally:
        if text is not None:
            del os.environ[BUDGET]
            if before is not None:
                os.environ[BUDGET] = before


def read_budget() -> float | None:
    """The budget from the environment, in the currency of the prices; None if there is none."""
    text = os.environ.get(BUDGET)
    return None if text is None else parse_budget(text)


def parse_budget(text: str) -> float:
    """Reads a budget: a positive number."""
    try:
        budget = float(text)
    except ValueError:
        budget = math.nan
    if not 0 < budget < math.inf:
        raise ValueError(f"a budget must be a number above 0, not {text!r}")
    return budget
