"""Train a policy with PPO, exploit one bot, or make a champion.

Group: train
Example: mindup train --preset quick --seed 1
"""

import argparse

from mindup_env.settings.extras import require
from mindup_training.api import LIBRARIES
from mindup_training.settings import TrainSettings
from mindup_training.settings.options import add_run_options, add_settings

_PRESET = "quick"


def configure(parser: argparse.ArgumentParser) -> None:
    add_run_options(parser, preset_default=_PRESET)
    parser.add_argument(
        "--learner",
        nargs=argparse.REMAINDER,
        metavar=("NAME", "OPTION"),
        help="train with another learner: ppo, or module:Class; all options after its name are "
        "its own: --learner ppo --help",
    )
    add_settings(parser, TrainSettings)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("training", "train", *LIBRARIES)
    # PyTorch takes seconds to load, and the other commands do without it.
    from mindup_training import launch  # noqa: PLC0415

    if arguments.learner is None:
        return launch.run_parsed(arguments)
    if arguments.given.keys() - {"learner"}:
        raise ValueError("--learner NAME must come first: the options after it are its own")
    if not arguments.learner:
        raise ValueError("--learner needs a name, such as ppo")
    return launch.run_named(arguments.learner[0], arguments.learner[1:])
