"""The command line of an arena, and the settings that it asks for."""

import argparse
import tempfile
from pathlib import Path
from typing import Any

from mindup_arena.picture import picture_format
from mindup_arena.ray_cluster import LOCAL
from mindup_arena.schedule import SCHEDULE
from mindup_arena.settings import CHUNK_DEALS, ArenaSettings
from mindup_arena.store import read_settings
from mindup_env import GameConfig
from mindup_env.checks import check_int

NOTES = f"""{SCHEDULE}

Intervals are from a bootstrap over deals; shared victories are split. A bot that plays an illegal
card, fails or takes too long forfeits: it plays its lowest cards from that decision on in the
games of the chunk, which is one line-up over {CHUNK_DEALS} deals, and the report names it. One
call of a bot decides for all its seats in a chunk; the first call in a process also loads what
the bot needs. The same seed gives the same results with any number of workers, or on a cluster,
unless there is a time limit."""

_OF_CONFIG = {"players": "num_players", "objectives": "num_objectives", "rounds": "num_rounds"}
_PLAIN = ("deals", "seed", "one_vs_field", "time_limit", "record")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = NOTES
    _add_what_is_played(parser)
    _add_how_and_where(parser)


def _add_what_is_played(parser: argparse.ArgumentParser) -> None:
    # Nothing has a default here: what is not given is what a resumed arena has, or else Settings.
    add = parser.add_argument
    add("bots", nargs="*", metavar="BOT", help="a name, name:option=value,... or module:Class")
    add(
        "--one-vs-field",
        action="store_true",
        default=None,
        help="only one of the first bot against copies of each other bot",
    )
    add("--players", type=int, metavar="P", help="at each table (default 4)")
    add("--objectives", type=int, metavar="N", help="shown at once (default 0)")
    add("--rounds", type=int, metavar="N", help="of each game (default 3)")
    add("--deals", type=int, metavar="N", help="for each line-up (default 1000)")
    add("--seed", type=int, metavar="N", help="decides everything (default 0)")
    add("--time-limit", type=float, metavar="SECONDS", help="for each call of a bot (default none)")
    add("--record", type=_absolute, metavar="FOLDER", help="keep every game there as a record")


def _add_how_and_where(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--workers", type=int, default=1, metavar="N", help="processes that play (default 1)")
    add(
        "--ray",
        nargs="?",
        const=LOCAL,
        metavar="ADDRESS",
        help="play on all cores of a Ray cluster instead: auto for the one of this machine, or "
        "ray://HOST:10001; without an address, Ray is started in this machine",
    )
    add("--json", type=Path, metavar="FILE", help="write the report there, with timings")
    add("--csv", type=Path, metavar="FILE", help="write its numbers there, a line for each")
    add(
        "--picture",
        type=Path,
        metavar="FILE",
        help="draw cross table and ratings there (.png, .svg, .pdf)",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--out", type=Path, metavar="FOLDER", help="keep the results there")
    where.add_argument("--resume", type=Path, metavar="FOLDER", help="go on with the arena there")


def check_outputs(arguments: argparse.Namespace, settings: ArenaSettings) -> None:
    """Refuses before anything is played what could not be written or drawn after it."""
    check_int("workers", arguments.workers, 1)
    if arguments.ray is not None and arguments.workers != 1:
        raise ValueError("--ray takes all workers of the cluster: leave --workers out")
    if arguments.out is not None and read_settings(arguments.out) is not None:
        raise ValueError(f"there is an arena in {arguments.out}: go on with it by --resume")
    record = None if settings.record is None else Path(settings.record)
    for folder in (arguments.out, arguments.resume, record):
        if folder is not None:
            _check_writable(folder, folder)
    for path in (arguments.json, arguments.csv, arguments.picture):
        if path is not None:
            _check_writable(path, path.parent)
            if path.is_dir():
                raise ValueError(f"cannot write {path}: it is a folder")
    if arguments.picture is not None:
        picture_format(arguments.picture)


def _check_writable(path: Path, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror}") from None


def _absolute(text: str) -> str:
    """A resumed arena may run in another folder."""
    return str(Path(text).resolve())


def find_settings(arguments: argparse.Namespace) -> ArenaSettings:
    """Those of the arena to be resumed, or those that the arguments ask for."""
    if arguments.resume is None:
        return _settings(arguments)
    begun = read_settings(arguments.resume)
    if begun is not None:
        _check_same(arguments, begun)
        return begun
    if not arguments.bots:
        raise ValueError(f"there is no arena to go on with in {arguments.resume}")
    return _settings(arguments)  # it was stopped before it had begun


def _settings(arguments: argparse.Namespace) -> ArenaSettings:
    config = {field: getattr(arguments, name) for name, field in _OF_CONFIG.items()}
    given: dict[str, Any] = {name: getattr(arguments, name) for name in _PLAIN}
    return ArenaSettings(
        tuple(arguments.bots),
        GameConfig(**{name: value for name, value in config.items() if value is not None}),
        **{name: value for name, value in given.items() if value is not None},
    )


def _check_same(arguments: argparse.Namespace, begun: ArenaSettings) -> None:
    """Refuses to go on with other settings than the arena was begun with."""
    had = {name: getattr(begun, name) for name in _PLAIN}
    had |= {name: getattr(begun.config, field) for name, field in _OF_CONFIG.items()}
    had["bots"] = list(begun.bots)
    for name, value in had.items():
        asked = getattr(arguments, name)
        if asked not in (None, [], value):
            raise ValueError(
                f"the arena in {arguments.resume} has {name.replace('_', ' ')} {value}, not "
                f"{asked}: leave the settings out to go on with it, or begin another with --out"
            )
