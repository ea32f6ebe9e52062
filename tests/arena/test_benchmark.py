"""The benchmark: its intervals hold, its files are checked, and it can be resumed."""

import io
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from mindup_arena import run
from mindup_arena.arena_folder import ArenaFolder
from mindup_arena.benchmark import command
from mindup_arena.benchmark.protocol import GAMES, PANEL, BenchmarkSettings
from mindup_arena.benchmark.result import BEST, estimate_score, lowest, normalise, print_result
from mindup_arena.benchmark.result_file import from_dict, read_result, to_dict, write_result
from mindup_arena.chunk import PlayedChunk
from mindup_arena.report import FORFEITED
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig, cli
from mindup_env.agent import make_agent
from mindup_env.runs.run_folder import RunFolder
from tests.arena.benchmark_results import made_result, make_small
from tests.arena.reports import play_here
from tests.pages import own_modules


def test_all_rivals_can_be_made_and_the_small_size_is_small() -> None:
    for game in GAMES:
        for spec in PANEL.values():
            make_agent(spec, game.config)
    small = BenchmarkSettings("mybot:Bot", "small")
    assert small.num_games == 504 and 504 * GameConfig().num_turns == 10_584
    assert BenchmarkSettings("mybot:Bot").num_games == 20 * 504
    assert BenchmarkSettings("search", "small").num_games == 432
    assert BenchmarkSettings("mybot:Bot", "small", players=4).num_games == 2 * 4 * 7 * 2


@pytest.mark.parametrize(
    ("given", "name", "rivals"),
    [
        ("search", "search", 6),
        ("champion", "champion", 6),
        ("search:worlds=8", "search:worlds=8", 7),
        ("policy:runs/a-{players}p/policy.onnx", "a-{players}p", 7),
    ],
)
def test_a_bot_does_not_play_against_itself(given: str, name: str, rivals: int) -> None:
    found = BenchmarkSettings(given)
    assert (found.name, len(found.rivals)) == (name, rivals)
    bot, *others = found.arena_settings(GAMES[-1]).bots
    assert bot == found.bot.replace("{players}", "6") and len(others) == rivals


# The score


def test_the_score_and_its_interval_by_hand() -> None:
    """Two games of two deals and two rivals; each deal is its mean over the rivals first."""
    for players in (3, 4, 5, 6):
        shares = np.array([0, 1 / players, 1])
        assert normalise(shares, players) == pytest.approx([lowest(players), 0, BEST])
    first = np.array([[1, 1 / 3], [1, 1 / 3]])  # (rivals, deals) of 3 players: deals of 100 and 0
    second = np.array([[1, 1 / 2], [1 / 2, 1]])  # of 4 players: both deals have 3/4, 66.7
    value, low, high = estimate_score([first, second], [3, 4])
    assert value == pytest.approx((50 + 66.667) / 2, abs=0.001)
    # The variance of the first mean is 100**2 / 2 / 2. The second, without a spread, counts as if
    # one more of its 4 * 2 * 2 games were won: 100 / 3 / 2 points of a deal, of 2 deals.
    error = np.sqrt(2500 + (100 / 3 / 2 / 2) ** 2) / 2
    quantile = 4.3027  # of Student's t with 2 degrees of freedom, from a table
    assert high == BEST and low == pytest.approx(max(value - quantile * error, -125 / 3), abs=0.01)


@settings(max_examples=50)
@given(st.integers(0, 2**32), st.integers(2, 6), st.sampled_from([0.0, 0.01, 0.3, 0.99, 1.0]))
def test_an_interval_has_a_width_and_only_possible_scores(
    seed: int, deals: int, chance: float
) -> None:
    random, players = np.random.default_rng(seed), [3, 4, 5, 6]
    shares = [(random.random((7, deals, each)) < chance).mean(axis=2) for each in players]
    value, low, high = estimate_score(shares, players)
    least = sum(map(lowest, players)) / 4
    assert least - 1e-9 <= low <= value <= high <= BEST and high - low > 0.1


@pytest.mark.parametrize("deals", [2, 40])
def test_the_interval_covers_the_truth(deals: int) -> None:
    """Deals have luck of their own, which all rivals of a game meet."""
    random, players, runs = np.random.default_rng(deals), [3, 3, 4, 4, 5, 5, 6, 6], 400
    chances = np.linspace(0.1, 0.8, 7)[:, None, None]  # (rivals, 1, 1)
    covered = 0
    for _ in range(runs):
        games = []
        for each in players:
            luck = random.choice([-0.1, 0.1], size=(1, deals, each))
            games.append((random.random((7, deals, each)) < chances + luck).mean(axis=2))
        truth = np.mean([normalise(np.array(chances.mean()), each) for each in players])
        _, low, high = estimate_score(games, players)
        covered += bool(low <= truth <= high)
    assert 0.92 <= covered / runs <= 0.98


def test_a_result_is_printed_in_80_columns() -> None:
    result = made_result("mybot:Bot", decisions_per_second=0.25, games_forfeited=3, name="[b]")
    console = Console(width=80, record=True, file=io.StringIO())
    print_result(result, console)
    text = console.export_text()
    value, low, high = result.score
    assert f"[b]: score {value:.1f} ({low:.1f} to {high:.1f}), mindup-bench, small" in text
    assert "0.25 decisions per second" in text and "3 games forfeited" in text
    *_, last = [line.split() for line in text.splitlines() if line.lstrip().startswith("all")]
    (row,) = [line.split() for line in text.splitlines() if line.startswith("search")]
    columns = [*([game] for game in GAMES), GAMES]
    for rival, cells in ((None, last), ("search", row)):
        parts = [result.score_in(some, rival).value for some in columns]
        assert cells == [rival or "all", *(f"{part:.0f}" for part in parts)]
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())


# The file


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(json.dumps(to_dict(made_result("greedy"))))
    return loaded


def test_a_result_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    versions = {"mybot:Bot": "1f"}
    for about in ({"size": "full"}, {"players": 4}):
        result = made_result("mybot:Bot", 0.5, name="My bot", fingerprints=versions, **about)
        write_result(path, result)
        again = read_result(path)
        assert again.settings == result.settings and again.machine == result.machine
        assert again.fingerprints == versions
        assert np.allclose(again.win_shares, result.win_shares, atol=1e-6)
        assert to_dict(again) == json.loads(json.dumps(to_dict(result)))
    path.write_text("[]")
    with pytest.raises(ValueError, match=r"a\.json: settings must be a dict of bot, size"):
        read_result(path)


def test_the_score_of_a_file_is_computed_again(plain: dict[str, Any]) -> None:
    assert from_dict(plain | {"score": 99.0}).score.value == pytest.approx(plain["score"], abs=0.01)


def test_a_bot_of_the_panel_counts_0_against_itself(plain: dict[str, Any]) -> None:
    assert all("greedy" not in game and "random" in game for game in plain["win_shares"])
    mean = sum(part["score"] for part in plain["by_rival"].values()) / len(PANEL)
    assert plain["score"] == pytest.approx(mean, abs=0.01)
    assert plain["score_low"] < plain["score"] < plain["score_high"]


Spoil = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda p: p.pop("machine"), "machine must be given"),
        (lambda p: p.pop("benchmark"), "benchmark must be given"),
        (lambda p: p.update(benchmark="other"), "benchmark must be mindup-bench, not 'other'"),
        (lambda p: p.update(size="full"), "must be 40 numbers from 0 to 1"),
        (lambda p: p.update(players=4), "win_shares must hold 2 games, not 8"),
        (
            lambda p: p.update(bot="random"),
            "against greedy: must be 2 numbers from 0 to 1, not None",
        ),
        (lambda p: p.update(name="\ud800"), "name must be a text of 1 to 60 printable characters"),
        (lambda p: p["win_shares"].reverse(), "must have the game 3 players, 0 objectives at pl"),
        (lambda p: p["win_shares"][0].update(random=[0.5, 1.5]), "against random: must be 2"),
        (lambda p: p["win_shares"][0].update(random=[0.5, True]), "against random: must be 2"),
        (lambda p: p["win_shares"][0].update(random=[0.5, float("nan")]), "must be 2 numbers"),
        (lambda p: p.update(games_forfeited=10**6), "games_forfeited must be at most 432"),
        (lambda p: p.update(decisions_per_second=10**400), "decisions_per_second must be a finite"),
        (lambda p: p["machine"].update(python="a\nb"), "the text of python must be a text"),
        (lambda p: p.update(fingerprints={"random": 5}), "fingerprints.random must be a text"),
    ],
)
def test_nonsense_is_refused(spoil: Spoil, message: str, plain: dict[str, Any]) -> None:
    spoilt = json.loads(json.dumps(plain))
    spoil(spoilt)
    with pytest.raises(ValueError, match=message):
        from_dict(spoilt)


# Runs of a small benchmark

BOT = "tests.arena.bots:Salted:salt=1"
WORDS = ["benchmark", "run", BOT, "--size", "small", "--name", "<salted>"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished benchmark and its file."""
    folder = tmp_path_factory.mktemp("unbroken")
    files = ["--out", str(folder / "out"), "--json", str(folder / "a.json")]
    with pytest.MonkeyPatch.context() as patch:
        make_small(patch)
        patch.setattr(run, "play_in_processes", play_here)
        assert cli.main([*WORDS, *files]) == 0
    return folder


@pytest.fixture
def unbroken(played: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, in a test for which the benchmark is small and played in this process."""
    make_small(monkeypatch)
    monkeypatch.setattr(run, "play_in_processes", play_here)
    return played


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
    for row, game in enumerate(result.settings.games):
        path = unbroken / "out" / f"{game.players}-players-{game.objectives}-objectives"
        settings = RunFolder.read(path, "arena", ArenaSettings).settings
        assert settings.config == game.config
        assert (settings.seed, settings.agent_seed) == (game.seed, game.agent_seed)
        for chunk in chunks(settings):
            shares = ArenaFolder(path).load(chunk).results.win_shares[..., 0].mean(axis=1)
            deals = slice(chunk.deals.start, chunk.deals.stop)
            assert result.win_shares[row, chunk.match, deals] == pytest.approx(shares, abs=1e-6)
    assert {"processor", "cores", "python", "mindup-env"} <= set(result.machine)
    assert {BOT, "random", "lowest"} == set(result.fingerprints)


@pytest.mark.usefixtures("unbroken")
def test_a_bot_that_forfeits_ends_the_command_with_its_own_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["benchmark", "run", "tests.arena.bots:Faulty:at=2", "--size", "small"]
    assert cli.main([*words, "--players", "3"]) == FORFEITED
    assert "forfeited" in capsys.readouterr().out


def test_an_interrupted_benchmark_is_resumed(
    unbroken: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*given: Any) -> Iterator[PlayedChunk]:
        yield from islice(play_here(*given), 2)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run, "play_in_processes", interrupted)
        patch.setattr("tempfile.tempdir", str(unbroken))
        assert cli.main(WORDS) == cli.INTERRUPTED
    (folder,) = unbroken.glob("mindup-benchmark-*")
    assert f"to resume: mindup benchmark run --resume {folder}" in capsys.readouterr().err
    assert not (folder / "result.json").exists() and len([*folder.glob("3-*/results/*.json")]) == 2
    assert cli.main(["benchmark", "run", "--resume", str(folder)]) == 0
    assert "<salted>: score " in capsys.readouterr().out
    assert without_speed(folder / "result.json") == without_speed(unbroken / "a.json")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["greedy", "--resume", "OUT", "--size", "full"], "--workers, --json, not BOT --size: a"),
        ([BOT, "--out", "OUT"], "has a run already: resume it with --resume"),
        (["--resume", "OUT/none"], "no run of mindup benchmark run in "),
        ([], "no benchmark without a bot: name one"),
        (["randon"], "bot 'randon' cannot be made for 3 players, 0 objectives, a game of the"),
        (["random", "--workers", "0"], "--workers must be 1 to 1024"),
        (["random", "--json", "/dev/null/a"], "cannot write /dev/null/a"),
        (["random", "--name", "a\tb"], "name must be a text of 1 to 60 printable characters"),
    ],
)
def test_a_wrong_command_is_refused(
    words: list[str], message: str, unbroken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word.replace("OUT", str(unbroken / "out")) for word in words]
    assert cli.main(["benchmark", "run", *given]) == 2
    assert message in capsys.readouterr().err


def test_a_finished_benchmark_is_read_and_not_played_again(
    unbroken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "play_in_processes", lambda *_: iter(()))
    settings = BenchmarkSettings(BOT, "small", "<salted>")
    result = command.run_benchmark(settings, folder=unbroken / "out")
    assert result.score == pytest.approx(read_result(unbroken / "a.json").score, abs=1e-4)
    with pytest.raises(ValueError, match="a run of mindup benchmark run with other settings"):
        command.run_benchmark(BenchmarkSettings("random", "small"), folder=unbroken / "out")


@pytest.mark.usefixtures("unbroken")
def test_the_commands_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with own_modules(tmp_path):
        for words in (
            "run mybot:Bot --size small --out mybot-results --json mybot.json",
            "board mybot.json --html board.html",
        ):
            assert cli.main(["benchmark", *words.split()]) == 0
    assert "mybot:Bot" in Path("board.html").read_text(encoding="utf-8")
