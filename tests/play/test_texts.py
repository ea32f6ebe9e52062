"""The texts of the pages: complete in every language, and all of them in their files."""

import re
from string import Formatter

import pytest

from mindup_agents.card_evaluation import UNITS
from mindup_env import OFFICIAL_DECK
from mindup_env.objectives import OBJECTIVES
from mindup_play.languages import (
    ENGLISH,
    LANGUAGES,
    Entry,
    TextError,
    Texts,
    choose_language,
    language_of_environment,
    language_of_request,
    read_texts,
)
from mindup_play.offer import STRENGTHS
from tests.play.page_sources import (
    keys_of_page,
    python_source,
    shown_literals,
    sources,
    string_literals,
    texts_of_page,
    words_of_styles,
)
from tools.languages import FOLDER, file_text

KEYS = set(read_texts(ENGLISH))
SECTIONS = {key.partition(".")[0] for key in KEYS}
OF_THE_GAME = {
    *(f"objective.{objective.id}" for objective in OBJECTIVES),
    *(f"explain.{objective.id}" for objective in OBJECTIVES),
    *(f"colour.{card.colour}" for card in OFFICIAL_DECK),
    *(f"strength.{strength}" for strength in STRENGTHS),
    *(f"unit.{unit.replace(' ', '_')}" for unit in UNITS),
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
    assert [text for page in sources(".html") for text in texts_of_page(page)] == []
    assert texts_of_page("<p title='A title'>A <b>text</b></p><script>code</script>") == [
        *("A title", "A", "text")
    ]


def test_every_key_that_is_used_exists() -> None:
    built = {key for key in script_keys() if key.endswith("$")}
    assert built == {f"{key.partition('.')[0]}.$" for key in OF_THE_GAME}
    assert script_keys() - built <= KEYS
    assert {key for page in sources(".html") for key in keys_of_page(page)} <= KEYS
    assert OF_THE_GAME <= KEYS


def test_every_key_is_used() -> None:
    python = python_source().replace("'", '"')
    used = {key for page in sources(".html") for key in keys_of_page(page)}
    used |= OF_THE_GAME | script_keys()
    used |= {f"{key}_own" for key in used}  # the person's own text, see narration.js
    unused = {
        key
        for key in KEYS - used
        if f'"{key}"' not in python and f'"{key.removeprefix("error.")}"' not in python
    }
    assert not unused


# Reading


def test_values_and_plurals_are_filled_in() -> None:
    values = {"running": 1}
    assert Texts("en").get("table.points_label", count=1, **values).startswith("1 point, ")
    assert Texts("en").get("table.points_label", count=0, **values).startswith("0 points, ")
    assert Texts("fr").get("table.points_label", count=0, **values).startswith("0 point, ")
    assert Texts("it").get("table.points_label", count=-1, **values).startswith("-1 punto, ")


def test_an_error_for_the_page_speaks_english_by_itself() -> None:
    error = TextError("seed", highest=9)
    assert str(error) == "The seed must be a number from 0 to 9."
    assert (error.key, error.values) == ("error.seed", {"highest": 9})


@pytest.mark.parametrize(
    ("accepted", "cookies", "language"),
    [
        ("it-IT,it;q=0.9,en;q=0.8", "", "it"),
        ("de,fr;q=0.5,es;q=0.7", "", "es"),
        ("en;q=0,fr;q=0.1", "", "fr"),
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


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "it", "LC_MESSAGES": "fr_FR@euro", "LC_ALL": ""}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_of_a_terminal(environment: dict[str, str], language: str) -> None:
    assert language_of_environment(environment) == language


def test_the_first_known_language_is_chosen() -> None:
    assert choose_language(["de-AT", " pt", "fr-CA", "it"]) == "fr"
