"""Watch bots play, in the browser.

Example: mindup watch bots champion-2 planner greedy
"""

import argparse
import secrets
from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from mindup_agents.labels import numbered
from mindup_env import GameConfig
from mindup_env.agent import POLICY_FILE, full_spec, split_specs
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.settings.checks import check_int
from mindup_play.server import add_server_options, serve, warn
from mindup_play.settings import short_name
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
    add_number = partial(add, metavar="N", type=int)
    add_number("--players", help="number of players (default: as many as bots, at least 4)")
    add_number("--objectives", default=0, help="objectives shown together (default %(default)s)")
    add_number("--seed", help="random seed of the deal (default: a random one)")
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
    players = max(len(given), 4) if arguments.players is None else arguments.players
    check_int("--players", players, MIN_PLAYERS, MAX_PLAYERS)
    check_int("--objectives", arguments.objectives, 0, MAX_OBJECTIVES)
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    specs = seated_specs(given, players, with_earlier=arguments.earlier)
    config = GameConfig(players, arguments.objectives)
    games = BotsGames(
        partial(WatchedGame.of_bots, specs, seat_names(specs), config, warn=warn), seed
    )
    print(f"Seed {seed}")
    return games


_EARLIER = "policies", "snapshots"
"""The folders of a run that keep policies of earlier checkpoints, by timesteps."""


def seated_specs(given: Sequence[str], players: int, *, with_earlier: bool) -> list[str]:
    """The bot of each seat. A short list is repeated.

    The folder of a training run stands for its latest policy, and ``with_earlier`` adds the policy
    of an earlier checkpoint after each.
    """
    specs: list[str] = []
    for each in given:
        folder = Path(each)
        specs.append(full_spec(each))
        if with_earlier and not (folder / POLICY_FILE).is_file():
            raise ValueError(f"--earlier needs folders of training runs, not {each!r}")
        if with_earlier:
            specs.append(f"policy:{_earlier_policy(folder)}")
    if len(specs) > players:
        raise ValueError(f"{players} players cannot be {len(specs)} bots: add --players")
    return list(islice(cycle(specs), players))


def _earlier_policy(run: Path) -> Path:
    """The policy from about the middle of a training."""
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
