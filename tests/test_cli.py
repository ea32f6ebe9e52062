"""The ``mindup`` command and its benchmark."""

import json
import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points, version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.simple import LowestAgent
from mindup_env import BatchEnv, GameConfig, Layout, cli
from mindup_env.bench import benchmark, bots, engine, env
from mindup_env.bench.benchmark import Measurement
from mindup_env.threads.pool import usable_cores

CONFIG = GameConfig(3)
KEYS = ["bench", "players", "num_envs", "observations", "decisions_per_second", "threads"]
IN_THREADS = ["BatchEnv", "copy", "make_vec"]
IN_ONE_THREAD = ["parallel_env", "leduc_holdem", "goofspiel"]


def test_help_shows_every_command_and_imports_none() -> None:
    script = "import sys; from mindup_env import cli; sys.argv[1:] = ['--help']\n"
    script += "try: cli.main()\nfinally: print(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    text, _, loaded = shown.rpartition("show program's version number and exit")
    for command in entry_points(group=cli.COMMANDS):
        summary = (command.load().__doc__ or "").partition("\n")[0]
        assert f" {command.name} {summary}" in " ".join(text.split())
        assert command.module not in loaded.split()
    assert not {"mindup_arena", "mindup_play", "mindup_training", "pydantic"} & {*loaded.split()}


def test_a_command_imports_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    load, loaded = EntryPoint.load, list[str]()

    def recorded(entry: EntryPoint) -> Any:
        loaded.append(entry.name)
        return load(entry)

    monkeypatch.setattr(EntryPoint, "load", recorded)
    with pytest.raises(SystemExit) as stop:
        cli.main(["bench", "--help"])
    assert stop.value.code == 0 and loaded == ["bench"]


def test_version_is_that_of_the_installed_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"mindup-env {version('mindup-env')}\n"


def test_bench_engine_prints_a_line_and_writes_a_row_for_each_setting(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "rows.json"
    settings = ["--players", "3", "4", "--num-envs", "1", "8", "--seconds", "0.01"]
    assert cli.main(["bench", "engine", *settings, "--json", str(file)]) == 0
    rows = json.loads(file.read_text())
    assert [list(row) for row in rows] == [KEYS] * 4
    assert [(row["players"], row["num_envs"]) for row in rows] == [(3, 1), (3, 8), (4, 1), (4, 8)]
    assert all(row["decisions_per_second"] > 0 for row in rows)
    assert {(row["bench"], row["observations"], row["threads"]) for row in rows} == {
        ("engine", False, 1)
    }
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(rows)


def test_bench_env_measures_with_each_number_of_threads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.json"
    words = ["bench", "env", "--num-envs", "150", "--threads", "1", "2", "2", "all"]
    assert cli.main([*words, "--seconds", "0.01", "--json", str(file)]) == 0
    rows = json.loads(file.read_text())
    numbers = list(dict.fromkeys([1, 2, usable_cores()]))
    expected = [(bench, number) for number in numbers for bench in IN_THREADS]
    expected += [(bench, 1) for bench in IN_ONE_THREAD]
    assert [(row["bench"], row["threads"]) for row in rows] == expected
    assert all(list(row) == KEYS and row["observations"] for row in rows)
    assert all(row["decisions_per_second"] > 0 for row in rows)
    head, *lines = [each for each in capsys.readouterr().out.splitlines() if "pip" not in each]
    column = head.split().index("threads")
    assert [int(each.split()[column]) for each in lines] == [number for _, number in expected]


@pytest.mark.parametrize("number", [1, 3])
def test_the_measured_games_are_random_legal_play_in_every_number_of_threads(number: int) -> None:
    made: list[BatchEnv] = []

    class Kept(BatchEnv):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            made.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(env, "BatchEnv", Kept)
        turn = env.batch_turn(3, 200, number)
    expected = BatchEnv(CONFIG, 200, illegal_action="raise")
    expected.reset(seed=0)
    for _ in range(CONFIG.num_turns + 2):
        turn()
        expected._threads.run(env.choose_at_random)
        seen, *_ = expected.step(expected._actions)
        for name, array in seen.items():
            np.testing.assert_array_equal(made[0].seen[name], array)


def test_bench_bots_measures_each_bot(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    words = ["bench", "bots", "lowest", "random", "--players", "3", "--num-envs", "1", "40"]
    assert cli.main([*words, "--seconds", "0.01", "--json", str(file)]) == 0
    rows = json.loads(file.read_text())
    assert [(row["bench"], row["num_envs"]) for row in rows] == [
        (bot, games) for bot in ("lowest", "random") for games in (1, 40)
    ]
    assert all(list(row) == KEYS and row["decisions_per_second"] > 0 for row in rows)


def test_bench_bots_plays_whole_games_at_the_first_seats(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_bench_env_says_what_is_missing_for_the_comparison(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(env, "find_spec", lambda _: None)
    assert cli.main(["bench", "env", "--num-envs", "1", "--seconds", "0.01"]) == 0
    printed = capsys.readouterr().out
    assert "pip install rlcard" in printed and "pip install open_spiel" in printed
    assert "\nleduc_holdem" not in printed and "\ngoofspiel" not in printed


def test_decisions_are_counted_over_all_seats_and_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "calls_per_second", lambda *_: 10.0)
    expected = Measurement(
        "engine", 3, 8, observations=False, decisions_per_second=240.0, threads=1
    )
    assert list(engine.measure(engine.EngineBench(players=(3,), num_envs=(8,)))) == [expected]


def test_an_error_of_the_system_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "rows.json"
    words = ["bench", "engine", "--players", "2", "--num-envs", "1", "--seconds", "0.01"]
    assert cli.main([*words, "--json", str(path)]) == cli.SYSTEM_ERROR
    assert capsys.readouterr().err == f"mindup: {path}: Not a directory\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--num-envs", "0"], "num_envs must be 1 to 1048576, not 0"),
        (
            ["--threads", "0"],
            "--threads must be 1 to 1024, not 0, or 'all' for one thread per core",
        ),
        (["--seconds", "inf"], "seconds must be a finite number, not inf"),
        (["--players", "7"], "mindup: players must be 2 to 6, not 7\n"),
    ],
)
def test_a_benchmark_refuses_numbers_out_of_range(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["bench", "env", *words]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("key", [KeyboardInterrupt, EOFError], ids=["ctrl-c", "ctrl-d"])
def test_a_key_that_leaves_ends_with_the_status_of_an_interrupt(
    key: type[BaseException], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> float:
        raise key

    monkeypatch.setattr(benchmark, "calls_per_second", interrupted)
    assert cli.main(["bench", "engine", "--players", "4"]) == cli.INTERRUPTED
    assert "interrupted" in capsys.readouterr().err
