"""Make the report of an experiment again, or that of several with different seeds together.

Example: mindup experiment report runs/a runs/b --out runs/both
"""

import argparse
from pathlib import Path

from mindup_env.settings.extras import require
from mindup_training.api import LIBRARIES
from mindup_training.experiment.report_files import print_experiment
from mindup_training.experiment.run import report_folders


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("folders", nargs="+", type=Path, metavar="DIR", help="folder of an experiment")
    add(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder of the report (default: that of the only experiment)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("an experiment", "train", *LIBRARIES)
    print_experiment(report_folders(arguments.folders, arguments.out))
    return 0
