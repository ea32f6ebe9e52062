"""``mindup play``: its options, and the server's start and end."""

import shlex
import signal
import socket
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from subprocess import Popen

import pytest
import tyro

from mindup_play import command
from mindup_play.command import Options, new_settings
from mindup_play.saved import SavedGames
from mindup_play.server import Server
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play.bots import FAILING, PATIENCE, SLOW
from tests.play.tables import SETTINGS, Client
from tests.processes import at_work

TABLE = ("--players", "3", "--seed", "7", "--opponents", "lowest", "greedy")


@pytest.mark.parametrize(
    ("words", "opponents", "hints"),
    [
        (("--players", "2"), ("planner", "predictor"), "search"),
        (("--opponents", "planner"), ("planner",), "champion"),
        (("--hints", "none"), ("planner", "predictor"), None),
    ],
)
def test_the_default_bots_play_with_the_number_of_players(
    words: tuple[str, ...], opponents: tuple[str, ...], hints: str | None
) -> None:
    settings = new_settings(tyro.cli(Options, args=words).of_game)
    assert (settings.opponents, settings.hints) == (opponents, hints)


def test_the_command_of_a_deal_deals_the_same_game() -> None:
    settings = PlaySettings(9, 5, 2, 1, ("search:models=random,worlds=8", "mine:B b"))
    mindup, play, *words = shlex.split(f"{settings.command} --hints none")
    assert (mindup, play) == ("mindup", "play")
    assert new_settings(tyro.cli(Options, args=words).of_game) == settings


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--players", "2", "--opponents", "champion"), "champion plays with 3, 4, 5"),
        (("--opponents", "greedy:2"), "name=value, not '2'"),
        ((*TABLE, "--port", "65536"), "port must be 0 to 65535, not 65536"),
        ((), "to start another game: mindup play --new"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_way_out(
    words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    games = SavedGames(tmp_path)  # with an unreadable game, which is in the way of no other
    games.save(game_id := games.new_id(), Session(SETTINGS))
    games.path(game_id).write_text("{}")
    with pytest.raises(ValueError, match=message):
        command.main(["--data", str(tmp_path), "--no-browser", *words])


def test_the_browser_opens_at_another_port_if_the_usual_one_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr(webbrowser, "open", opened.put)
    monkeypatch.setattr(Server, "serve_forever", lambda _: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(command, "PORT", port)
        assert command.main(["--data", str(tmp_path), *TABLE]) == 0
        address = opened.get()
    assert f":{port}/" not in address and address.startswith("http://127.0.0.1:")
    assert f"Play at {address} " in capsys.readouterr().out


def test_only_bots_of_the_project_are_resumed_without_the_command(tmp_path: Path) -> None:
    games = SavedGames(tmp_path)
    games.save(games.new_id(), Session(PlaySettings(7, opponents=(FAILING,))))
    with pytest.raises(ValueError, match=f"names the bot '{FAILING}', which is code: .* --new"):
        command.main(["--data", str(tmp_path), "--no-browser"])


@contextmanager
def playing(folder: Path, *words: str) -> Iterator[tuple["Popen[str]", Client]]:
    """The command in a process, and requests to it."""
    with at_work("play", "--no-browser", "--data", str(folder), *words) as process:
        assert process.stdout is not None
        while not (said := process.stdout.readline()).startswith("Play at "):
            assert said, "it ended"
        yield process, Client(said.split()[2])


def test_a_second_server_on_a_folder_is_refused(tmp_path: Path) -> None:
    said = f"another mindup play has the games in {tmp_path}/games: .* by --data$"
    with playing(tmp_path, "--opponents", "lowest"), pytest.raises(ValueError, match=said):
        command.main(["--data", str(tmp_path), "--no-browser"])


def test_a_killed_server_continues(tmp_path: Path) -> None:
    with playing(tmp_path, "--opponents", "lowest") as (process, client):
        status, played = client.play()
        assert status == 200
        process.kill()
        process.wait()
    with playing(tmp_path) as (_, client):
        assert client.get("/state") == played


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_the_server_while_a_bot_chooses(number: int, tmp_path: Path) -> None:
    with playing(tmp_path, "--opponents", SLOW) as (process, _):
        process.send_signal(number)
        assert process.wait(PATIENCE / 2) == 0
