"""``mindup benchmark``: a whole run of a small protocol, and runs that are interrupted."""

import json
import shlex
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from mindup_arena import run
from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.benchmark import running
from mindup_arena.benchmark.protocol import BenchmarkSettings
from mindup_arena.benchmark.result_file import read_result
from mindup_arena.chunk import PlayedChunk
from mindup_arena.report import FORFEITED
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_arena.workers import play_in_processes
from mindup_env import Game, cli
from mindup_env.runs.run_folder import RunFolder
from tests.arena.benchmark_results import GAMES, use_small_protocol
from tests.pages import OF_THE_BENCHMARK, own_modules

BOT = "tests.arena.bots:Salted:salt=1"


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken")
    files = ["--out", str(folder / "out"), "--json", str(folder / "a.json")]
    with pytest.MonkeyPatch.context() as patch:
        use_small_protocol(patch)
        assert cli.main(["benchmark", BOT, "--size", "small", "--name", "<salted>", *files]) == 0
    return folder


@pytest.fixture(autouse=True)
def small_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    use_small_protocol(monkeypatch)


def without_speed(path: Path) -> str:
    """A result but for what differs between runs."""
    plain = json.loads(path.read_text())
    assert plain.pop("decisions_per_second") > 0
    return json.dumps(plain)


def test_the_result_has_the_win_shares_of_all_games(unbroken: Path) -> None:
    result = read_result(unbroken / "a.json")
    assert (unbroken / "a.json").read_bytes() == (unbroken / "out/result.json").read_bytes()
    assert result.settings == BenchmarkSettings(BOT, "small", "<salted>")
    assert result.win_shares.shape == (2, 2, 2) and result.games_forfeited == 0
    for row, game in enumerate(GAMES):
        path = unbroken / "out" / f"{game.players}-players-{game.objectives}-objectives"
        settings = RunFolder.read(path, "arena", ArenaSettings).settings
        assert settings.config == game.config
        assert (settings.seed, settings.agent_seed) == (game.seed, game.agent_seed)
        for chunk in chunks(settings):
            shares = ArenaFolder(path).load(chunk).results.win_shares[..., 0].mean(axis=1)
            deals = slice(chunk.deals.start, chunk.deals.stop)
            assert result.win_shares[row, chunk.match, deals] == pytest.approx(shares, abs=1e-6)
    assert {"processor", "cores", "python", "mindup-env"} <= set(result.machine)
    assert {BOT, *result.settings.rules.panel} == set(result.fingerprints)
    assert all(len(hashes) == 1 for hashes in result.fingerprints.values())


def test_the_recorded_games_are_those_against_the_last_rival(unbroken: Path) -> None:
    result = read_result(unbroken / "a.json")
    for game, record in zip(GAMES, result.records, strict=True):
        first = Game.replay(record, turns=0)
        assert first.config == game.config
        # The first seat is the bot; the others play their lowest cards.
        lowest = [first.hand(player)[0] for player in range(1, game.players)]
        assert record["plays"][0][1:] == lowest


def test_a_bot_that_forfeits_ends_the_command_with_its_own_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["benchmark", "tests.arena.bots:Faulty:at=2", "--size", "small"]) == FORFEITED
    assert "forfeited" in capsys.readouterr().out


def test_an_interrupted_benchmark_is_resumed(
    unbroken: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*given: Any) -> Iterator[PlayedChunk]:
        yield from islice(play_in_processes(*given), 2)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run, "play_in_processes", interrupted)
        patch.setattr("tempfile.tempdir", str(unbroken))
        words = ["benchmark", BOT, "--size", "small", "--name", "<salted>"]
        assert cli.main(words) == cli.INTERRUPTED
    (folder,) = unbroken.glob("mindup-benchmark-*")
    assert f"to resume: mindup benchmark --resume {folder}" in capsys.readouterr().err
    assert not (folder / "result.json").exists() and len([*folder.glob("3-*/results/*.json")]) == 2
    assert cli.main(["benchmark", "--resume", str(folder), "--workers", "2"]) == 0
    assert "<salted>: score " in capsys.readouterr().out
    assert without_speed(folder / "result.json") == without_speed(unbroken / "a.json")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--resume", "OUT", "--size", "full"], "has --size small, not full: leave out"),
        (["greedy", "--resume", "OUT"], f"has bot {BOT}, not greedy: leave out"),
        (["--resume", "OUT", "--name", "b"], "has --name <salted>, not b: leave out"),
        ([BOT, "--out", "OUT"], "has a run already: resume it with --resume"),
        (["--resume", "OUT/none"], "no run of mindup benchmark in "),
        ([], "no benchmark without a bot: name one"),
        (["randon"], "bot 'randon' cannot be made for 3 players, 0 objectives, and the benchmark"),
        (["random", "--workers", "0"], "--workers must be 1 to 1024"),
        (["random", "--json", "/dev/null/a"], "cannot write /dev/null/a"),
        (["random", "--name", "a\tb"], "name must be a text of 1 to 60 printable characters"),
    ],
)
def test_a_wrong_command_is_refused(
    words: list[str], message: str, unbroken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word.replace("OUT", str(unbroken / "out")) for word in words]
    assert cli.main(["benchmark", *given]) == 2
    assert message in capsys.readouterr().err


def test_a_finished_benchmark_is_read_and_not_played_again(
    unbroken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindup_arena.run.play_in_processes", lambda *_: iter(()))
    settings = BenchmarkSettings(BOT, "small", "<salted>")
    result = running.run_benchmark(settings, folder=unbroken / "out")
    assert result.score == pytest.approx(read_result(unbroken / "a.json").score, abs=1e-4)
    with pytest.raises(ValueError, match="a run of mindup benchmark with other settings"):
        running.run_benchmark(BenchmarkSettings("random", "small"), folder=unbroken / "out")


def test_the_commands_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with own_modules(tmp_path):
        for command in OF_THE_BENCHMARK:
            assert cli.main(shlex.split(command)[1:]) == 0
    assert "mybot:Bot" in Path("board.html").read_text(encoding="utf-8")
