"""Terminal play: new and resumed games, questions, screens of 80x24, colours."""

import io
import re
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from rich.text import Text

from mindup_agents.card_evaluation import WIN_PROBABILITY, CardEvaluation
from mindup_env import OFFICIAL_DECK, cli
from mindup_play.bots import BotChoice
from mindup_play.languages import LANGUAGES, Texts
from mindup_play.saved import SavedGame, SavedGames
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.terminal.lines import HEIGHT, WIDTH, Lines, Signs, TerminalView, row, stacked
from mindup_play.terminal.screens import end_screen, help_screen, round_screen, table_screen
from tests.agents.process.programs import program
from tests.play.tables import play_to, play_to_the_end

TABLE = ("--players", "3", "--seed", "7", "--opponents", "lowest,greedy")
HAND = Session(PlaySettings(7, 3, opponents=("lowest", "greedy"))).game.hand(0)
QUESTION = "q quit >"
ONE_TURN = "".join(f"{card}\n" for card in range(1, 61))
"""Plays a card of any hand; cards that are not in the hand are refused."""
WHOLE_GAME = ONE_TURN * 21 + "\n" * 60
"""After a round, an answer is only a sign to continue."""

Play = Callable[..., str]


@pytest.fixture
def play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Play:
    """Runs ``mindup play --terminal`` with these answers; returns what it shows."""

    def run(answers: str, *words: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        status = cli.main(["play", "--terminal", "--data", str(tmp_path), *words])
        out, error = capsys.readouterr()
        assert status == (cli.INTERRUPTED if error else 0)
        return out + error

    return run


def saved_games(folder: Path) -> list[SavedGame]:
    return [saved for saved, _ in SavedGames(folder).newest_first()]


def keys_of(screen: str) -> dict[str, str]:
    """The cards of the hand by their keys."""
    (line,) = re.findall(r"^[a-i] [^\n]*(?=\n)", screen, re.MULTILINE)
    return dict(re.findall(r"([a-i]) (\S+)", line))


# Games


def test_a_whole_game(play: Play, tmp_path: Path) -> None:
    shown = play(WHOLE_GAME, *TABLE, "--hints", "greedy")
    assert shown.count("greedy would play ") == shown.count("at each card: expected points") == 21
    assert all(f"Round {number} is over" in shown for number in (1, 2, 3)) and "Ranking" in shown
    assert "\x1b" not in shown, "this is no terminal"
    command = "mindup play --players 3 --seed 7 --opponents lowest,greedy --terminal"
    assert shown.rstrip().splitlines()[-2:] == ["To play the same deal again:", command]
    (saved,) = saved_games(tmp_path)
    assert saved.read().game.over


def test_a_program_plays_at_the_table(play: Play, tmp_path: Path) -> None:
    """Quotes keep its command together, in what is given and in what is said at the end."""
    bots = f"lowest,'process:{program(tmp_path)} 1,2'"
    shown = play(WHOLE_GAME, *TABLE[:-1], bots)
    assert "3 process " in shown and "Ranking" in shown
    words = shlex.split(shown.splitlines()[-1])
    assert words[words.index("--opponents") + 1] == bots


def test_without_options_an_unfinished_game_is_resumed_with_its_secret(
    play: Play, tmp_path: Path
) -> None:
    shown = play(ONE_TURN, "--opponents", "lowest")
    assert "mindup: interrupted; the game is kept: mindup play --terminal" in shown
    (saved,) = saved_games(tmp_path)
    seed = saved.read().settings.seed
    assert str(seed) not in shown
    shown = play("")
    assert shown.startswith("Resuming the unfinished game") and str(seed) not in shown
    assert f"--seed {seed} " in play(WHOLE_GAME).splitlines()[-1]
    assert saved.read().game.over
    assert "Resuming" not in play("")


@pytest.mark.parametrize("words", [("--new",), TABLE])
def test_a_new_game_leaves_the_unfinished_one_as_it_is(
    words: tuple[str, ...], play: Play, tmp_path: Path
) -> None:
    play(ONE_TURN, *TABLE)
    (saved,) = saved_games(tmp_path)
    kept = saved.path.read_text()
    assert "no card was played" in play("", *words)
    assert len(saved_games(tmp_path)) == 1, "a game in which nothing was played is not kept"
    assert "Resuming" not in play(ONE_TURN, *words)
    assert len(saved_games(tmp_path)) == 2 and saved.path.read_text() == kept


def test_the_game_of_another_process_is_not_resumed(play: Play, tmp_path: Path) -> None:
    play(ONE_TURN, *TABLE)
    (saved,) = saved_games(tmp_path)
    saved.load()
    kept = saved.path.read_text()
    assert "open in another window" in play(ONE_TURN)
    assert len(saved_games(tmp_path)) == 2 and saved.path.read_text() == kept


# Questions


def test_keys_stay_with_their_cards_and_help_is_shown(play: Play) -> None:
    third, fifth = HAND[2], HAND[4]
    shown = play(f"?\n\nC\n{fifth}\nc\n", *TABLE).split(QUESTION)
    first, after_help, second, third_turn, refused, _ = shown
    assert list(keys_of(first)) == list("abcdefg")
    assert "The lowest card takes the lowest prize" in after_help
    assert keys_of(after_help) == keys_of(first)
    assert {**keys_of(second), "c": keys_of(first)["c"]} == keys_of(first)
    assert str(third) in keys_of(first)["c"] and "c" not in keys_of(second)
    assert list(keys_of(third_turn)) == list("abdfg"), "a card can be named by its number as well"
    assert "c: not a card of your hand" in refused


def test_a_game_of_the_browser_shows_hints_only_when_asked(play: Play) -> None:
    hint = "greedy would play "
    shown = play("!\na\n", *TABLE, "--hints", "greedy").split(QUESTION)
    assert [hint in screen for screen in shown] == [True, False, False, False]
    shown = play("!\nb\n").split(QUESTION)
    assert [hint in screen for screen in shown] == [False, True, True, False], "until switched off"


def test_quitting_asks_and_keeps_the_game(play: Play) -> None:
    shown = play("q\nn\na\nq\ny\n", *TABLE)
    assert "nothing is kept" in shown and "The game is kept" in shown
    left = keys_of(shown.split(QUESTION)[2])
    assert keys_of(play("").split(QUESTION)[0]) == left


@pytest.mark.parametrize(
    ("words", "question"), [((), "q quitter >"), (("--language", "es"), "q salir >")]
)
def test_the_language_is_an_option_or_of_the_environment(
    words: tuple[str, ...], question: str, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "fr_CH.UTF-8")
    assert question in play("", *TABLE, *words)


def test_there_are_colours_where_they_are_wanted(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FORCE_COLOR stands for a terminal, which is the only output that gets them otherwise."""
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm-256color"), ("COLORTERM", "24bit")):
        monkeypatch.setenv(name, value)
    assert "\x1b[38;2;" in play("", *TABLE)
    monkeypatch.setenv("NO_COLOR", "1")
    without = play("", *TABLE)
    assert QUESTION in without and not re.search(r"\x1b\[[0-9;]*[34]8;", without)


# Screens

UNICODE = Signs.for_encoding("utf-8")
HINT = "the run of last night with 3 layers would play 36 (how often it plays the card)"


def view_of(session: Session, language: str = "en", signs: Signs = UNICODE) -> TerminalView:
    texts, settings = Texts(language), session.settings
    names = [f"champion-1 {player}" for player in range(settings.players)]
    return TerminalView(texts, signs, OFFICIAL_DECK, names, settings.seat)


def hand_of(session: Session) -> dict[str, int]:
    return dict(zip("abcdefghi", session.game.hand(session.settings.seat), strict=False))


def hint_in(hand: dict[str, int]) -> BotChoice:
    values = CardEvaluation(WIN_PROBABILITY, dict.fromkeys(hand.values(), 1.0))
    return BotChoice(hand["a"], values)


def fit(lines: Lines) -> bool:
    """Whether the lines, and a question below them, are within the screen."""
    return len(lines) < HEIGHT and all(line.cell_len <= WIDTH for line in lines)


def plain(lines: Lines) -> str:
    return "\n".join(line.plain for line in lines)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("objectives", [0, 3, 5])
def test_every_turn_fits_80x24(players: int, objectives: int) -> None:
    session = Session(PlaySettings(objectives, players, objectives, 1, ("lowest", "greedy")))
    views = [view_of(session, language) for language in LANGUAGES]
    while not session.game.over:
        table = session.table_state()
        for view in views:
            hand = hand_of(session)
            odds = [1.0] * players
            assert fit(table_screen(table, view, hand, hint_in(hand), HINT, odds))
        session.play(session.game.hand(1)[-1])
        table = session.table_state()
        if table["last_turn"]["last_cards"]:
            assert all(fit(round_screen(table, view)) for view in views)
    assert all(fit(end_screen(table, view)) for view in views)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_and_the_questions_fit(language: str) -> None:
    view = view_of(Session(PlaySettings(1, opponents=("lowest",))), language)
    assert fit(help_screen(view))
    questions = [
        view.texts.get("terminal.question", keys="abcdefghi"),
        view.texts.get("terminal.question_hints", keys="abcdefghi"),
        *map(view.texts.get, ("terminal.continue", "terminal.quit", "terminal.quit_unplayed")),
    ]
    assert all(len(question) < WIDTH for question in questions)


def test_a_screen_has_the_last_turn_and_no_hidden_card() -> None:
    session = play_to(Session(PlaySettings(7, 3, opponents=("lowest",))), 1)
    view = view_of(session)
    text = plain(table_screen(session.table_state(), view, hand_of(session)))
    for each in session.table_state()["last_turn"]["plays"]:
        assert view.play(each["card"], each["prize"]).plain in text
    assert not session.game.known(1) and "hand  ?\u00d76" in text
    for player in (1, 2):
        hidden = {view.card(card).plain for card in session.game.hand(player)}
        assert not hidden & set(text.split())


def test_the_end_ranks_the_players() -> None:
    session = play_to_the_end(Session(PlaySettings(7, 4, opponents=("greedy",))))
    lines = plain(end_screen(session.table_state(), view_of(session))).splitlines()
    ranking = [int(line.split()[-1]) for line in lines[-4:]]
    assert ranking == sorted(session.game.scores, reverse=True)
    assert lines[0].endswith(" won") == (0 not in session.game.winners)
    assert re.search("of 4, [0-9]+ points? behind|ahead of|[Ll]evel with", lines[1])


def test_without_the_shapes_colours_are_letters() -> None:
    session = play_to(Session(PlaySettings(7, 3, opponents=("lowest",))), 1)
    view = view_of(session, signs=Signs.for_encoding("latin-1"))
    lines = table_screen(
        session.table_state(), view._replace(names=["a long name of a bot 1"] * 3), {}
    )
    plain(lines).encode("latin-1")
    # The colour of a card ends with it.
    padded = row((view.card(1), 10), (view.card(2), 10))
    widths = [len(view.card(number).plain) for number in (1, 2)]
    assert [span.end - span.start for span in padded.spans] == widths


def test_empty_lines_go_where_there_is_room() -> None:
    blocks = [[Text("a"), Text("b")], [], [Text("c")], [Text("d")]]
    lines = partial(stacked, blocks)
    assert plain(lines(9)) == "a\nb\n\nc\n\nd"
    assert plain(lines(5)) == "a\nb\n\nc\nd"
    assert plain(lines(4)) == "a\nb\nc\nd"
