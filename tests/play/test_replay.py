"""``mindup watch replay``: its text and steps at the terminal, its page, and unreadable files."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig, cli
from mindup_env.belief import sample
from mindup_play.records import replay_page
from tests.envs.playing import play_all, random_legal
from tests.processes import MINDUP
from tests.scripted_game import scripted


def written(folder: Path, record: Any) -> Path:
    path = folder / "game.json"
    path.write_text(json.dumps(record))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The record of the scripted game, played to its end."""
    return written(tmp_path, scripted(5).record())


def replay(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert cli.main(["watch", "replay", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert cli.main(["watch", "replay", *map(str, arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def pages(text: str) -> list[str]:
    """The printed text by turns, the deal first."""
    return text.split("\nturn ")


def words(text: str) -> list[str]:
    """The lines, with single spaces between the words."""
    return [" ".join(line.split()) for line in text.splitlines()]


# Steps


def test_turn_is_the_first_turn_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = replay(capsys, file, "--terminal", "--all")
    assert replay(capsys, file, "--terminal", "--all", "--turn", 0) == whole
    later = replay(capsys, file, "--terminal", "--all", "--turn", 4)
    assert later.startswith("turn 4 of 5") and whole.endswith(later)
    for turn in (-1, 6):
        message = f"mindup: --turn for this record must be 0 to 5, not {turn}\n"
        assert refused(capsys, file, "--terminal", "--turn", turn) == message


@pytest.mark.parametrize(
    ("answers", "shown"),
    [
        ("", [3]),
        ("\n", [3, 4]),
        ("\n\n", [3, 4, 5]),
        ("b\n\nB\n", [3, 2, 3, 2]),
        ("b\nb\nb\nb\n", [3, 2, 1, 0, 0]),
        ("q\n\n", [3]),
        ("\n\n\n\n", [3, 4, 5]),
        ("x\n \n", [3, 4]),
    ],
)
def test_steps(
    answers: str,
    shown: list[int],
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    text = replay(capsys, file, "--terminal", "--turn", 3)
    games = [scripted(turns) for turns in shown]
    asked = text.split("\nEnter: ")
    shown_texts = [page for page in asked if "Mind Up!" in page]
    assert len(shown_texts) == len(shown)
    for page, game in zip(shown_texts, games, strict=True):
        assert page.strip().endswith(str(game))
    assert ("unknown answer 'x'; accepted: Enter, b, q" in text) == ("x" in answers)
    assert ("Enter: quit" in text) == (5 in shown), "after the last turn"


@pytest.mark.parametrize("turn", [0, 5], ids=["much", "little"])
def test_all_stops_quietly_when_the_pipe_is_closed(turn: int, file: Path) -> None:
    # Little output is written only at the end, unless the user has set PYTHONUNBUFFERED.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-c", MINDUP, "watch", "replay", str(file), "--terminal"]
    command += ["--all", "--turn", str(turn)]
    with subprocess.Popen(
        command, env=buffered, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == cli.BROKEN_PIPE


# Unreadable files


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", " is not JSON: line 1, column 1: Expecting value"),
        (b" " * 1_000_001, " is too large for the record of a game"),
        (b"[1]", ": not a record of a game"),
        (b"{}", ": not a record of a game"),
        (b'{"format": "mindup-record", "version": 9}', ": the record has version 9"),
        (b'{"format": "mindup-record", "version": 1}', ": a record must be a dict with"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_malformed_records_are_refused(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "none.json: No such file" in refused(capsys, tmp_path / "none.json")
    path = tmp_path / "file"
    path.write_bytes(content)
    error = refused(capsys, path)
    assert error.startswith(f"mindup: {path}{message}")
    assert len(error.splitlines()) == 1


def test_a_record_that_contradicts_itself_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = scripted(5).record()
    record["result"]["scores"][0] += 1
    path = written(tmp_path, record)
    assert refused(capsys, path).startswith(f"mindup: {path}: the record states scores")


# The page


def test_the_command_writes_the_page(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, record, without = file.with_name("page.html"), json.loads(file.read_text()), [[None] * 2]
    output = replay(capsys, file, "--html", page)
    assert output == f"{page} shows the game, without card evaluations: the record has none\n"
    assert page.read_text(encoding="utf-8") == replay_page(record)
    written(file.parent, {**record, "weighings": without * 5})
    assert replay(capsys, file, "--html", page) == f"{page} shows the game\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--terminal", "--names", "A,B"], "--names cannot be combined with --terminal"),
        (["--html", "page.html", "--names", "A"], "a game of 2 players needs 2 names, not 1"),
        (["--html", "/"], "cannot write /: it is a folder"),
        (
            ["--html", "page.html", "--turn", "1"],
            "--turn and --all can only be combined with --terminal",
        ),
        (["--html", "page.html", "--all"], "--turn and --all can only be combined with --terminal"),
    ],
)
def test_what_cannot_be_written_is_refused(
    words: list[str], message: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, file, *words)


# The text


def test_all_turns_of_a_game(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal, *turns = pages(replay(capsys, file, "--terminal", "--all"))
    assert deal.strip() == str(scripted())
    assert [turn.partition("\n")[0] for turn in turns] == [
        "1 of 5: round 1, turn 1",
        "2 of 5: round 1, turn 2",
        "3 of 5: round 2, turn 1",
        "4 of 5: round 2, turn 2",
        "5 of 5: round 2, turn 3",
    ]
    for played, turn in enumerate(turns, start=1):
        assert turn.strip().endswith(str(scripted(played)))


def test_a_turn_lists_cards_and_prizes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Scripted by hand: 12 and 2 are the prizes, 20 is lower than 30, and the round ends."""
    texts = words(pages(replay(capsys, file, "--terminal", "--all"))[2])
    assert "player 0 plays 30 orange takes 12 green lays down 1 orange -1" in texts
    assert "player 1 plays 20 purple takes 2 pink lays down 40 blue +1" in texts


def test_the_end_of_a_round_lists_scores_by_parts(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Round 1: 2 + 4 + 1, 1 - 1, three colours. Round 2: 5 + 8 + 3, -1 - 1 + 1, most purple."""
    deal, first, second, *_, last = map(words, pages(replay(capsys, file, "--terminal", "--all")))
    assert not any(line.startswith("end of round") for line in deal + first)
    assert not any("lays down" in line for line in deal + first)
    heads = "colours bonus objectives round total"
    assert f"end of round 1 [2] [4] [1] [5] [3] {heads}" in second
    assert "player 0 purple 50+ green 12 orange 1- . . 7 0 2 9 9" in second
    assert "+2 cards of three colours, no more, no fewer met by player 0" in second
    assert f"end of round 2 [5] [4] [3] [2] [1] {heads}" in last
    assert "player 1 purple 20 orange 60- 1- blue 40+ . . 16 -1 -2 13 24" in last
    assert "Mind Up! the game is over: player 0 won" in last


@pytest.mark.parametrize("config", [GameConfig(), GameConfig(6, 5), GameConfig(2, 1)], ids=repr)
def test_random_games_are_printed_to_the_end(
    config: GameConfig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(config, seed=1)
    play_on(game)
    text = replay(capsys, written(tmp_path, game.record()), "--terminal", "--all")
    assert len(pages(text)) == config.num_turns + 1
    assert text.strip().endswith(str(game))


def play_on(game: Game, turns: int | None = None) -> None:
    env, chance = BatchEnv(game.config, autoreset=False), np.random.default_rng(1)
    env.set_game(0, game)
    for _ in range(turns or game.config.num_turns - len(game.plays)):
        actions = random_legal(env.seen, chance)
        play_all([game], actions)
        env.step(actions)


@pytest.mark.parametrize("turns", [3, 6, 21])
def test_a_record_that_starts_in_mid_game(
    turns: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, rng = GameConfig(3, 2), np.random.default_rng(1)
    game, env = Game(config, seed=2), BatchEnv(config, autoreset=False)
    play_on(game, turns)
    env.set_state([0], sample(env.set_game(0, game)["observation"][0, 0], config, 1, rng))
    mid_game = env.game(0)
    start_text = str(mid_game)
    play_on(mid_game)
    file = written(tmp_path, mid_game.record())
    start, *texts = pages(replay(capsys, file, "--terminal", "--all"))
    assert start.strip() == start_text
    assert [int(turn.split()[0]) for turn in texts] == list(range(turns + 1, 22))
    assert replay(capsys, file, "--terminal", "--all", "--turn", turns).startswith(start_text)
    assert f"record must be {turns} to 21, not" in refused(
        capsys, file, "--terminal", "--turn", turns - 1
    )
