"""Train a policy with the PPO of sb3-contrib or another learner, resume a run, or imitate bots."""

import argparse
from pathlib import Path
from typing import Any

from mindup_arena.ray_cluster import LOCAL
from mindup_env.settings.command_line import add_options, flag, given_options
from mindup_env.settings.declaration import options_of
from mindup_env.settings.extras import require
from mindup_training.api import LIBRARIES
from mindup_training.imitation.config import ImitationConfig
from mindup_training.settings import TrainSettings
from mindup_training.settings.options import add_run_options, add_settings, given_settings

_PRESET = "quick"
_OF_IMITATION = "bots", "start", "held_out", "policy_target", "policy_coef", "value_target"
"""The options that only an imitation has; the others are also those of PPO."""


def configure(parser: argparse.ArgumentParser) -> None:
    add_run_options(parser, preset_default=_PRESET)
    parser.add_argument(
        "--learner",
        nargs=argparse.REMAINDER,
        metavar=("NAME", "OPTION"),
        help="train with another learner: ppo, dqn, or module:Class; all options after its name "
        "are its own: --learner ppo --help",
    )
    add_settings(parser, TrainSettings)
    parser.add_argument(
        "--address",
        default=LOCAL,
        help="address of a Ray cluster for --rllib: auto for the one on this machine, or "
        "ray://HOST:10001 (default: start Ray on this machine); it does not change the result, and "
        "a resumed run may use another",
    )
    _add_imitation(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("training", "train", *LIBRARIES)
    given = given_settings(arguments, TrainSettings)
    # PyTorch takes seconds to load, and the other commands do without it.
    if arguments.imitate:
        from mindup_training.imitation.run import run as imitate  # noqa: PLC0415

        _check_imitation(arguments, given)
        return imitate(arguments)
    from mindup_training.launch import resume_run, run_named, start_run  # noqa: PLC0415

    only = [name for name in given_options(arguments, ImitationConfig) if name in _OF_IMITATION]
    if only:
        raise ValueError(f"{_flags(only)} can only be combined with --imitate: add --imitate DIR")
    if arguments.learner is not None:
        if given or arguments.out or arguments.resume or arguments.preset != _PRESET:
            raise ValueError("--learner NAME must come first: the options after it are its own")
        if not arguments.learner:
            raise ValueError("--learner needs a name, such as ppo")
        name, *words = arguments.learner
        return run_named(name, words)
    if arguments.resume:
        timesteps = given.pop("timesteps", None)
        if given or arguments.out:
            raise ValueError(
                "--resume can only be combined with --address, and with --timesteps to extend a "
                "finished run: a run keeps the settings that it began with"
            )
        return resume_run(arguments.resume, arguments.address, timesteps)
    return start_run(arguments.preset, given, arguments.out, arguments.address)


def _add_imitation(parser: argparse.ArgumentParser) -> None:
    shared = [name for name in options_of(ImitationConfig) if name not in _OF_IMITATION]
    group = parser.add_argument_group(
        "imitation",
        f"also takes --out {_flags(shared)}, whose defaults are other ones; "
        "docs/datasets.md has them",
    )
    group.add_argument(
        "--imitate",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="fit a policy to the datasets in these folders, instead of training by PPO",
    )
    add_options(group, ImitationConfig, names=_OF_IMITATION)


def _check_imitation(arguments: argparse.Namespace, given: dict[str, Any]) -> None:
    """Refuses options that mean nothing to an imitation."""
    accepted = options_of(ImitationConfig)
    flat = {**given, **given.get("ppo", {})}
    wrong = [flag(name) for name in flat if name not in (*accepted, "ppo")]
    wrong += ["--preset"] * (arguments.preset != _PRESET) + ["--resume"] * bool(arguments.resume)
    wrong += ["--address"] * (arguments.address != LOCAL)
    if wrong:
        raise ValueError(
            f"--imitate cannot be combined with {' '.join(wrong)}: it takes --out, "
            f"{', '.join(map(flag, accepted))}"
        )


def _flags(names: list[str]) -> str:
    return " ".join(map(flag, names))
