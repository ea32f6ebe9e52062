"""Train a policy with the PPO of sb3-contrib or another learner, resume a run, or imitate bots."""

import argparse

from mindup_env.runs.processes import LOCAL
from mindup_env.settings.extras import require
from mindup_training.api import LIBRARIES
from mindup_training.settings import TrainSettings
from mindup_training.settings.options import add_run_options, add_settings, given_settings

_PRESET = "quick"


def configure(parser: argparse.ArgumentParser) -> None:
    add_run_options(parser, preset_default=_PRESET)
    parser.add_argument(
        "--learner",
        nargs=argparse.REMAINDER,
        metavar=("NAME", "OPTION"),
        help="train with another learner, such as ppo, or module:Class; all options after its name "
        "are its own: --learner ppo --help",
    )
    parser.add_argument(
        "--imitate",
        nargs=argparse.REMAINDER,
        metavar=("DIR", "OPTION"),
        help="fit a policy to the datasets in these folders: --learner imitation --imitate DIR; "
        "options after it, such as --policy-target, are those of --learner imitation --help",
    )
    add_settings(parser, TrainSettings)
    parser.add_argument(
        "--address",
        default=LOCAL,
        help="address of a Ray cluster for --rllib: auto for the one on this machine, or "
        "ray://HOST:10001 (default: start Ray on this machine); it does not change the result, and "
        "a resumed run may use another",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("training", "train", *LIBRARIES)
    # PyTorch takes seconds to load, and the other commands do without it.
    from mindup_training import launch  # noqa: PLC0415

    named, option = arguments.learner, "--learner NAME"
    if arguments.imitate is not None:
        named, option = ["imitation", "--imitate", *arguments.imitate], "--imitate DIR"
    if named is None:
        return launch.run_parsed(arguments)
    given = given_settings(arguments, TrainSettings)
    if given or arguments.out or arguments.resume or arguments.preset != _PRESET:
        raise ValueError(f"{option} must come first: the options after it are its own")
    if not named:
        raise ValueError("--learner needs a name, such as ppo")
    return launch.run_named(named[0], named[1:])
