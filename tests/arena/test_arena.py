"""An arena, from Python and by ``mindup arena``: it continues, and bots can fail."""

import errno
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from subprocess import PIPE, STDOUT
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import mindup_cli
from mindup_arena import ArenaSettings, play, play_match, run, run_arena
from mindup_arena.play import BotError, PlayedChunk, play_chunk
from mindup_arena.run import GAMES, hash_bot
from mindup_arena.settings import Chunk
from mindup_env import GameConfig
from mindup_env.config import VARIANTS
from mindup_env.files import errors_name
from tests.processes import MINDUP, ROOT

BOTS = "tests.arena.bots"
SALTED = [f"{BOTS}:Salted:salt=1", f"{BOTS}:Salted:salt=2"]
CONFIG = VARIANTS["2p-2t"]
GAME = ["--game", "2p-2t", "--deals", "350", "--seed", "5"]
CHUNKS = 4


def rank(*words: object) -> int:
    return mindup_cli.main(["arena", *map(str, words)])


@pytest.fixture
def whole(tmp_path: Path, here: list[Chunk]) -> Path:
    """The folder of an arena that was not interrupted."""
    folder = tmp_path / "whole"
    assert rank(*SALTED, *GAME, "--out", folder, "--json", folder / "a.json") == 0
    assert len(here) == CHUNKS
    here.clear()
    return folder


def test_the_file_has_all_games_and_the_report_its_statistics(whole: Path) -> None:
    header, *lines = (whole / GAMES).read_text().splitlines()
    assert {"bots", "seed", "numba", "files of " + SALTED[0]} <= set(json.loads(header))
    assert len(lines) == CHUNKS
    results = play_match(SALTED, CONFIG, deals=350, seed=5)
    found = [score for line in lines for score in json.loads(line)["results"][0]]
    assert found == results.scores.tolist()
    plain = json.loads((whole / "a.json").read_text())
    (bot, _), (duel, _) = plain["bots"], plain["cross_table"]
    assert bot["win_share"] == pytest.approx(100 * results.win_shares[..., 0].mean(), abs=1e-4)
    assert bot["win_share"] == duel["win_share"]
    assert {"mean_score", "mean_rank_low", "rating_high"} <= bot.keys()


def test_two_workers_play_as_one_does(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "play_chunks", play.play_chunks)
    assert rank(*SALTED, *GAME, "--workers", 2, "--json", tmp_path / "a.json") == 0
    assert (tmp_path / "a.json").read_bytes() == (whole / "a.json").read_bytes()


@pytest.mark.parametrize("torn", [0, 1, 30, 10**5], ids=lambda each: f"{each} bytes torn off")
def test_the_same_command_continues_after_any_byte(
    torn: int, whole: Path, tmp_path: Path, here: list[Chunk]
) -> None:
    kept = (whole / GAMES).read_bytes()
    (whole / GAMES).write_bytes(kept[: max(len(kept) - torn, 10)])
    assert rank(*SALTED, *GAME, "--out", whole, "--json", tmp_path / "b.json") == 0
    assert len(here) == {0: 0, 10**5: CHUNKS}.get(torn, 1)
    assert (tmp_path / "b.json").read_bytes() == (whole / "a.json").read_bytes()
    lines = (whole / GAMES).read_bytes().splitlines()
    assert len([*map(json.loads, lines)]) == 1 + CHUNKS


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyboardInterrupt(), "mindup: interrupted"),
        (OSError(errno.ENOSPC, "No space left on device"), "games.jsonl: No space left on device"),
    ],
    ids=["Ctrl-C", "full disk"],
)
def test_an_interruption_is_one_line_and_keeps_what_is_finished(
    error: BaseException,
    said: str,
    whole: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(file: Path, _: Any) -> None:
        with errors_name(file):
            raise error

    kept = b"".join((whole / GAMES).read_bytes().splitlines(keepends=True)[:3])
    (whole / GAMES).write_bytes(kept)
    monkeypatch.setattr(run, "append", fail)
    assert rank(*SALTED, *GAME, "--out", whole) in (mindup_cli.INTERRUPTED, mindup_cli.SYSTEM_ERROR)
    assert capsys.readouterr().err.endswith(f"{said}; the same command continues\n")
    assert (whole / GAMES).read_bytes() == kept


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*SALTED, *GAME[:-1], "6"], "(seed was 5, now 6): choose another --out"),
        ([*SALTED, "--players", "2", *GAME[2:]], "num_rounds was 1, now 3; hand_size was 3, now 7"),
        ([*SALTED, "lowest", *GAME], "bots was ['tests.arena.bots:Salted:salt=1', 'tests.arena"),
    ],
)
def test_other_games_are_refused(
    words: list[str], said: str, whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = (whole / GAMES).read_bytes()
    assert rank(*words, "--out", whole) == 2
    assert said in capsys.readouterr().err and (whole / GAMES).read_bytes() == kept


@pytest.mark.parametrize("content", ["notes of mine", "notes\n", "\nnotes\n", "{}", "[]\n", " "])
def test_a_foreign_file_is_refused_and_kept(
    content: str, tmp_path: Path, here: list[Chunk], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / GAMES).write_text(content)
    assert rank(*SALTED, *GAME, "--out", tmp_path) == 2
    assert "games.jsonl is no file of games: choose another --out" in capsys.readouterr().err
    assert (tmp_path / GAMES).read_text() == content and not here


@pytest.mark.parametrize(
    ("old", "new"),
    [(b'"chunk": [0', b'"chunk": [1'), (b"[[", b"[["[:1]), (b"0, ", b"1, "), (b"{", b"5")],
    ids=["another match", "no JSON", "another number", "no dict"],
)
def test_a_damaged_line_is_named_and_can_be_removed(
    old: bytes, new: bytes, whole: Path, here: list[Chunk], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, third, *others = (whole / GAMES).read_bytes().splitlines(keepends=True)
    assert old in third
    damaged = b"".join([first, second, third.replace(old, new, 1), *others])
    (whole / GAMES).write_bytes(damaged)
    words = [*SALTED, *GAME, "--out", whole, "--json", whole / "b.json"]
    assert rank(*words) == 2
    said = "games.jsonl: line 3 is damaged: remove it to play its games again, or choose another"
    assert said in capsys.readouterr().err and (whole / GAMES).read_bytes() == damaged
    (whole / GAMES).write_bytes(b"".join([first, second, *others]))
    assert rank(*words) == 0 and len(here) == 1
    assert (whole / "b.json").read_bytes() == (whole / "a.json").read_bytes()


def test_a_worker_ends_without_a_word_when_its_parent_is_killed() -> None:
    """Also in a call that does not return."""
    words = ["arena", "lowest", f"{BOTS}:Faulty:how=hang", *GAME]
    with subprocess.Popen(
        [sys.executable, "-c", MINDUP, *words], cwd=ROOT, stdout=PIPE, stderr=STDOUT, text=True
    ) as process:
        assert process.stdout and process.stdout.readline() == "it hangs\n"
        process.kill()
        assert process.stdout.read() == "", "this is read until the worker has ended"


# Files of bots

BOT = "from mindup_agents.simple import LowestAgent\n\n\nclass Bot(LowestAgent):\n    "


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a package of bots and a module beside it, which is the current folder."""
    folder = tmp_path / "project"
    for name, text in {
        "ownbots/__init__.py": "from ownbots.first import Bot\n",
        "ownbots/first.py": f"{BOT}pass\n",
        "ownbots/weights/w.bin": "",
        "alone.py": f"{BOT}pass\n",
        "unrelated.py": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] in {"ownbots", "alone"}]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("bot", "file", "matters"),
    [
        ("ownbots:Bot", "ownbots/first.py", True),
        ("ownbots.first:Bot", "ownbots/weights/w.bin", True),
        ("ownbots:Bot", "alone.py", False),
        ("alone:Bot", "alone.py", True),
        ("alone:Bot", "unrelated.py", False),
        ("mixture:2:alone:Bot+greedy", "alone.py", True),
        (f"{BOTS}:Faulty:how=unrelated.py", "unrelated.py", True),
        (f"mixture:greedy+{BOTS}:Faulty:how=ownbots/weights", "ownbots/weights/w.bin", True),
        ("greedy", "unrelated.py", False),
    ],
)
def test_a_bot_changes_with_its_files(bot: str, file: str, project: Path, *, matters: bool) -> None:
    before = hash_bot(bot)
    (project / file).write_text((project / file).read_text() + "# more")
    assert (hash_bot(bot) != before) == matters


# Bots that fail


def against_lowest(bot: str, **others: Any) -> ArenaSettings:
    return ArenaSettings((bot,), GameConfig(3, num_rounds=1), 20, 7, against=("lowest",), **others)


def played(asked: ArenaSettings) -> PlayedChunk:
    play._made.cache_clear()
    return play_chunk(asked, asked.chunks[0])


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("raise", "ZeroDivisionError: one over none"),
        ("exit", "SystemExit: 3"),
        ("nan", "InputError: the result of act() of a bot must be integers of shape (60,), not fl"),
        ("illegal", "InputError: it cannot play card 1 (action 0); the hand has "),
        ("high", "InputError: it cannot play card 61 (action 60); the hand has "),
        ("negative", "InputError: it cannot play card 0 (action -1); the hand has "),
    ],
)
def test_a_fault_ends_the_arena_with_the_place_or_forfeits(how: str, reason: str) -> None:
    """An error forfeits all games of the call, and an illegal card its game."""
    bot = f"{BOTS}:Faulty:how={how},at=2"
    with pytest.raises(BotError) as found:
        played(against_lowest(bot))
    first, *traceback = str(found.value).splitlines()
    assert first.startswith(f"bot '{bot}' failed in decision 3, ") and f": {reason}" in first
    assert "/bots.py:" in first and first.endswith("to play on without it: --forfeit")
    assert ("in _fail" in "".join(traceback)) == (how in ("raise", "exit"))
    chunk = played(against_lowest(bot, forfeit=True))
    games, first = chunk.forfeits[0]
    if how == "illegal":
        assert 50 < games < 60, "some hands hold the card"
    else:
        assert games == (1 if how in ("high", "negative") else 60)
    assert first.startswith("decision 3, ") and f": {reason}" in first and "/bots.py:" in first
    if games == 1:
        other = played(against_lowest(f"{BOTS}:Highest")).results.scores
        assert np.array_equal(chunk.results.scores[:-1], other[:-1])


def test_a_forfeiting_bot_plays_its_lowest_cards() -> None:
    highest = f"{BOTS}:Highest"
    faulty = ArenaSettings((f"{BOTS}:Faulty",), CONFIG, 3, against=(highest,), forfeit=True)
    lowest = replace(faulty, bots=("lowest",))
    assert np.array_equal(played(faulty).results.scores, played(lowest).results.scores)


def test_results_do_not_depend_on_where_a_bot_failed_before() -> None:
    """Every chunk has the results of a process that plays no other: the bot is made anew."""
    asked = against_lowest(f"{BOTS}:Faulty:how=raise,at=1", chunk_deals=5, forfeit=True)
    one_after_the_other = [play_chunk(asked, chunk) for chunk in asked.chunks]
    for found, chunk in zip(one_after_the_other, asked.chunks, strict=True):
        alone = played(replace(asked)) if chunk == asked.chunks[0] else play_chunk(asked, chunk)
        assert found.forfeits == alone.forfeits and found.forfeits
        assert np.array_equal(found.results.scores, alone.results.scores)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([f"{BOTS}:Faulty:how=die"], "mindup: a process died while it played: a bot ended it, or"),
        (
            [f"{BOTS}:Faulty:how=hang,at=1", "--time-limit", "0.5"],
            "mindup: a process died while it played: a bot ended it, a call took over 0.5 s, or",
        ),
    ],
    ids=["dies", "hangs"],
)
def test_the_end_of_a_process_ends_the_arena(
    words: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert rank("lowest", *words, "--game", "2p-2t", "--deals", 3) == mindup_cli.SYSTEM_ERROR
    shown = capfd.readouterr().err
    assert said in shown and ("in _fail" in shown) == ("--time-limit" in words)


def test_the_first_call_of_a_bot_has_no_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    set_limits: list[float] = []
    monkeypatch.setattr(
        "faulthandler.dump_traceback_later", lambda limit, **_: set_limits.append(limit)
    )
    asked = ArenaSettings((f"{BOTS}:Highest",), CONFIG, 3, against=("lowest",), time_limit=9.0)
    played(asked)
    assert set_limits == [9.0] * 2 * (CONFIG.num_turns - 1)


def test_forfeits_are_reported(
    here: list[Chunk], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot, out = f"{BOTS}:Faulty:how=raise,at=1", tmp_path / "out"
    words = [bot, "lowest", *GAME, "--out", out]
    assert rank(*words) == 2 and len(here) == 1
    assert "ZeroDivisionError: one over none\n" in capsys.readouterr().err
    for _ in range(2):  # the second one only reads
        assert rank(*words, "--forfeit", "--json", tmp_path / "a.json") == run.FORFEITED
        said = " ".join(capsys.readouterr().out.split())
        told = f"{bot} forfeited 700 of its games, first in decision 2, /"
        assert told in said.replace(": how", ":how")
    (lost,) = json.loads((tmp_path / "a.json").read_text())["forfeits"]
    assert (lost["bot"], lost["games"]) == (bot, 700) and "bots.py:" in lost["first"]
    assert len(here) == 1 + CHUNKS


# The command


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("random greedy:depth=2", "bot 'greedy:depth=2' cannot be made: "),
        (
            "greedy,random",
            "'greedy,random' cannot be made: unknown agent 'greedy,random'; bots are",
        ),
        ("random randon", "bot 'randon' cannot be made: unknown agent 'randon'"),
        ("random builtins:repr", "bot 'builtins:repr' has no method act"),
        ("random", "an arena needs at least 2 bots, not 1; available: champion, "),
        ("random lowest random", "'random' is named twice"),
        ("random lowest --deals 1", "deals must be 2 to"),
        ("random lowest --players 7", "num_players must be 2 to 6, not 7"),
        ("random lowest --game 2p", "unknown game '2p'; available: 2p-1t"),
        ("random lowest --workers 0", "workers must be at least 1, not 0"),
        ("random lowest --time-limit -1", "time_limit must be 0 to 999999 seconds"),
        ("random lowest --workers 2 --ray local", "a Ray cluster brings its own workers"),
        ("random lowest --json /dev/null/a.json", "cannot write /dev/null/a.json"),
        ("random lowest --out /dev/null", "cannot write /dev/null/games.jsonl"),
        ("random lowest --picture a.doc", "a picture must end in .png, .svg, .pdf, not 'a.doc'"),
    ],
)
def test_a_wrong_command_is_refused_before_anything_is_played(
    words: str, error: str, here: list[Chunk], capsys: pytest.CaptureFixture[str]
) -> None:
    assert rank(*words.split()) == 2
    assert error in capsys.readouterr().err and not here


def test_one_name_is_no_list_of_bots() -> None:
    bots: Any = "greedy"
    with pytest.raises(ValueError, match="bots must be a list, not 'greedy'"):
        ArenaSettings(bots)


@pytest.mark.usefixtures("here")
def test_a_terminal_has_a_bar_while_something_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # as a terminal
    for games in ("20 games of 2 players", ""):
        run_arena(ArenaSettings((*SALTED,), CONFIG, 10), folder=tmp_path)
        assert games in (shown := capsys.readouterr().err) and bool(games) == bool(shown)


@pytest.mark.usefixtures("here")
def test_a_line_a_minute_tells_the_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = count(0, 25)
    # Of the arena alone: the threads of other libraries ask for the time too.
    clock = SimpleNamespace(monotonic=lambda: next(seconds))
    monkeypatch.setattr("mindup_arena.run.time", clock)
    chunks = run_arena(ArenaSettings((*SALTED,), CONFIG, 500)).settings.chunks
    assert len(chunks) == 5 and capsys.readouterr().err == "600 of 1,000 games of 2 players\n"
