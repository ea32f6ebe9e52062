"""``mindup play``: new and resumed games, the terminal, the server's start and end."""

import argparse
import io
import shlex
import signal
import socket
import sys
import webbrowser
from pathlib import Path

import pytest

from mindup_env import list_agents
from mindup_play import command
from mindup_play.offer import default_hint_bot
from mindup_play.saved import SavedGame, SavedGames
from mindup_play.server import Server
from mindup_play.settings import PlaySettings
from tests.agents.process.programs import program
from tests.processes import at_work


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return parser.parse_args(words)


def at_the_terminal(
    monkeypatch: pytest.MonkeyPatch, folder: Path, answers: str, *words: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    arguments = parsed("--terminal", "--data", str(folder), *words)
    assert arguments.run(arguments) == 0


def saved_games(folder: Path) -> list[SavedGame]:
    return [saved for saved, _ in SavedGames(folder).newest_first()]


def all_cards(turns: int) -> str:
    """Answers that play a card of any hand in every turn; cards not in the hand are refused.

    After a round an answer is only a sign to continue.
    """
    return "".join(f"{card}\n" for card in range(1, 61)) * turns + "\n" * 60


TABLE = ("--players", "3", "--seed", "7", "--opponents", "lowest,greedy")


def test_a_game_at_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_the_terminal(monkeypatch, tmp_path, all_cards(21), *TABLE, "--hints", "greedy")
    output = capsys.readouterr().out
    assert output.count("greedy would play ") == output.count("(expected points)") == 21
    assert "Round 3 is over" in output and "Ranking" in output
    assert "\x1b" not in output, "this is no terminal"
    assert output.rstrip().endswith(
        "mindup play --players 3 --seed 7 --opponents lowest,greedy --terminal"
    )
    (saved,) = saved_games(tmp_path)
    assert saved.read().game.over


def test_a_program_plays_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Quotes keep its command together, in what is given and in what is said at the end."""
    bots = f"lowest,'process:{program(tmp_path)} 1,2'"
    table = ("--players", "3", "--seed", "7", "--opponents", bots)
    at_the_terminal(monkeypatch, tmp_path, all_cards(21), *table)
    output = capsys.readouterr().out
    assert "3 process " in output and "Ranking" in output
    words = shlex.split(output.splitlines()[-1])
    assert words[words.index("--opponents") + 1] == bots


def test_without_options_an_unfinished_game_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(EOFError):
        at_the_terminal(monkeypatch, tmp_path, all_cards(1), *TABLE)
    (saved,) = saved_games(tmp_path)
    assert saved.read().game.plays
    capsys.readouterr()
    with pytest.raises(EOFError):
        at_the_terminal(monkeypatch, tmp_path, "")
    assert capsys.readouterr().out.startswith("Resuming the unfinished game")
    at_the_terminal(monkeypatch, tmp_path, all_cards(21))
    assert saved.read().game.over
    with pytest.raises(EOFError):
        at_the_terminal(monkeypatch, tmp_path, "")
    assert "Resuming" not in capsys.readouterr().out.split("Ranking")[1]


@pytest.mark.parametrize("words", [("--new",), TABLE])
def test_a_new_game_leaves_the_unfinished_one_as_it_is(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(EOFError):
        at_the_terminal(monkeypatch, tmp_path, all_cards(1), *TABLE)
    (saved,) = saved_games(tmp_path)
    kept = saved.path.read_text()
    with pytest.raises(EOFError):
        at_the_terminal(monkeypatch, tmp_path, "", *words)
    assert len(saved_games(tmp_path)) == 1, "a game in which nothing was played is not kept"
    with pytest.raises(EOFError):
        at_the_terminal(monkeypatch, tmp_path, all_cards(1), *words)
    assert "Resuming" not in capsys.readouterr().out
    assert len(saved_games(tmp_path)) == 2 and saved.path.read_text() == kept


def test_the_game_of_another_process_is_not_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(EOFError):
        at_the_terminal(monkeypatch, tmp_path, all_cards(1), *TABLE)
    (saved,) = saved_games(tmp_path)
    saved.load()
    kept = saved.path.read_text()
    with pytest.raises(EOFError):
        at_the_terminal(monkeypatch, tmp_path, all_cards(1))
    assert "open in another window" in capsys.readouterr().out
    assert len(saved_games(tmp_path)) == 2 and saved.path.read_text() == kept


def test_hints_are_on_in_the_browser_and_can_be_switched_off() -> None:
    for words, expected in (
        ((), default_hint_bot(3)),
        (("--hints", "none"), None),
        (("--hints", "greedy"), "greedy"),
        (("--terminal",), None),
    ):
        session = command._new_session(parsed(*TABLE, *words))
        assert session.settings.hints == expected


def test_an_unreadable_saved_game_is_named_with_the_way_out(tmp_path: Path) -> None:
    path = SavedGames(tmp_path).new().path
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    arguments = parsed("--data", str(tmp_path))
    with pytest.raises(ValueError, match="to start another game: mindup play --new"):
        arguments.run(arguments)


def test_a_number_of_bots_is_refused_with_what_to_write(tmp_path: Path) -> None:
    arguments = parsed("--data", str(tmp_path), "--opponents", "greedy:2")
    with pytest.raises(ValueError, match="to use it 2 times, list it 2 times"):
        arguments.run(arguments)


def test_the_default_opponents_exist() -> None:
    assert set(PlaySettings(1).opponents) <= set(list_agents())


@pytest.mark.parametrize(
    ("words", "opponents", "hints"),
    [
        (("--players", "2"), ("search",), "search"),
        (("--players", "2", "--opponents", "planner"), ("planner",), "search"),
        (("--players", "2", "--hints", "none"), ("search",), None),
        (("--players", "3"), ("champion-1",), "champion-2"),
        (("--players", "6"), ("champion-1",), "champion-2"),
    ],
)
def test_the_default_bots_play_with_the_number_of_players(
    words: tuple[str, ...], opponents: tuple[str, ...], hints: str | None
) -> None:
    session = command._new_session(parsed("--new", *words))
    assert (session.settings.opponents, session.settings.hints) == (opponents, hints)


def test_a_chosen_bot_that_cannot_play_is_refused() -> None:
    for option in ("--opponents", "--hints"):
        with pytest.raises(ValueError, match="champion-2 plays with 3 to 6 players, not with 2"):
            command._new_session(parsed("--players", "2", option, "champion-2"))


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_cannot_be_used_is_named(port: str, tmp_path: Path) -> None:
    arguments = parsed("--port", port, "--data", str(tmp_path), "--no-browser", *TABLE)
    with pytest.raises(ValueError, match=f"cannot listen at 127.0.0.1, port {port}"):
        arguments.run(arguments)


def test_links_last_where_the_port_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Server, "serve_forever", lambda _: None)
    arguments = parsed("--data", str(tmp_path), "--no-browser", *TABLE)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(command, "PORT", port)
        assert arguments.run(arguments) == 0
        assert f":{port}/" not in capsys.readouterr().out
    assert arguments.run(arguments) == 0
    assert f"Play at http://127.0.0.1:{port}/ " in capsys.readouterr().out


def test_ctrl_c_ends_the_server_while_a_bot_chooses(tmp_path: Path) -> None:
    words = ["play", "--no-browser", "--data", str(tmp_path), "--opponents", "tests.play.bots:Slow"]
    with at_work(*words) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Play at ")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_the_browser_is_opened_at_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(Server, "serve_forever", interrupt)
    arguments = parsed("--data", str(tmp_path), *TABLE)
    assert arguments.run(arguments) == 0
    assert len(opened) == 1 and opened[0].startswith("http://127.0.0.1:")


def test_a_language_is_for_the_terminal(tmp_path: Path) -> None:
    arguments = parsed("--language", "it", "--data", str(tmp_path))
    with pytest.raises(ValueError, match="only be combined with --terminal: the page takes"):
        arguments.run(arguments)
