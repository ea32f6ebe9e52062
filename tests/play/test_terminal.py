"""Terminal play: a whole game in a pseudo terminal, its questions, its colours."""

import re
from pathlib import Path

import pytest

from mindup_play.saved import SavedGames
from tests.play.pseudo_terminal import PseudoTerminal, at_a_terminal

TABLE = ("play", "--terminal", "--players", "3", "--seed", "7", "--opponents", "lowest,greedy")
COLOUR = "\x1b[38;2;"


def table(terminal: PseudoTerminal) -> str:
    """The screen up to the question for a card."""
    return terminal.until("q quit >")


def keys_of(screen: str) -> dict[str, str]:
    """The cards of the hand by their keys."""
    (line,) = re.findall(r"^[a-i] [^\n]*(?=\n)", screen, re.MULTILINE)
    return dict(re.findall(r"([a-i]) (\S+)", line))


def play_to_the_end(terminal: PseudoTerminal, turns: int) -> list[str]:
    """Plays the first card of every hand; returns what was shown."""
    screens = []
    for turn in range(turns):
        screens.append(table(terminal))
        terminal.answer(next(iter(keys_of(screens[-1]))))
        if turn in {5, 12, 20}:
            screens.append(terminal.until("Enter: continue >"))
            terminal.answer("")
    return screens


def test_a_whole_game_at_the_terminal(tmp_path: Path) -> None:
    with at_a_terminal(*TABLE, "--hints", "greedy", "--data", str(tmp_path)) as terminal:
        screens = play_to_the_end(terminal, 21)
        end = terminal.rest()
        assert terminal.process.wait(60) == 0
    assert sum("greedy would play " in screen for screen in screens) == 21
    assert [f"Round {round_} is over" in text for round_, text in enumerate(screens[6:21:8], 1)]
    assert "Ranking" in end and "To play the same deal again:" in end
    command = "mindup play --players 3 --seed 7 --opponents lowest,greedy --terminal"
    assert end.rstrip().splitlines()[-1] == command
    for screen in screens:
        assert max(map(len, screen.splitlines())) <= 80 and len(screen.splitlines()) <= 25
    assert COLOUR in terminal.shown
    ((saved, _),) = SavedGames(tmp_path).newest_first()
    assert saved.read().game.over


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_there_are_no_colours_where_they_are_not_wanted(
    variables: dict[str, str], tmp_path: Path
) -> None:
    with at_a_terminal(*TABLE, "--data", str(tmp_path), **variables) as terminal:
        table(terminal)
        assert not re.search(r"\x1b\[[0-9;]*[34]8;", terminal.shown)


def test_keys_stay_with_their_cards_help_is_shown_and_the_end_of_input_keeps_the_game(
    tmp_path: Path,
) -> None:
    with at_a_terminal(*TABLE, "--data", str(tmp_path)) as terminal:
        before = keys_of(table(terminal))
        assert list(before) == list("abcdefg")
        terminal.answer("?")
        assert "The lowest card takes the lowest prize" in terminal.until("Enter: continue >")
        terminal.answer("")
        assert keys_of(table(terminal)) == before
        terminal.answer("C")
        after = keys_of(table(terminal))
        del before["c"]
        assert after == before
        number = re.findall("[0-9]+", after["e"])[0]
        terminal.answer(number)  # a card can be named by its number as well
        assert list(keys_of(table(terminal))) == list("abdfg")
        terminal.answer("c")
        assert "c: not a card of your hand" in table(terminal)
        terminal.answer("\x04")  # Ctrl-D
        assert "mindup: interrupted; the game is kept: mindup play --terminal" in terminal.rest()
        assert terminal.process.wait(60) == 130


def test_a_game_of_the_browser_shows_hints_only_when_asked(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path))
    with at_a_terminal(*TABLE, "--hints", "greedy", *data) as terminal:
        assert "greedy would play " in table(terminal)
        terminal.answer("!")
        assert "greedy would play " not in table(terminal)
        terminal.answer("a")
        table(terminal)
    with at_a_terminal("play", "--terminal", *data) as terminal:
        assert "greedy would play " not in table(terminal)
        terminal.answer("!")
        assert "greedy would play " in table(terminal)
        terminal.answer("b")
        assert "greedy would play " in table(terminal), "until they are switched off"


def test_quitting_asks_and_keeps_the_game(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path))
    with at_a_terminal(*TABLE, *data) as terminal:
        table(terminal)
        terminal.answer("q")
        assert "nothing is kept" in terminal.until("(y/n)")
        terminal.answer("n")
        table(terminal)
        terminal.answer("a")
        left = keys_of(table(terminal))
        terminal.answer("q")
        assert "The game is kept" in terminal.until("(y/n)")
        terminal.answer("y")
        terminal.rest()
        assert terminal.process.wait(60) == 0
    with at_a_terminal("play", "--terminal", *data) as terminal:
        assert keys_of(table(terminal)) == left


@pytest.mark.parametrize(
    ("words", "variables", "question"),
    [
        ((), {"LANG": "fr_CH.UTF-8"}, "q quitter >"),
        (("--language", "es"), {"LANG": "fr_CH.UTF-8"}, "q salir >"),
    ],
)
def test_the_language_is_an_option_or_of_the_environment(
    words: tuple[str, ...], variables: dict[str, str], question: str, tmp_path: Path
) -> None:
    with at_a_terminal(*TABLE, *words, "--data", str(tmp_path), **variables) as terminal:
        terminal.until(question)
