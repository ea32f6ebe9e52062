"""The benchmark: its protocol never changes, its intervals hold, and its files are checked."""

import argparse
import hashlib
import io
import json
import shlex
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
from mindup_arena.benchmark.board import read_board
from mindup_arena.benchmark.protocol import PROTOCOLS, BenchmarkSettings
from mindup_arena.benchmark.result import BEST, estimate_score, lowest, normalise, print_result
from mindup_arena.benchmark.result_file import from_dict, read_result, to_dict, write_result
from mindup_arena.chunk import PlayedChunk
from mindup_arena.report import FORFEITED
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_env import Game, GameConfig, cli
from mindup_env.agent import make_agent
from mindup_env.runs.run_folder import RunFolder
from tests.arena.benchmark_results import BENCH_1, BENCH_2, GAMES, SMALL, made_result
from tests.arena.reports import play_here
from tests.pages import OF_THE_BENCHMARK, own_modules

FIRST, SECOND = PROTOCOLS[BENCH_1], PROTOCOLS[BENCH_2]


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        (BENCH_1, "5e71edc4975f0851bf4a460816e683f894aac2cc9df7ba05bda4816f6ebe95d6"),
        (BENCH_2, "a412fe8a368855028d7eb43af88b1bd6efcfbcd38ece1e905a15a10f8694987e"),
    ],
)
def test_a_protocol_never_changes(name: str, digest: str) -> None:
    rules = PROTOCOLS[name]
    parts = rules.name, rules.games, dict(rules.panel), dict(rules.sizes)
    assert hashlib.sha256(json.dumps(parts).encode()).hexdigest() == digest


def test_the_second_protocol_plays_all_that_the_first_plays() -> None:
    assert (SECOND.games, SECOND.sizes) == (FIRST.games, FIRST.sizes)
    assert SECOND.panel.items() - FIRST.panel.items() == {
        *((name, SECOND.panel[name]) for name in ("self-play-1", "mixed"))
    }
    drawn = SECOND.panel["mixed"].removeprefix("mixture:").split("+")
    assert {*drawn} < {*SECOND.panel.values()} and len(drawn) == 6


def test_a_part_is_never_compared_with_the_whole(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    words = ["lowest", "--protocol", "mindup-bench-1/4-players"]
    settings = command.find_settings(parser.parse_args(words))
    assert settings.rules.games == tuple(game for game in FIRST.games if game.players == 4)
    part, whole = tmp_path / "part.json", tmp_path / "whole.json"
    write_result(part, made_result("lowest", protocol=settings.protocol))
    write_result(whole, made_result("highest"))
    assert read_result(part).settings.protocol == settings.protocol
    assert len(read_board([part]).views) > 0
    with pytest.raises(ValueError, match=r"mindup-bench-1/4-players, .*cannot be compared"):
        read_board([whole, part])


def test_all_rivals_can_be_made_and_the_small_size_is_small() -> None:
    for game in FIRST.games:
        for spec in SECOND.panel.values():
            make_agent(spec, game.config)
    turns = GameConfig().num_turns
    assert FIRST.count_games("mybot:Bot", "small") == 504 and 504 * turns == 10_584
    assert FIRST.count_games("mybot:Bot", "full") == 20 * 504
    assert FIRST.count_games("search", "small") == 432
    assert SECOND.count_games("mybot:Bot", "small") == 648


@pytest.mark.parametrize(
    ("given", "bot", "name"),
    [
        ("champion", "champion-3", "champion-3"),
        ("search", FIRST.panel["search"], "search"),
        ("search:simulations=8", "search:simulations=8", "search:simulations=8"),
        ("policy:runs/a-{players}p/policy.safetensors", None, "a-{players}p"),
    ],
)
def test_the_name_of_a_bot_of_the_panel_is_that_bot(given: str, bot: str | None, name: str) -> None:
    settings = BenchmarkSettings(given)
    assert (settings.bot, settings.name, settings.rules) == (bot or given, name, SECOND)
    arena = FIRST.arena_settings(settings.bot, FIRST.games[-1], "full")
    assert arena.bots[0] == (bot or "policy:runs/a-6p/policy.safetensors")
    assert len(arena.bots) == (7 if name in FIRST.panel else 8)


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


@settings(max_examples=50, deadline=None)
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


# The file


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(json.dumps(to_dict(made_result("greedy"))))
    return loaded


def test_a_result_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    versions = {"mybot:Bot": ["1f", "2f"]}
    result = made_result("mybot:Bot", 0.5, size="full", name="My bot", fingerprints=versions)
    write_result(path, result)
    again = read_result(path)
    assert again.settings == result.settings and again.machine == result.machine
    assert again.fingerprints == versions
    assert np.allclose(again.win_shares, result.win_shares, atol=1e-6)
    assert to_dict(again) == json.loads(json.dumps(to_dict(result)))
    for text, said in (
        ("[]", "a.json: settings must be a dict of bot, size"),
        (" " * 4_000_001, "a.json is too large for the result of a benchmark"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=said):
            read_result(path)


def test_a_bot_of_the_panel_counts_0_against_itself(plain: dict[str, Any]) -> None:
    assert all("greedy" not in game and "random" in game for game in plain["win_shares"])
    assert plain["by_rival"]["greedy"] == {"score": 0, "low": 0, "high": 0}
    assert len(plain["by_players_and_objectives"]) == 8 and len(plain["by_rival"]) == 7
    mean = sum(part["score"] for part in plain["by_rival"].values()) / 7
    assert plain["score"] == pytest.approx(mean, abs=0.01)
    assert plain["low"] < plain["score"] < plain["high"]


Spoil = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda p: p.pop("machine"), "machine must be given"),
        (lambda p: p.pop("score"), "score must be given"),
        (lambda p: p.update(extra=1), "unknown setting 'extra'"),
        (
            lambda p: p.update(protocol="mindup-bench-9"),
            "protocol must be mindup-bench-1, mindup-bench-1/3-players,",
        ),
        (lambda p: p.update(size="full"), "must be 40 numbers from 0 to 1"),
        (
            lambda p: p.update(bot="random"),
            "against greedy: must be 2 numbers from 0 to 1, not None",
        ),
        (lambda p: p.update(name="\ud800"), "name must be a text of 1 to 60 printable characters"),
        (lambda p: p.update(score=99), "score must be .*, not 99"),
        (lambda p: p.update(low=float("nan")), "low must be .*, not nan"),
        (lambda p: p["by_rival"]["random"].update(high=99), "by_rival must be"),
        (lambda p: p["by_players_and_objectives"].pop(), "by_players_and_objectives must be"),
        (lambda p: p["win_shares"].pop(), "win_shares must hold 8 games, not 7"),
        (lambda p: p["win_shares"].reverse(), "win_shares must be .*'players': 3"),
        (lambda p: p["win_shares"][0].update(greedy=[0.5, 0.5]), "win_shares must be"),
        (lambda p: p["win_shares"][0].update(random=[0.5, 1.5]), "against random: must be 2"),
        (lambda p: p["win_shares"][0].update(random=[0.5, True]), "against random: must be 2"),
        (lambda p: p["win_shares"][0].update(random=[0.5, float("nan")]), "must be 2 numbers"),
        (lambda p: p.update(games_forfeited=10**6), "games_forfeited must be at most 432"),
        (lambda p: p.update(decisions_per_second=10**400), "decisions_per_second must be a finite"),
        (lambda p: p["machine"].update(python="a\nb"), "the text of python must be a text"),
        (lambda p: p.update(fingerprints={"random": 5}), "fingerprints.random must be a list"),
        (lambda p: p["records"].pop(), "records must hold 8 games or none, not 7"),
        (lambda p: p["records"].reverse(), "3 players, 0 objectives: it is no whole game with"),
        (lambda p: p["records"].__setitem__(1, 5), "records, 3 players, 3 objectives: not a rec"),
    ],
)
def test_nonsense_is_refused(spoil: Spoil, message: str, plain: dict[str, Any]) -> None:
    spoilt = json.loads(json.dumps(plain))
    spoil(spoilt)
    with pytest.raises(ValueError, match=message):
        from_dict(spoilt)


@pytest.mark.parametrize("protocol", [BENCH_1, BENCH_2])
def test_a_result_is_printed_in_80_columns(protocol: str) -> None:
    about: dict[str, Any] = {"protocol": protocol, "games_forfeited": 3, "name": "[b]"}
    result = made_result("mybot:Bot", decisions_per_second=0.25, **about)
    console = Console(width=80, record=True, file=io.StringIO())
    print_result(result, console)
    text = console.export_text()
    value, low, high = result.score
    assert f"[b]: score {value:.1f} ({low:.1f} to {high:.1f}), {protocol}, small" in text
    assert "0.25 decisions per second" in text and "3 games forfeited" in text
    *_, last = [line.split() for line in text.splitlines() if line.lstrip().startswith("all")]
    (row,) = [line.split() for line in text.splitlines() if line.startswith("champion-2")]
    games = result.settings.rules.games
    columns = [*([game] for game in games), games]
    for rival, cells in ((None, last), ("champion-2", row)):
        parts = [result.score_in(some, rival).value for some in columns]
        assert cells == [rival or "all", *(f"{part:.0f}" for part in parts)]
    assert all(len(line.rstrip()) <= 80 for line in text.splitlines())


def test_the_processor_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_CPU_INFO", tmp_path / "cpuinfo")
    assert command.processor()
    (tmp_path / "cpuinfo").write_text("processor : 0\nmodel name\t: Fast: 3 GHz \nflags : a\n")
    assert command.processor() == "Fast: 3 GHz"


# Runs of a small protocol

BOT = "tests.arena.bots:Salted:salt=1"
WORDS = ["benchmark", "run", BOT, "--size", "small", "--name", "<salted>", "--protocol", BENCH_1]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished benchmark and its file."""
    folder = tmp_path_factory.mktemp("unbroken")
    files = ["--out", str(folder / "out"), "--json", str(folder / "a.json")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROTOCOLS, BENCH_1, SMALL[BENCH_1])
        assert cli.main([*WORDS, *files]) == 0
    return folder


@pytest.fixture
def unbroken(played: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, in a test for which the protocol is small."""
    for name, rules in SMALL.items():
        monkeypatch.setitem(PROTOCOLS, name, rules)
    return played


def without_speed(path: Path) -> str:
    """A result but for what differs between runs."""
    plain = json.loads(path.read_text())
    assert plain.pop("decisions_per_second") > 0
    return json.dumps(plain)


def test_the_result_has_the_win_shares_of_all_games(unbroken: Path) -> None:
    result = read_result(unbroken / "a.json")
    assert (unbroken / "a.json").read_bytes() == (unbroken / "out/result.json").read_bytes()
    assert result.settings == BenchmarkSettings(BOT, "small", "<salted>", BENCH_1)
    assert result.win_shares.shape == (2, 2, 2) and result.games_forfeited == 0
    for row, (game, record) in enumerate(zip(GAMES, result.records, strict=True)):
        path = unbroken / "out" / f"{game.players}-players-{game.objectives}-objectives"
        settings = RunFolder.read(path, "arena", ArenaSettings).settings
        assert settings.config == game.config
        assert (settings.seed, settings.agent_seed) == (game.seed, game.agent_seed)
        for chunk in chunks(settings):
            shares = ArenaFolder(path).load(chunk).results.win_shares[..., 0].mean(axis=1)
            deals = slice(chunk.deals.start, chunk.deals.stop)
            assert result.win_shares[row, chunk.match, deals] == pytest.approx(shares, abs=1e-6)
        # The recorded game is one against the last rival, which plays its lowest cards.
        first = Game.replay(record, turns=0)
        assert first.config == game.config
        rivals = range(1, game.players)
        assert record["plays"][0][1:] == [first.hand(player)[0] for player in rivals]
    assert {"processor", "cores", "python", "mindup-env"} <= set(result.machine)
    assert {BOT, *result.settings.rules.panel} == set(result.fingerprints)
    assert all(len(hashes) == 1 for hashes in result.fingerprints.values())


def test_a_result_of_the_second_protocol_contains_that_of_the_first(
    unbroken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "play_in_processes", play_here)
    path = tmp_path / "a.json"
    assert cli.main([*WORDS, "--protocol", BENCH_2, "--json", str(path)]) == 0
    first, second = read_result(unbroken / "a.json"), read_result(path)
    assert second.settings == BenchmarkSettings(BOT, "small", "<salted>", BENCH_2)
    assert second.win_shares.shape == (2, 3, 2)
    assert np.array_equal(second.win_shares[:, 1:], first.win_shares)
    assert second.records == first.records
    (game,) = [each for each in second.settings.rules.games if each.players == 3]
    assert second.score_in([game], "mixed") != first.score_in([game], "random")


@pytest.mark.usefixtures("unbroken")
def test_a_bot_that_forfeits_ends_the_command_with_its_own_status(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "play_in_processes", play_here)
    assert (
        cli.main(["benchmark", "run", "tests.arena.bots:Faulty:at=2", "--size", "small"])
        == FORFEITED
    )
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
    assert cli.main(["benchmark", "run", "--resume", str(folder), "--workers", "2"]) == 0
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
    monkeypatch.setattr("mindup_arena.run.play_in_processes", lambda *_: iter(()))
    settings = BenchmarkSettings(BOT, "small", "<salted>", BENCH_1)
    result = command.run_benchmark(settings, folder=unbroken / "out")
    assert result.score == pytest.approx(read_result(unbroken / "a.json").score, abs=1e-4)
    with pytest.raises(ValueError, match="a run of mindup benchmark run with other settings"):
        command.run_benchmark(BenchmarkSettings("random", "small"), folder=unbroken / "out")


@pytest.mark.usefixtures("unbroken")
def test_the_commands_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "play_in_processes", play_here)
    with own_modules(tmp_path):
        for words in map(shlex.split, OF_THE_BENCHMARK):
            assert cli.main(words[1:]) == 0
    assert "mybot:Bot" in Path("board.html").read_text(encoding="utf-8")
