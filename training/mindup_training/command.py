"""Learn a bidding policy against random players, and write it to a file."""

import argparse
import json
import shlex
import sys
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mindup_agents.linear import FEATURES
from mindup_env.files import write_text
from mindup_training.cross_entropy import Progress, Settings, learn


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, default=4, help="at the table (default 4)")
    parser.add_argument("--generations", type=int, default=30, help="steps (default 30)")
    parser.add_argument("--seed", type=int, default=0, help="decides everything (default 0)")
    parser.add_argument(
        "--out", type=Path, default=Path("runs/linear.json"), help="default runs/linear.json"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = Settings(arguments.players, arguments.generations, seed=arguments.seed)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    print(f"win share against random players, {100 / settings.players:.0f} % = equal")
    for progress in learn(settings):
        print(_line(progress, settings), flush=True)
        write_text(arguments.out, json.dumps(_saved(progress, settings), indent=2) + "\n")
    print(f"the policy is in {arguments.out}")
    return 0


def _line(progress: Progress, settings: Settings) -> str:
    return (
        f"generation {progress.generation:>3} of {settings.generations}   "
        f"win share {100 * progress.win_share:5.1f} +- {100 * progress.win_share_error:.1f} %   "
        f"score margin {progress.margin:+.2f}"
    )


def _saved(progress: Progress, settings: Settings) -> dict[str, Any]:
    return {
        "weights": dict(zip(FEATURES, progress.weights.tolist(), strict=True)),
        "generation": progress.generation,
        "win_share": progress.win_share,
        "win_share_error": progress.win_share_error,
        "settings": asdict(settings),
        "command": shlex.join(["mindup", *sys.argv[1:]]),
        "mindup_env": version("mindup-env"),
    }
