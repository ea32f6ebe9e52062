"""Train a policy with sb3-contrib's MaskablePPO, or go on with a training run."""

import argparse
from importlib.util import find_spec
from pathlib import Path

from mindup_training.self_play import RULE

_LIBRARIES = ("matplotlib", "rich", "sb3_contrib", "scipy", "tensorboard", "torch")
_SETTINGS = (
    ("players", int, None, "at the table"),
    ("objectives", int, "+", "how many are shown; several numbers: as many tables with each"),
    ("opponents", str, "+", "the mix of bots to learn from, with weights: 2:greedy 1:random"),
    ("reward", str, None, "a sum of score, margin and win with weights, such as 0.1*margin+win"),
    ("timesteps", int, None, "decisions to learn from"),
    ("minutes", float, None, "train for a time instead; it cannot be repeated exactly"),
    ("widths", int, 3, "of the hidden layers: for the table, for a card, for the value"),
    ("seed", int, None, "decides everything"),
    ("threads", int, None, "of PyTorch (default: one for each core); another number rounds anew"),
    ("evaluate-against", str, "+", "the bots to play against at every checkpoint"),
    ("evaluation-deals", int, None, "deals for each of them"),
    ("checkpoint-every", int, None, "so many decisions"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--preset",
        default="quick",
        help="where the other settings come from: a name, such as quick (the default) or "
        "4_players, or a file in TOML",
    )
    settings = parser.add_argument_group("settings, which go before those of the preset")
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
    parser.add_argument("--out", type=Path, help="the folder of the run (default: in runs/)")
    parser.add_argument(
        "--resume", type=Path, metavar="RUN", help="the folder of a run to go on with"
    )
    parser.set_defaults(run=run)


def check_installed() -> None:
    missing = [library for library in _LIBRARIES if find_spec(library) is None]
    if missing:
        raise ValueError(f"training needs {', '.join(missing)}: pip install 'mindup-env[train]'")


def run(arguments: argparse.Namespace) -> int:
    check_installed()
    # PyTorch takes seconds to load, and the other commands do without it.
    from mindup_training.launch import begin, resume  # noqa: PLC0415

    names = [name.replace("-", "_") for name, *_ in _SETTINGS] + ["self_play"]
    given = {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}
    if arguments.resume:
        if given or arguments.out:
            raise ValueError("a run is resumed as it was begun: --resume stands alone")
        resume(arguments.resume)
    else:
        begin(arguments.preset, given, arguments.out)
    return 0
