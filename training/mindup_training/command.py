"""Train a policy with sb3-contrib's MaskablePPO or RLlib, or go on with a training run."""

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mindup_arena.ray_cluster import LOCAL
from mindup_training.self_play import RULE

_LIBRARIES = ("matplotlib", "rich", "sb3_contrib", "scipy", "tensorboard", "torch")
_SETTINGS = (
    ("players", int, None, "at the table"),
    ("objectives", int, "+", "how many are shown; several numbers: as many tables with each"),
    ("opponents", str, "+", "the mix of bots to learn from, with weights: 2:greedy 1:random"),
    ("reward", str, None, "a sum of score, margin and win with weights, such as 0.1*margin+win"),
    ("timesteps", int, None, "decisions to learn from"),
    ("minutes", float, None, "train for a time instead; it cannot be repeated exactly"),
    ("features", str, None, "what the network reads: plain-1, forecast-1 or playout-1"),
    ("widths", int, 3, "of the hidden layers: for the table, for a card, for the value"),
    ("seed", int, None, "decides everything"),
    (
        "threads",
        int,
        None,
        "of PyTorch (default: one for each core); another number rounds otherwise",
    ),
    ("evaluate-against", str, "+", "the bots to play against at every checkpoint"),
    ("evaluation-deals", int, None, "deals for each of them"),
    ("checkpoint-every", int, None, "so many decisions"),
)
_OF_RLLIB = (
    (
        "env-runners",
        "processes that play, each some of the tables (default 2); the result depends on it",
    ),
    ("learning-seats", "at each table, drawn anew for every deal (default 2)"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--preset",
        default="quick",
        help="where the other settings come from: a name, such as quick (the default) or "
        "4_players, or a file in TOML",
    )
    settings = parser.add_argument_group("settings, in the place of those of the preset")
    for name, kind, number, meaning in _SETTINGS:
        # What is not given is not there.
        settings.add_argument(
            f"--{name}", type=kind, nargs=number, help=meaning, default=argparse.SUPPRESS
        )
    settings.add_argument(
        "--self-play",
        action="store_const",
        const={},
        default=argparse.SUPPRESS,
        help="let snapshots of the policy take a share of the opponents' seats; how large a share, "
        f"and how many snapshots, says [self_play] in the preset. {RULE}",
    )
    _add_rllib(parser)
    parser.add_argument("--out", type=Path, help="the folder of the run (default: in runs/)")
    parser.add_argument(
        "--resume", type=Path, metavar="RUN", help="the folder of a run to go on with"
    )
    parser.set_defaults(run=run)


def _add_rllib(parser: argparse.ArgumentParser) -> None:
    rllib = parser.add_argument_group("RLlib, which learns on many machines (mindup-env[rllib])")
    add = rllib.add_argument
    add(
        "--rllib",
        action="store_const",
        const={},
        default=argparse.SUPPRESS,
        help="let RLlib's PPO learn; all seats that learn share one policy",
    )
    for name, meaning in _OF_RLLIB:
        add(f"--{name}", type=int, help=meaning, default=argparse.SUPPRESS)
    add(
        "--address",
        default=LOCAL,
        help="of a Ray cluster: auto for the one of this machine, or ray://HOST:10001 (default: "
        "start Ray in this machine); it changes no result, and a resumed run may have another",
    )


def check_installed() -> None:
    missing = [library for library in _LIBRARIES if find_spec(library) is None]
    if missing:
        raise ValueError(f"training needs {', '.join(missing)}: pip install 'mindup-env[train]'")


def run(arguments: argparse.Namespace) -> int:
    check_installed()
    # PyTorch takes seconds to load, and the other commands do without it.
    from mindup_training.launch import begin, resume  # noqa: PLC0415

    given = _given(arguments)
    if arguments.resume:
        if given or arguments.out:
            raise ValueError(
                "a run is resumed as it was begun: --resume stands alone, or with --address"
            )
        resume(arguments.resume, arguments.address)
    else:
        begin(arguments.preset, given, arguments.out, arguments.address)
    return 0


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    """The settings that were given, in their sections."""
    names = [name.replace("-", "_") for name, *_ in _SETTINGS] + ["self_play", "rllib"]
    given = {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}
    of_rllib = [name.replace("-", "_") for name, _ in _OF_RLLIB]
    section = {name: getattr(arguments, name) for name in of_rllib if hasattr(arguments, name)}
    if section and "rllib" not in given:
        raise ValueError("--env-runners and --learning-seats are settings of --rllib: add it")
    return {**given, "rllib": section} if section else given
