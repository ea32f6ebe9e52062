"""Docstrings of the code, for tables."""

import inspect
import re
from typing import Any

_ARGUMENT = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def summary(documented: Any) -> str:
    """The first paragraph of a docstring, in one line."""
    paragraph, *_ = _docstring(documented).split("\n\n")
    return " ".join(paragraph.split())


def arguments(documented: Any) -> dict[str, str]:
    """The meaning of each argument, from the section ``Args:`` of a docstring."""
    _, _, section = _docstring(documented).partition("Args:\n")
    return {name: " ".join(meaning.split()) for name, meaning in _ARGUMENT.findall(section)}


def _docstring(documented: Any) -> str:
    # Not inspect.getdoc: a docstring that is inherited says nothing about a subclass.
    if not documented.__doc__:
        raise ValueError(f"{documented} needs a docstring: a table shows it")
    return inspect.cleandoc(documented.__doc__)
