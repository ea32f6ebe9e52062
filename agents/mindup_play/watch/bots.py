"""Watch bots play, in the browser.

Example: mindup watch bots champion-3 planner greedy
"""

import argparse
import secrets
from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from mindup_agents.labels import numbered
from mindup_env.agent import POLICY_FILE, full_spec, split_specs
from mindup_env.settings.command_line import add_options, given_options
from mindup_play.server import add_server_options, serve, warn
from mindup_play.settings import PlaySettings, short_name
from mindup_play.watch.tables import WATCHED_AT, BotsGames, WatchedGame


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "bots",
        nargs="+",
        metavar="BOT",
        help="bots of the seats; a short list is repeated, and the folder of a training run stands "
        "for its latest policy",
    )
    add(
        "--players",
        type=int,
        metavar="N",
        default=argparse.SUPPRESS,
        help="number of players (default: as many as bots, at least 4)",
    )
    add_options(parser, PlaySettings, names=("objectives", "seed"))
    add(
        "--earlier",
        action="store_true",
        help="seat the policy of an earlier checkpoint beside that of each training run",
    )
    add_server_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    serve(_games(arguments), arguments, WATCHED_AT, "/watch.html")
    return 0


def _games(arguments: argparse.Namespace) -> BotsGames:
    given = split_specs(",".join(arguments.bots))
    usual = {"players": max(len(given), 4), "seed": secrets.randbits(32)}
    settings = PlaySettings(**{**usual, **given_options(arguments, PlaySettings)})
    specs = seated_specs(given, settings.players, with_earlier=arguments.earlier)
    make = partial(WatchedGame.of_bots, specs, seat_names(specs), settings.config, warn=warn)
    print(f"Seed {settings.seed}")
    return BotsGames(make, settings.seed)


_EARLIER = "policies", "snapshots"
"""The folders of a run that keep policies of earlier checkpoints, by timesteps."""


def seated_specs(given: Sequence[str], players: int, *, with_earlier: bool) -> list[str]:
    """The bot of each seat. A short list is repeated.

    The folder of a training run stands for its latest policy, and ``with_earlier`` adds the policy
    of an earlier checkpoint after each.
    """
    specs: list[str] = []
    for each in given:
        specs.append(full_spec(each))
        if with_earlier:
            specs.append(f"policy:{_earlier_policy(Path(each))}")
    if len(specs) > players:
        raise ValueError(f"{players} players cannot be {len(specs)} bots: add --players")
    return list(islice(cycle(specs), players))


def _earlier_policy(run: Path) -> Path:
    """The policy from about the middle of a training."""
    if not (run / POLICY_FILE).is_file():
        raise ValueError(f"--earlier needs folders of training runs, not '{run}'")
    found = sorted(path for name in _EARLIER for path in (run / name).glob("*.safetensors"))
    if not found:
        raise ValueError(f"{run} keeps no policy of an earlier checkpoint")
    return found[(len(found) - 1) // 2]


def seat_names(specs: Sequence[str]) -> list[str]:
    """Short names; equal ones are numbered."""
    return numbered([_name(spec) for spec in specs])


def _name(spec: str) -> str:
    """Of an earlier policy, the run and the millions of timesteps, which its file is named by."""
    path = Path(spec.removeprefix("policy:"))
    if spec.startswith("policy:") and path.parent.name in _EARLIER and path.stem.isdigit():
        return f"{path.parent.parent.name} at {int(path.stem) / 1e6:.3g}M"
    return short_name(spec)
