"""What the server and the terminal keep to themselves until the game is over."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mindup_play.bots import BotError
from mindup_play.saved import SavedGames
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings, drawn_seed
from tests.play.hidden import numbers
from tests.play.tables import WatchedServer, ask, new_game, play_body, served, turn_of
from tests.play.test_command import all_cards, parsed

OWN_TEXT = "the own text of a bot: /home/somebody/policy"


def drawn(players: int = 3, opponent: str = "lowest") -> PlaySettings:
    return PlaySettings(**drawn_seed(), players=players, opponents=(opponent,))


def start_game(server: WatchedServer, seed: str, players: int = 4) -> tuple[int, Any]:
    state = ask(server, "/state")[1]
    return ask(server, "/deal", new_game(state, players=players, seed=seed))


def test_a_drawn_seed_is_sent_only_when_the_game_is_over(tmp_path: Path) -> None:
    settings = drawn()
    with served(Session(settings), tmp_path) as server:
        answers = [ask(server, "/state")[1]]
        while not answers[-1]["table"]["over"]:
            answers.append(ask(server, "/play", play_body(server))[1])
        *during, end = answers
        assert [(state["seed"], state["command"]) for state in during] == [(None, None)] * 21
        assert not any(str(settings.seed) in json.dumps(state) for state in during)
        assert (end["seed"], end["command"]) == (str(settings.seed), settings.command)


def test_a_typed_seed_is_sent_and_a_drawn_one_is_not(tmp_path: Path) -> None:
    with served(Session(drawn()), tmp_path) as server:
        assert start_game(server, "12")[1]["seed"] == "12"
        state = start_game(server, "")[1]
        assert (state["seed"], state["command"]) == (None, None)


def test_a_drawn_seed_cannot_be_found_by_trying_all() -> None:
    assert max(drawn().seed for _ in range(100)) > 2**56


def test_a_resumed_game_keeps_its_secret(tmp_path: Path) -> None:
    games = SavedGames(tmp_path)
    session, saved = Session(drawn()), games.new()
    session.play(session.game.hand(0)[0])
    saved.save(session)
    resumed = saved.load()
    assert resumed.settings == session.settings
    manager = SessionManager(resumed, saved, games, print)
    assert manager.state()["seed"] is None


def test_saved_games_keep_their_secrets(tmp_path: Path) -> None:
    """Neither the list nor the page of a finished game shows an unfinished game's seed or hands."""
    with served(Session(drawn()), tmp_path) as server:
        ask(server, "/play", play_body(server))
        first = server.session
        unfinished = ask(server, "/state")[1]["game_id"]
        start_game(server, "")
        text = json.dumps(ask(server, "/games")[1])
        assert unfinished in text and str(first.settings.seed) not in text
        (entry,) = ask(server, "/games")[1]["games"]
        assert not list(numbers(entry))
        for path in ("/finished", "/record"):
            status, answer = ask(server, f"{path}?game={unfinished}")
            assert status == 409 and "all hands" in answer["error"] and "table" not in answer
        current = ask(server, "/state")[1]["game_id"]
        assert ask(server, f"/record?game={current}")[0] == 422
        again = ask(
            server, "/resume", {**turn_of(ask(server, "/state")[1]), "saved_game": unfinished}
        )[1]
        assert (again["seed"], again["turns_played"]) == (None, 1)


def test_the_terminal_shows_a_drawn_seed_only_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = parsed("--terminal", "--data", str(tmp_path), "--opponents", "lowest")
    monkeypatch.setattr(sys, "stdin", io.StringIO(all_cards(1)))
    with pytest.raises(EOFError):
        arguments.run(arguments)
    ((saved, _),) = SavedGames(tmp_path).newest_first()
    seed = saved.read().settings.seed
    assert str(seed) not in capsys.readouterr().out
    arguments = parsed("--terminal", "--data", str(tmp_path))
    monkeypatch.setattr(sys, "stdin", io.StringIO(all_cards(21)))
    assert arguments.run(arguments) == 0
    assert f"--seed {seed} " in capsys.readouterr().out.splitlines()[-1]


def test_what_a_bot_says_stays_at_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def act(*_: object) -> None:
        raise RuntimeError(OWN_TEXT)

    monkeypatch.setattr("tests.play.bots.Prepared.act", act)
    bot = "tests.play.bots:Failing"
    settings = PlaySettings(1, opponents=(bot,), hints=bot)
    with served(Session(settings), tmp_path) as server:
        for status, answer in (ask(server, "/play", play_body(server)), ask(server, "/hint")):
            assert status == 500 and answer["error"].endswith("the terminal shows the reason.")
            assert OWN_TEXT not in answer["error"]
    assert capfd.readouterr().err.count(f"failed: RuntimeError: {OWN_TEXT}") == 2


def test_why_a_bot_cannot_play_stays_at_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_agent(*_: object) -> None:
        raise ValueError(OWN_TEXT)

    with served(Session(drawn()), tmp_path) as server:
        monkeypatch.setattr("mindup_play.bots.make_agent", make_agent)
        status, answer = start_game(server, "")
        assert (status, server.warnings) == (422, [OWN_TEXT])
        assert OWN_TEXT not in answer["error"]


def test_no_bots_hand_is_named_in_an_error() -> None:
    session = Session(PlaySettings(1, opponents=("tests.play.bots:Cheating",)))
    with pytest.raises(BotError, match=r"a card that is not in its hand: [0-9]+$"):
        session.play(session.game.hand(0)[0])
