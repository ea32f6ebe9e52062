"""Rank bots: they play the same deals in all seats, and are compared with error bars.

Example: mindup arena random greedy planner --deals 300
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from mindup_agents.mixture import parse_share
from mindup_arena.match import MatchResults
from mindup_arena.output import check_picture, draw, print_report, write_html, write_json
from mindup_arena.play import Forfeits, PlayedChunk, play_chunks
from mindup_arena.report import Report
from mindup_arena.settings import ArenaSettings, Chunk
from mindup_env.agent import find_agent
from mindup_env.checks import InputError, check_int, require, shown
from mindup_env.config import game_of
from mindup_env.files import check_writable, errors_name

GAMES = "games.jsonl"
"""A file with a line about what is played, then one for each finished chunk."""
_VERSIONS = "mindup-env", "numpy", "numba"
_SILENCE = 60  # seconds between two lines about the progress


def run_arena(
    settings: ArenaSettings,
    *,
    workers: int = 1,
    folder: Path | None = None,
    address: str | None = None,
) -> Report:
    """Ranks bots: plays all matches of the settings and estimates the results.

    The same seed gives the same results with any number of workers. These import the main module:
    a script calls this under ``if __name__ == "__main__":``.

    Args:
        settings: The bots, their game, the deals and the seed.
        workers: Number of processes that play.
        folder: Keeps the finished games. The same settings and bots continue there.
        address: Play on all cores of this Ray cluster instead: ``"local"``, ``"auto"``,
            ``"HOST:PORT"`` or ``"ray://HOST:10001"``.
    """
    require("an arena", "arena", "rich", "scipy")
    check_int("workers", workers, 1)
    if address is not None and workers != 1:
        raise InputError("a Ray cluster brings its own workers: set workers or address, not both")
    settings.check()
    header = settings.to_dict() | {name: version(name) for name in _VERSIONS}
    header |= {f"files of {bot}": hash_bot(bot) for bot in settings.names}
    file = None if folder is None else folder / GAMES
    found = {} if file is None else read_games(file, header)
    missing = [chunk for chunk in settings.chunks if chunk not in found]
    playing = play_chunks(missing, settings, workers, address)
    try:
        for played in _with_progress(playing, missing, settings.config.num_players):
            if file is not None:
                append(file, played._asdict())
            found[played.chunk] = played
    except (KeyboardInterrupt, OSError) as error:
        if file is not None:
            error.add_note("the same command continues")
        raise
    finally:
        playing.close()  # ends the processes
    return Report(settings, [found[chunk] for chunk in settings.chunks], header)


def read_games(file: Path, header: Mapping[str, Any]) -> dict[Chunk, PlayedChunk]:
    """The finished chunks of a file, which is begun if there is none.

    A last line that is torn, as by a full disk, is removed. Any other file is refused, and kept.
    """
    check_writable(file)
    header = json.loads(json.dumps(header))  # as it is read
    content = file.read_bytes() if file.exists() else b""
    if _line_of(header).startswith(content):  # it is missing, or torn in its first line
        file.write_bytes(b"")
        append(file, header)
        return {}
    whole = content[: content.rfind(b"\n") + 1]
    first, *lines = whole.split(b"\n")[:-1] or [b""]
    try:
        begun: dict[str, Any] = json.loads(first)
        old = {name: begun.get(name) for name in header if begun.get(name) != header[name]}
    except (AttributeError, ValueError):
        raise InputError(f"{file} is no file of games: choose another --out") from None
    if old:
        changes = [f"{name} was {shown(old[name])}, now {shown(header[name])}" for name in old]
        told = f"{file} has the games of another arena ({'; '.join(changes)})"
        raise InputError(f"{told}: choose another --out")
    found = {}
    for number, line in enumerate(lines, start=2):
        try:
            plain = json.loads(line)
            is_whole = plain.pop("hash") == _hash_of(plain)
        except (AttributeError, LookupError, TypeError, ValueError):
            is_whole = False
        if not is_whole:
            told = f"{file}: line {number} is damaged"
            raise InputError(f"{told}: remove it to play its games again, or choose another --out")
        played = _from_plain(plain)
        found[played.chunk] = played
    os.truncate(file, len(whole))
    return found


def append(file: Path, plain: Mapping[str, Any]) -> None:
    with errors_name(file), file.open("ab") as whole:
        whole.write(_line_of(plain))


def _line_of(plain: Mapping[str, Any]) -> bytes:
    return json.dumps({**plain, "hash": _hash_of(plain)}, default=_listed).encode() + b"\n"


def _hash_of(plain: Mapping[str, Any]) -> str:
    """Of what the JSON of plain data says, which shows any damage of a line."""
    return hashlib.sha256(json.dumps(plain, default=_listed).encode()).hexdigest()[:16]


def _listed(value: Any) -> Any:
    return np.array(value).tolist()


def _from_plain(plain: Mapping[str, Any]) -> PlayedChunk:
    match, deals = plain["chunk"]
    return PlayedChunk(
        Chunk(match, range(deals[0], deals[-1] + 1)),
        MatchResults(*map(np.array, plain["results"])),
        {int(bot): Forfeits(*each) for bot, each in plain["forfeits"].items()},
    )


def hash_bot(spec: str) -> str:
    """A hash of its files, and of those that its options name, in a mixture too."""
    content = sorted((path.name, path.read_bytes()) for path in _files_of(spec))
    joined = b"".join(name.encode() + each for name, each in content)
    return hashlib.sha256(joined).hexdigest()[:16]


def _files_of(spec: str) -> set[Path]:
    """A bot is the package in which it is; without one, its module alone."""
    found = find_agent(spec)
    named = [each for each in found.options.values() if isinstance(each, str | Path)]
    for module in {found.module, getattr(found.make, "__module__", found.module)}:
        file = getattr(sys.modules.get(module), "__file__", "")  # none if typed at a prompt
        packages = takewhile(lambda each: (each / "__init__.py").exists(), Path(file).parents)
        named.append([file, *packages][-1])
    files: set[Path] = set()
    for path in (Path(each) for each in named if each):
        files.update([path], path.rglob("*"))
    if found.name == "mixture":
        for share in found.options["bots"].split("+"):
            files |= _files_of(parse_share(share.strip()).spec)
    return {each for each in files if each.is_file() and "__pycache__" not in each.parts}


def _with_progress(
    playing: Iterable[PlayedChunk], chunks: Sequence[Chunk], players: int
) -> Iterator[PlayedChunk]:
    """Shows the progress on stderr: a bar, or without a terminal a line a minute."""
    from rich.console import Console  # noqa: PLC0415  # an extra
    from rich.progress import Progress  # noqa: PLC0415

    done = 0
    total = players * sum(len(chunk.deals) for chunk in chunks)
    games = f"{total:,} games of {players} players"
    said = time.monotonic()
    console = Console(stderr=True)
    with Progress(console=console, disable=not (chunks and console.is_terminal)) as bar:
        task = bar.add_task(games, total=total)
        for played in playing:
            yield played
            done += players * len(played.chunk.deals)
            bar.update(task, completed=done)
            if not console.is_terminal and time.monotonic() - said >= _SILENCE:
                said = time.monotonic()
                print(f"{done:,} of {games}", file=sys.stderr, flush=True)


File = Annotated[Path | None, tyro.conf.arg(metavar="FILE", help_behavior_hint="")]
Folder = Annotated[Path | None, tyro.conf.arg(metavar="DIR", help_behavior_hint="")]


@dataclass
class Options:
    """The options of the command."""

    settings: tyro.conf.OmitArgPrefixes[ArenaSettings]
    players: int = 4
    """number of players"""
    objectives: int = 0
    """number of objectives shown together"""
    game: str | None = None
    """a small game instead, such as 2p-2t"""
    workers: int = 1
    """processes that play"""
    ray: Annotated[str | None, tyro.conf.arg(metavar="ADDRESS", help_behavior_hint="")] = None
    """play on all cores of a Ray cluster: local to start Ray here, auto for the one of this
    machine, HOST:PORT or ray://HOST:10001"""
    out: Folder = None
    """folder that keeps finished games; the same command continues there"""
    json: File = None
    """write the report as JSON"""
    html: File = None
    """write the report as a web page"""
    picture: File = None
    """draw the report (.png, .svg, .pdf)"""


FORFEITED = 3
"""The exit status if a bot forfeited: a script does not take this for a result."""


def main(words: Sequence[str]) -> int:
    """Runs ``mindup arena``."""
    given = tyro.cli(Options, prog="mindup arena", description=__doc__, args=words)
    require("mindup arena", "arena", "jinja2", "matplotlib", "rich", "scipy")
    if given.picture is not None:
        check_picture(given.picture)
    writers = {given.picture: draw, given.json: write_json, given.html: write_html}
    files = {path: write for path, write in writers.items() if path is not None}
    for path in files:
        check_writable(path)
    settings = replace(given.settings, config=game_of(given.players, given.objectives, given.game))
    report = run_arena(settings, workers=given.workers, folder=given.out, address=given.ray)
    print_report(report)
    for path, write in files.items():
        write(path, report)
    return FORFEITED if report.forfeits else 0
