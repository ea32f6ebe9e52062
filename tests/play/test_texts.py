"""The texts of the pages: complete in every language, and all of them in their files."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import pytest

import mindup_play
from mindup_agents.card_evaluation import UNITS
from mindup_env import OFFICIAL_DECK
from mindup_env.config import MAX_PLAYERS
from mindup_env.objectives import OBJECTIVES, Objective
from mindup_play.languages import (
    ENGLISH,
    LANGUAGES,
    Entry,
    TextError,
    Texts,
    choose_language,
    language_of_request,
    read_texts,
)
from mindup_play.offer import STRENGTHS
from tools.languages import FOLDER, file_text

KEYS = set(read_texts(ENGLISH))
SECTIONS = {key.partition(".")[0] for key in KEYS}
OF_THE_GAME = {
    *(f"objective.{objective.id}" for objective in OBJECTIVES),
    *(f"explain.{objective.id}" for objective in OBJECTIVES),
    *(f"colour.{card.colour}" for card in OFFICIAL_DECK),
    *(f"strength.{strength}" for strength in STRENGTHS.values()),
    *(f"unit.{unit.replace(' ', '_')}" for unit in UNITS),
    *(f"ordinal.{place}" for place in range(1, MAX_PLAYERS + 1)),
}
"""The pages build these keys from the names of the game."""


def forms(entry: Entry) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def script_keys() -> set[str]:
    """The literals of scripts that have the form of a key."""
    pattern = rf"(?:{'|'.join(SECTIONS)})\.[a-z0-9_$]+"
    literals = (literal for script in sources(".js") for literal in string_literals(script))
    return {literal for literal in literals if re.fullmatch(pattern, literal)}


# The files


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_keys_and_placeholders_of_english(language: str) -> None:
    english, own = read_texts(ENGLISH), read_texts(language)
    assert set(own) == set(english)
    for key, entry in own.items():
        wanted = set().union(*map(placeholders, forms(english[key])))
        assert isinstance(entry, str) == isinstance(english[key], str), key
        assert isinstance(entry, str) or set(entry) == {"one", "other"}, key
        for form in forms(entry):
            assert form and form == form.strip(), key
            assert placeholders(form) | {"count"} == wanted | {"count"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_are_sorted_with_an_entry_on_each_line(language: str) -> None:
    text = (FOLDER / f"{language}.json").read_text(encoding="utf-8")
    assert text == file_text(read_texts(language)), "python -m tools.languages sorts the files"


def test_there_is_no_other_file_of_texts() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_texts_are_translated(language: str) -> None:
    """A few short texts are the same in two languages; a sentence is not."""
    english, own = read_texts(ENGLISH), read_texts(language)
    same = [key for key in KEYS if own[key] == english[key]]
    words = {key: re.sub(r"\{\w+\}", "", str(english[key])).split() for key in same}
    assert not [key for key in same if len(words[key]) > 2]


# The sources

PACKAGE = Path(mindup_play.__file__).parent
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
    return [path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob(f"*{suffix}"))]


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
        is_text = re.search("[A-Za-z]", text) and not text.startswith("$")
        if not self._raw and is_text and text != NAME_OF_THE_GAME:
            self.texts.append(text)


def read_page(html: str) -> _PageReader:
    reader = _PageReader()
    reader.feed(html)
    return reader


def keys_of_pages() -> set[str]:
    return {key for page in sources(".html") for key in read_page(page).keys}


def test_no_text_stands_in_the_scripts() -> None:
    no_text = words_of_styles()
    assert [found for script in sources(".js") for found in shown_literals(script, no_text)] == []


@pytest.mark.parametrize(
    "line",
    [
        'made.setAttribute("aria-label", "prizes");',
        'element("span", "takes", "takes")',
        'at("progress").textContent = over ? "The game is over" : "";',
        "title.textContent = `round ${round}`;",
        'const heads = ["Player", column];',
        'const joined = names.join(" and then ");',
        "`${over ? 'Nobody has won yet' : ''}`",
    ],
)
def test_texts_in_scripts_are_found(line: str) -> None:
    assert shown_literals(line, words_of_styles())


def test_no_text_stands_in_the_pages() -> None:
    assert [text for page in sources(".html") for text in read_page(page).texts] == []
    assert read_page("<p title='A title'>A <b>text</b></p><script>code</script>").texts == [
        *("A title", "A", "text")
    ]


def test_every_key_that_is_used_exists() -> None:
    built = {key for key in script_keys() if key.endswith("$")}
    assert built == {f"{key.partition('.')[0]}.$" for key in OF_THE_GAME}
    assert script_keys() - built <= KEYS
    assert keys_of_pages() <= KEYS
    assert OF_THE_GAME <= KEYS


def test_every_key_is_used() -> None:
    python = "\n".join(sources(".py")).replace("'", '"')
    used = keys_of_pages()
    used |= OF_THE_GAME | script_keys()
    used |= {f"{key}_own" for key in used}  # the person's own text, see narration.js
    unused = {
        key
        for key in KEYS - used
        if f'"{key}"' not in python and f'"{key.removeprefix("error.")}"' not in python
    }
    assert not unused


# Reading


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda objective: objective.id)
def test_the_pages_word_a_condition_as_the_game_does(objective: Objective) -> None:
    assert read_texts(ENGLISH)[f"objective.{objective.id}"] == objective.condition


def test_values_and_plurals_are_filled_in() -> None:
    values = {"running": 1}
    assert Texts("en").get("table.points_label", count=1, **values).startswith("1 point, ")
    assert Texts("en").get("table.points_label", count=0, **values).startswith("0 points, ")
    assert Texts("fr").get("table.points_label", count=0, **values).startswith("0 point, ")
    assert Texts("it").get("table.points_label", count=-1, **values).startswith("-1 punto, ")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "You are 3rd of 4, 1 point behind Ada"),
        ("es", "Tu puesto: 3.º de 4, a 1 punto de Ada"),
        ("fr", "Vous êtes 3e sur 4, 1 point derrière Ada"),
        ("it", "Sei 3º su 4, 1 punto dietro Ada"),
    ],
)
def test_a_place_is_an_ordinal(language: str, text: str) -> None:
    texts = Texts(language)
    place = texts.get("ordinal.3")
    assert texts.get("end.behind", count=1, place=place, players=4, names="Ada") == text


def test_an_error_for_the_page_speaks_english_by_itself() -> None:
    error = TextError("seed", highest=9)
    assert str(error) == "The seed must be a number from 0 to 9."
    assert (error.key, error.values) == ("error.seed", {"highest": 9})


@pytest.mark.parametrize(
    ("accepted", "cookies", "language"),
    [
        ("it-IT,it;q=0.9,en;q=0.8", "", "it"),
        ("de,es;q=0.7,fr;q=0.5", "", "es"),
        ("ES-mx", "", "es"),
        ("de,*", "", "en"),
        ("", "", "en"),
        (";;q=,=;q=2,\x00", "mindup-language", "en"),
        ("it", "mindup-language=fr", "fr"),
        ("it", "other=1; mindup-language=es; more=2", "es"),
        ("it", "my-mindup-language=es", "it"),
        ("it", "mindup-language=../de", "it"),
    ],
)
def test_the_cookie_and_then_the_browser_choose(accepted: str, cookies: str, language: str) -> None:
    assert language_of_request(accepted, cookies) == language


def test_the_first_known_language_is_chosen() -> None:
    assert choose_language(["de-AT", " pt", "fr-CA", "it"]) == "fr"
