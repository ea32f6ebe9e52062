"""The benchmark: its intervals hold, its files are checked, and boards compare like with like."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mindup_cli
from mindup_agents.weights import hash_bots
from mindup_arena import benchmark
from mindup_arena.benchmark import (
    BEST,
    NAME,
    RIVALS,
    SEEDS,
    SIZES,
    BenchmarkResult,
    BenchmarkSettings,
    estimate_score,
    read_board,
    read_result,
    run_benchmark,
    tables_of_size,
    write_result,
)
from mindup_arena.run import FORFEITED
from mindup_arena.settings import Chunk
from mindup_env import GameConfig
from mindup_env.agent import make_agent
from tests.pages import own_modules
from tools import ROOT

BOT = "tests.arena.bots:Salted:salt={players}"


def made_result(
    bot: str, chance: float = 0.3, *, size: str = "small", players: int | None = None
) -> BenchmarkResult:
    """A result with games won at random."""
    random = np.random.default_rng(len(bot))
    win_shares = {
        str(number): {
            rival: (random.random((SIZES[size], number)) < chance).mean(axis=1).tolist()
            for rival in RIVALS
            if RIVALS[rival] != bot
        }
        for number in tables_of_size(players)
    }
    return BenchmarkResult(bot, bot, size, players, 0, "", "1", win_shares)


def test_all_rivals_can_be_made() -> None:
    for spec in RIVALS.values():
        make_agent(spec, GameConfig(4))


# The score


def test_the_score_and_its_interval_by_hand() -> None:
    """Two games of two deals and two rivals; each deal is its mean over the rivals first."""
    first = np.array([[1, 1 / 3], [1, 1 / 3]])  # (rivals, deals) of 3 players: deals of 100 and 0
    second = np.array([[1, 1 / 2], [1 / 2, 1]])  # of 4 players: both deals have 3/4, 66.7
    value, low, high = estimate_score([first, second], [3, 4])
    assert value == pytest.approx((50 + 66.667) / 2, abs=0.001)
    # The variance of the first mean is 100**2 / 2 / 2. The second, without a spread, counts as if
    # one more of its 4 * 2 * 2 games were won: 100 / 3 / 2 points of a deal, of 2 deals.
    error = np.sqrt(2500 + (100 / 3 / 2 / 2) ** 2) / 2
    quantile = 4.3027  # of Student's t with 2 degrees of freedom, from a table
    assert high == BEST and low == pytest.approx(max(value - quantile * error, -125 / 3), abs=0.01)


@pytest.mark.parametrize("deals", [4, 80])
def test_the_interval_covers_the_truth(deals: int) -> None:
    """Deals have luck of their own, which all rivals of a game meet."""
    random, players, runs = np.random.default_rng(deals), [3, 4, 5, 6], 400
    chances = np.linspace(0.1, 0.8, 8)[:, None, None]  # (rivals, 1, 1)
    truth = np.mean([BEST * (chances.mean() * each - 1) / (each - 1) for each in players])
    covered = 0
    for _ in range(runs):
        games = []
        for each in players:
            luck = random.choice([-0.1, 0.1], size=(1, deals, each))
            games.append((random.random((8, deals, each)) < chances + luck).mean(axis=2))
        _, low, high = estimate_score(games, players)
        covered += bool(low <= truth <= high)
    assert 0.92 <= covered / runs <= 0.98


def test_a_rival_counts_0_against_itself() -> None:
    result = made_result("greedy")
    assert result.score(rival="greedy")[0] == 0 and np.isnan(result.score(rival="greedy")[1])
    mean = sum(result.score(rival=rival).value for rival in RIVALS) / len(RIVALS)
    assert result.score().value == pytest.approx(mean)


# Files


def test_a_result_is_read_as_it_was_written_but_for_shares_against_itself(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    for result in (made_result("random"), made_result("a", size="full", players=4)):
        write_result(file, result)
        assert read_result(file) == result
        plain = json.loads(file.read_text())
        if result.bot == "random":
            plain["win_shares"]["4"]["random"] = [1000.0] * 80
        file.write_text(json.dumps(plain))
        assert read_result(file) == result


Spoil = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda p: p.pop("size"), "a.json: a result must be a dict with .*; missing: size"),
        (lambda p: p.update(more=1), "unknown: 'more'"),
        (lambda p: p.update(benchmark="other"), "benchmark must be mindup-bench"),
        (lambda p: p.update(size=[]), "and size small or full"),
        (lambda p: p.update(size="full"), r"must be numbers of shape \(80,\), not"),
        (lambda p: p.update(players=7), "players must be 3 to 6, not 7"),
        (lambda p: p.update(bot="random"), "a.json: win_shares for 3 players must be .*: greedy$"),
        (lambda p: p.update(games_forfeited="1"), "games_forfeited must be a whole number"),
        (lambda p: p.update(name=["a"]), "name must be a text of 1 to 60 printable characters"),
        (lambda p: p.update(name="a\x1b"), "name must be a text of 1 to 60 printable characters"),
        (lambda p: p["win_shares"]["3"].update(random=[0, 0, 0, 1.5]), "random must be from 0"),
        (lambda p: p["win_shares"]["3"].update(random=[0, 0, 0, float("nan")]), "must be from 0"),
        (lambda p: p["win_shares"]["3"].update(random=[10**400] * 4), "3 players and random"),
        (lambda p: p["win_shares"]["3"].update(random=["0"] * 4), "3 players and random"),
        (lambda p: p["win_shares"]["3"].update(better=[0] * 4), "for 3 .* unknown: 'better'"),
        (lambda p: p["win_shares"].update({"7": {}}), "win_shares must be .*; unknown: '7'"),
        (lambda p: p["win_shares"].update({"3": 5}), "win_shares for 3 players must be a dict"),
    ],
)
def test_nonsense_is_refused(spoil: Spoil, message: str, tmp_path: Path) -> None:
    write_result(tmp_path / "a.json", made_result("greedy"))
    plain = json.loads((tmp_path / "a.json").read_text())
    spoil(plain)
    (tmp_path / "a.json").write_text(json.dumps(plain))
    with pytest.raises(ValueError, match=message):
        read_result(tmp_path / "a.json")


def test_a_board_ranks_by_scores_that_it_computes_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for name, chance in (("<i>weak</i>", 0.2), ("$strong$", 0.8)):
        files.append(str(tmp_path / f"{chance}.json"))
        result = replace(made_result(name, chance), games_forfeited=int(10 * chance) - 2)
        write_result(Path(files[-1]), result)
        plain = json.loads(Path(files[-1]).read_text())
        Path(files[-1]).write_text(json.dumps({**plain, "score": 99}))
    html = tmp_path / "board.html"
    assert mindup_cli.main(["benchmark", "board", *files, "--html", str(html)]) == 0
    assert "shows $strong$, <i>weak</i>" in capsys.readouterr().out
    page = html.read_text()
    assert page.index("$strong$") < page.index("&lt;i&gt;weak") and "<i>" not in page
    assert f">{read_result(Path(files[1])).score().value:.1f}\n" in page
    assert "<td>6</td>" in page


def test_a_board_has_the_deals_that_all_results_have(tmp_path: Path) -> None:
    files = [tmp_path / f"{size}.json" for size in SIZES]
    for file, size in zip(files, SIZES, strict=True):
        write_result(file, made_result(size, size=size))
    board = {each.name: each for each in read_board(files)}
    assert {each.size for each in board.values()} == {"small"}
    assert board["small"] == read_result(files[0])
    full = read_result(files[1])
    assert board["full"].win_shares["3"]["greedy"] == full.win_shares["3"]["greedy"][:4]


def test_the_published_results_are_those_of_the_present_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    published = read_result(ROOT / "docs" / "benchmark" / "greedy.json").of_size("small")
    assert published.rivals == hash_bots(RIVALS)
    for rival in [*RIVALS]:
        if rival not in ("random", "predictor"):
            monkeypatch.delitem(RIVALS, rival)
    found = run_benchmark(BenchmarkSettings("greedy", "small")).win_shares
    assert [*found] == ["3", "4", "5", "6"]
    for players, rivals in found.items():
        assert [*rivals] == ["random", "predictor"]
        for rival, shares in rivals.items():
            assert shares == pytest.approx(published.win_shares[players][rival])


def test_a_board_refuses_what_cannot_be_compared(tmp_path: Path) -> None:
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    write_result(files[0], made_result("a"))
    for other, said in (
        (made_result("b", players=4), "players is 4 and None"),
        (replace(made_result("b"), rivals="2"), "rivals is '2' and '1'"),
        (replace(made_result("b"), name="a"), "two results have the name 'a'"),
    ):
        write_result(files[1], other)
        with pytest.raises(ValueError, match=said):
            read_board(files)


# Runs of a small benchmark


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, here: list[Chunk]) -> list[Chunk]:
    """Few games against fast rivals, in this process; the chunks that are played are listed."""
    monkeypatch.setattr(benchmark, "SEEDS", {3: SEEDS[3], 4: SEEDS[4]})
    rivals = {"random": "random", "lowest": "lowest", "mixed": "mixture:random+lowest"}
    monkeypatch.setattr(benchmark, "RIVALS", rivals)
    return here


def test_a_run_is_scored_and_the_same_command_only_reads_it_again(
    small: list[Chunk], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "a.json", str(tmp_path / "out")
    words = ["benchmark", "run", BOT, "--size", "small", "--json", str(file), "--out", out]
    assert mindup_cli.main(words) == 0
    result = read_result(file)
    assert len(small) == 2 * 3 and result.name == BOT
    assert result.rivals == hash_bots(benchmark.RIVALS)
    value, low, high = result.score()
    said = " ".join(capsys.readouterr().out.split())
    assert f"{BOT}: score {value:.1f} ({low:.1f} to {high:.1f}), {NAME}, small" in said
    assert mindup_cli.main(words) == 0 and len(small) == 6
    assert read_result(file) == result
    alone = run_benchmark(BenchmarkSettings(BOT.replace("{players}", "4"), "small", 4))
    assert alone.win_shares["4"] == result.win_shares["4"]


def test_the_hash_of_the_rivals_is_of_their_specs_and_networks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "champion").mkdir()
    monkeypatch.setattr("mindup_agents.weights.files", lambda _: tmp_path)
    found = {hash_bots(RIVALS), hash_bots(RIVALS)}
    for content in (b"networks", b"others"):
        (tmp_path / "champion" / "4_players.npz").write_bytes(content)
        found.add(hash_bots(RIVALS))
    monkeypatch.setitem(RIVALS, "search", "search:worlds=9")
    found.add(hash_bots(RIVALS))
    assert len(found) == 4


@pytest.mark.usefixtures("small")
def test_a_bot_that_fails_ends_the_run_or_forfeits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot, file = "tests.arena.bots:Faulty:at=2", tmp_path / "a.json"
    words = ["benchmark", "run", bot, "--size", "small", "--json", str(file), "--players"]
    assert mindup_cli.main([*words, "2"]) == 2
    assert "players must be 3 to 4, not 2" in capsys.readouterr().err
    assert mindup_cli.main([*words, "3"]) == 2
    assert "ZeroDivisionError: one over none; to play on" in capsys.readouterr().err
    assert mindup_cli.main([*words, "3", "--forfeit"]) == FORFEITED
    assert "36 games forfeited, first in decision 3, " in " ".join(capsys.readouterr().out.split())
    assert read_result(file).games_forfeited == 36


@pytest.mark.usefixtures("small")
def test_the_commands_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with own_modules(tmp_path):
        for words in (
            "run mybot:Bot --size small --out mybot-results --json mybot.json",
            "board mybot.json --html board.html",
        ):
            assert mindup_cli.main(["benchmark", *words.split()]) == 0
    assert "mybot:Bot" in Path("board.html").read_text(encoding="utf-8")
