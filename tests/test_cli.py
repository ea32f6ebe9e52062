"""The ``mindup`` command and its benchmarks of speed."""

import json
import subprocess
import sys
from importlib.metadata import EntryPoint, version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.simple import LowestAgent
from mindup_env import GameConfig, Layout, cli
from mindup_env.bench import bots, measuring
from mindup_env.cli.commands import find_commands, read_summary

CONFIG = GameConfig(3)
KEYS = ["bench", "players", "num_envs", "observations", "decisions_per_second"]


def test_help_shows_every_command_and_imports_none() -> None:
    script = "import sys; from mindup_env import cli; sys.argv[1:] = ['--help']\n"
    script += "try: cli.main()\nfinally: print(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    text, _, imported = shown.strip().rpartition("\n")
    for words, command in find_commands().items():
        about = read_summary(command.module)
        assert about.text and about.example.startswith(f"mindup {' '.join(words)}")
        loaded = vars(command.load()).keys()
        assert about.runs == ("configure" in loaded or "main" in loaded)
        if len(words) == 1:
            assert f" {words[0]} {about.text} $ {about.example}" in " ".join(text.split())
        assert command.module not in imported.split()
    assert not {"mindup_arena", "mindup_play", "mindup_training", "pydantic"} & {*imported.split()}


def test_a_command_imports_only_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    load, loaded = EntryPoint.load, list[str]()

    def recorded(entry: EntryPoint) -> Any:
        loaded.append(entry.name)
        return load(entry)

    monkeypatch.setattr(EntryPoint, "load", recorded)
    for words, said in (
        (["bench", "engine", "--help"], "usage"),
        (["bench", "--help"], "$ mindup bench engine"),
        (["--version"], version("mindup-env")),
    ):
        with pytest.raises(SystemExit) as stop:
            cli.main(words)
        assert stop.value.code == 0 and said in capsys.readouterr().out
    assert loaded == ["bench.engine"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("bench env --num_envs 3", "--num_envs 3; did you mean --num-envs?\n"),
        ("bench env --num_envs=3", "--num_envs=3; did you mean --num-envs?\n"),
        ("bench env --secnds 3", "--secnds 3; did you mean --seconds?\n"),
        ("bench env --xyz", "--xyz\n"),
    ],
)
def test_an_unknown_option_is_refused_with_the_one_that_it_is_like(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(words.split())
    assert stop.value.code == 2
    assert capsys.readouterr().err.endswith(f"error: unrecognized arguments: {said}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "the following arguments are required: COMMAND"),
        ("bnch", "unknown command 'bnch'; did you mean bench? available: arena, bench, benchmark"),
        ("arena rnk", "unknown command 'rnk'; did you mean rank? available: rank"),
    ],
)
def test_a_wrong_command_is_refused_with_those_that_there_are(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(words.split())
    assert stop.value.code == 2
    assert said in capsys.readouterr().err


# Benchmarks


def rows_of(words: list[str], folder: Path) -> list[dict[str, Any]]:
    """What a benchmark writes, each time with the same entries."""
    file = folder / "rows.json"
    assert cli.main(["bench", *words, "--seconds", "0.01", "--json", str(file)]) == 0
    rows: list[dict[str, Any]] = json.loads(file.read_text())
    assert all(list(row) == KEYS and row["decisions_per_second"] > 0 for row in rows)
    return rows


def test_bench_engine_prints_a_line_and_writes_a_row_for_each_setting(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "calls_per_second", lambda *_: 10.0)
    rows = rows_of(["engine", "--players", "3", "4", "--num-envs", "1", "8"], tmp_path)
    assert [tuple(row.values()) for row in rows] == [
        ("engine", players, games, False, 10.0 * players * games)
        for players in (3, 4)
        for games in (1, 8)
    ]
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(rows)


def test_bench_env_measures_each_api(tmp_path: Path) -> None:
    rows = rows_of(["env", "--num-envs", "150"], tmp_path)
    assert [row["bench"] for row in rows] == ["BatchEnv", "make_vec", "parallel_env"]
    assert all(row["observations"] for row in rows)


def test_bench_bots_plays_whole_games_of_each_bot_at_the_first_seats(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ["bots", "lowest", "random", "--players", "3", "--num-envs", "1", "40"]
    assert [(row["bench"], row["num_envs"]) for row in rows_of(words, tmp_path)] == [
        (bot, games) for bot in ("lowest", "random") for games in (1, 40)
    ]
    asked: list[tuple[int, bool]] = []

    class Watched(LowestAgent):
        def act(self, *arguments: Any) -> npt.NDArray[np.integer]:
            observation, _, episode_start, _ = arguments
            rounds = Layout(CONFIG).views(observation)["round"]
            asked.append((len(observation), bool(episode_start.all())))
            assert (rounds == rounds[0]).all() and (rounds[0] == 1) | ~episode_start.any()
            return super().act(*arguments)

    monkeypatch.setattr(bots, "make_agent", lambda _, config: Watched(config))
    turn = bots.bot_turn("watched", CONFIG, 5)
    for _ in range(2 * CONFIG.num_turns):
        turn()
    assert asked == [(5, turn % CONFIG.num_turns == 0) for turn in range(2 * CONFIG.num_turns)]


# Errors


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["env", "--num-envs", "0"], "num_envs must be 1 to 1048576, not 0"),
        (["env", "--seconds", "inf"], "seconds must be a finite number, not inf"),
        (["env", "--players", "7"], "mindup: players must be 2 to 6, not 7\n"),
    ],
)
def test_a_benchmark_refuses_numbers_out_of_range(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), cli.INTERRUPTED, "interrupted"),
        (EOFError(), cli.INTERRUPTED, "interrupted"),
        (
            NotADirectoryError(20, "Not a directory", "a/b"),
            cli.SYSTEM_ERROR,
            "a/b: Not a directory",
        ),
    ],
    ids=["ctrl-c", "ctrl-d", "system"],
)
def test_what_ends_a_command_is_one_line_and_an_exit_status(
    error: BaseException,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def failing(*_: object) -> float:
        raise error

    monkeypatch.setattr(measuring, "calls_per_second", failing)
    assert cli.main(["bench", "engine", "--players", "4"]) == status
    assert capsys.readouterr().err == f"mindup: {said}\n"
