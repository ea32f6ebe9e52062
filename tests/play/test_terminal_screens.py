"""Screens of terminal play: at every turn they fit 80x24, in every language."""

import re
from functools import partial

import pytest
from rich.text import Text

from mindup_env import OFFICIAL_DECK
from mindup_play.languages import LANGUAGES, Texts
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.terminal.lines import HEIGHT, WIDTH, Lines, Signs, TerminalView, row, stacked
from mindup_play.terminal.score_screens import end_screen, round_screen
from mindup_play.terminal.table_screen import HandCard, help_screen, table_screen

UNICODE = Signs.for_encoding("utf-8")
HINT = "the run of last night with 3 layers would play 36 (how often it plays the card)"


def view_of(session: Session, language: str = "en", signs: Signs = UNICODE) -> TerminalView:
    texts, settings = Texts(language), session.settings
    names = [f"champion-1 {player}" for player in range(settings.players)]
    return TerminalView(texts, signs, OFFICIAL_DECK, names, settings.seat)


def hand_of(session: Session) -> list[HandCard]:
    hand = session.game.hand(session.settings.seat)
    return [HandCard(key, card, "100%") for key, card in zip("abcdefghi", hand, strict=False)]


def fit(lines: Lines) -> bool:
    """Whether the lines, and a question below them, are within the screen."""
    return len(lines) < HEIGHT and all(line.cell_len <= WIDTH for line in lines)


def plain(lines: Lines) -> str:
    return "\n".join(line.plain for line in lines)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("objectives", [0, 1, 2, 3, 4, 5])
def test_every_turn_fits_80x24(players: int, objectives: int) -> None:
    session = Session(PlaySettings(objectives, players, objectives, 1, ("lowest", "greedy")))
    views = [view_of(session, language) for language in LANGUAGES]
    while not session.game.over:
        table = session.table_state()
        for view in views:
            assert fit(table_screen(table, view, hand_of(session), HINT))
        session.play(session.game.hand(1)[-1])
        table = session.table_state()
        if table["last_turn"]["last_cards"]:
            assert all(fit(round_screen(table, view)) for view in views)
    assert all(fit(end_screen(table, view)) for view in views)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_and_the_questions_fit(language: str) -> None:
    session = Session(PlaySettings(1, opponents=("lowest",)))
    view = view_of(session, language)
    assert fit(help_screen(view))
    questions = [
        view.texts.get("terminal.question", keys="abcdefghi"),
        view.texts.get("terminal.question_hints", keys="abcdefghi"),
        *map(view.texts.get, ("terminal.continue", "terminal.quit", "terminal.quit_unplayed")),
    ]
    assert all(len(question) < WIDTH for question in questions)


def test_the_results_of_a_turn_are_beside_the_players() -> None:
    session = Session(PlaySettings(7, 3, opponents=("lowest",)))
    session.play(session.game.hand(0)[0])
    text = plain(table_screen(session.table_state(), view_of(session), hand_of(session)))
    for play in session.table_state()["last_turn"]["plays"]:
        assert view_of(session).play(play["card"], play["prize"]).plain in text
    known = session.game.known(1)
    assert not known and "hand  ?\u00d76" in text


def test_the_colour_of_a_card_ends_with_it() -> None:
    session = Session(PlaySettings(7, 3, opponents=("lowest",)))
    view = view_of(session)
    padded = row([(view.card(1), 10), (view.card(2), 10)])
    assert [span.end - span.start for span in padded.spans] == [
        *(len(view.card(number).plain) for number in (1, 2))
    ]


def test_no_hidden_card_is_shown() -> None:
    session = Session(PlaySettings(7, 3, opponents=("lowest",)))
    text = plain(table_screen(session.table_state(), view_of(session), hand_of(session)))
    for player in (1, 2):
        for card in session.game.hand(player):
            assert view_of(session).card(card).plain not in text.split()


def test_the_end_ranks_the_players() -> None:
    session = Session(PlaySettings(7, 4, opponents=("greedy",)))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    first, second, *_ = lines = plain(
        end_screen(session.table_state(), view_of(session))
    ).splitlines()
    ranking = [int(line.split()[-1]) for line in lines[-4:]]
    assert ranking == sorted(session.game.scores, reverse=True)
    assert first.endswith(" won") == (0 not in session.game.winners)
    assert re.search("of 4, [0-9]+ points? behind|ahead of|[Ll]evel with", second)


def test_without_the_shapes_colours_are_letters() -> None:
    session = Session(PlaySettings(7, 3, opponents=("lowest",)))
    session.play(session.game.hand(0)[0])
    signs = Signs.for_encoding("latin-1")
    view = view_of(session, signs=signs)._replace(names=["a long name of a bot 1"] * 3)
    lines = table_screen(session.table_state(), view, hand_of(session))
    plain(lines).encode("latin-1")


def test_empty_lines_go_where_there_is_room() -> None:
    blocks = [[Text("a"), Text("b")], [], [Text("c")], [Text("d")]]
    lines = partial(stacked, blocks)
    assert plain(lines(9)) == "a\nb\n\nc\n\nd"
    assert plain(lines(5)) == "a\nb\n\nc\nd"
    assert plain(lines(4)) == "a\nb\nc\nd"
