"""Train a policy with the PPO of sb3-contrib or RLlib, or resume a training run."""

import argparse

from mindup_arena.ray_cluster import LOCAL
from mindup_env.extras import require
from mindup_training.arguments import add_run_options, add_section, add_settings, given_settings

LIBRARIES = ("matplotlib", "rich", "sb3_contrib", "scipy", "tensorboard", "torch")


def configure(parser: argparse.ArgumentParser) -> None:
    add_run_options(parser, preset_default="quick")
    add_settings(parser)
    add_section(parser, "self_play")
    rllib = add_section(parser, "rllib")
    rllib.add_argument(
        "--address",
        default=LOCAL,
        help="address of a Ray cluster: auto for the one on this machine, or ray://HOST:10001 "
        "(default: start Ray on this machine); it does not change the result, and a resumed run "
        "may use another",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("training", "train", *LIBRARIES)
    # PyTorch takes seconds to load, and the other commands do without it.
    from mindup_training.launch import resume_run, start_run  # noqa: PLC0415

    given = given_settings(arguments)
    if arguments.resume:
        if given or arguments.out:
            raise ValueError(
                "--resume can only be combined with --address: a run keeps the settings that it "
                "began with"
            )
        resume_run(arguments.resume, arguments.address)
    else:
        start_run(arguments.preset, given, arguments.out, arguments.address)
    return 0
