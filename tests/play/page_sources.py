"""The sources of the pages: the keys of texts that they use, and literals that a user would see."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import mindup_play

PACKAGE = Path(mindup_play.__file__).parent
WEB = PACKAGE / "web"
NAME_OF_THE_GAME = "Mind Up!"

_TOKENS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`""", re.DOTALL
)
_TEMPLATE_VALUE = re.compile(r"\$\{[^}]*\}?")
_SHOWN_PROPERTIES = "alt|title|label|placeholder|aria-(?:label|description|valuetext)"
_SHOWN = re.compile(
    rf"""
    (?: (?:textContent|innerText|title|placeholder|ariaLabel|ariaDescription) \s*=\s*
      | \belement\( [^(),]*, [^(),]*, \s*
      | \bsetAttribute\( "(?:{_SHOWN_PROPERTIES})", \s*
      | \b(?:Error|alert|Option|createTextNode)\( \s* )
    ["'`] [^"'`$]* [A-Za-z]
    """,
    re.VERBOSE,
)
"""A literal with letters, where a script sets what a user sees."""
_NAMES_OF_KEYS = {"End", "Enter", "Escape", "Home", "Shift", "Space", "Tab"}


def sources(suffix: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(WEB.rglob(f"*{suffix}"))]


def python_source() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))


def string_literals(script: str) -> Iterator[str]:
    """The literals of a script outside of comments; ``$`` stands for a value in a template."""
    for token in _TOKENS.findall(script):
        if token[0] != "/":
            yield _TEMPLATE_VALUE.sub("$", token[1:-1]) if token[0] == "`" else token[1:-1]
        if token[0] == "`":
            for value in _TEMPLATE_VALUE.findall(token):
                yield from string_literals(value)


def words_of_styles() -> set[str]:
    """Names of classes, elements and properties: words that are no text."""
    styles = re.sub(r"/\*.*?\*/", "", "\n".join([*sources(".css"), *sources(".html")]))
    return set(re.findall(r"[A-Za-z]+", styles))


def shown_literals(script: str, no_text: set[str]) -> list[str]:
    """What looks like a text: a literal that is shown at once, a sentence, a capitalised word."""
    without_comments = re.sub(r"^\s*//.*$|/\*.*?\*/", "", script, flags=re.MULTILINE | re.DOTALL)
    found = [match[0].split("\n")[-1].strip() for match in _SHOWN.finditer(without_comments)]
    for literal in string_literals(script):
        words = re.findall(r"[A-Za-z]{2,}", literal)
        sentence = re.search(r"[A-Za-z]{2}[,;:.!?]? [A-Za-z]{2}", literal)
        capitalised = re.fullmatch(r"[A-Z][a-z]+[.!?:\u2026]*", literal)
        if (sentence and not no_text.issuperset(words)) or (
            capitalised and literal not in _NAMES_OF_KEYS
        ):
            found.append(literal)
    return found


class _PageReader(HTMLParser):
    """Collects the texts of a page, and the keys in its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[str] = []
        self.texts: list[str] = []
        self._raw = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._raw = tag in {"script", "style"}
        for name, value in attrs:
            if name.startswith("data-text"):
                self.keys.append(value or "")
            elif re.fullmatch(_SHOWN_PROPERTIES, name):
                self.texts.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._raw = self._raw and tag not in {"script", "style"}

    def handle_data(self, data: str) -> None:
        text = data.strip()
        # A text that begins with "$" is filled in by the server.
        if not self._raw and re.search("[A-Za-z]", text) and not text.startswith("$"):
            self.texts.append(text)


def keys_of_page(html: str) -> list[str]:
    return _read(html).keys


def texts_of_page(html: str) -> list[str]:
    return [text for text in _read(html).texts if text != NAME_OF_THE_GAME]


def _read(html: str) -> _PageReader:
    reader = _PageReader()
    reader.feed(html)
    return reader
