"""The texts of the pages: a file for each language, English first.

An entry is a text with {placeholders}, or its forms for ``one`` and ``other``, which ``count``
selects. Keys begin with the screen that they are for.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import files

ENGLISH = "en"
LANGUAGES = ENGLISH, "es", "fr", "it"
COOKIE = "mindup-language"
"""The name under which the page keeps a language that was chosen there."""

Entry = str | Mapping[str, str]

_ZERO_IS_SINGULAR = {"fr"}


@cache
def read_texts(language: str) -> Mapping[str, Entry]:
    """All entries of a language, by their keys."""
    text = (files(__name__) / f"{language}.json").read_text(encoding="utf-8")
    entries: dict[str, Entry] = json.loads(text)
    return entries


class Texts:
    """The texts in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._entries = read_texts(language)

    def get(self, key: str, **values: str | int) -> str:
        entry = self._entries[key]
        if not isinstance(entry, str):
            entry = entry[self._form(int(values["count"]))]
        return entry.format_map(values)

    def _form(self, count: int) -> str:
        singular = {0, 1} if self.language in _ZERO_IS_SINGULAR else {1}
        return "one" if abs(count) in singular else "other"


class TextError(ValueError):
    """An error that the page shows in the user's language; its own message is English.

    ``key`` is given without ``error.``; the ``values`` are those of the placeholders. The page does
    not get to know the ``reason``, which may have a path or a text of a bot's own.
    """

    status = HTTPStatus.UNPROCESSABLE_ENTITY
    """That of the response."""

    def __init__(self, key: str, reason: str = "", **values: str | int) -> None:
        self.key, self.values = f"error.{key}", values
        self.shown = Texts(ENGLISH).get(self.key, **values)
        super().__init__(reason or self.shown)


def choose_language(wanted: Iterable[str]) -> str:
    """The first of the languages, such as ``it-CH``, that there are texts for; else English."""
    codes = (re.split("[-_.@;]", each.strip())[0].lower() for each in wanted)
    return next((code for code in codes if code in LANGUAGES), ENGLISH)


def language_of_request(accepted: str, cookies: str) -> str:
    """The language for a browser, from its headers Accept-Language and Cookie.

    Browsers list the most wanted language first.
    """
    kept = re.findall(rf"(?:^|; ){COOKIE}=(\w+)", cookies)
    return choose_language([*kept, *accepted.split(",")])
