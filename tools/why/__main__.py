"""Measures what docs/results/why lacks; entries that are there are not measured again.

python -m tools.why [STUDY ...]
"""

import argparse

from tools.why import (
    cycles,
    exact,
    hyperparameters,
    information,
    learning,
    luck,
    simultaneity,
    size,
)
from tools.why.study import measure

STUDIES = {
    "size": size.entries,
    "luck": luck.entries,
    "information": information.entries,
    "simultaneity": simultaneity.entries,
    "hyperparameters": hyperparameters.entries,
    "learning": learning.entries,
    "cycles": cycles.entries,
    "exact": exact.entries,
}
"""Learning needs the hyperparameters, and cycles the policies of learning."""


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"of {', '.join(STUDIES)}")
    parser.add_argument("--workers", type=int, default=1, help="entries at a time (default 1)")
    arguments = parser.parse_args(words)
    studies = arguments.studies or [*STUDIES]
    for study in studies:
        if study not in STUDIES:
            parser.error(f"there is no study {study!r}; available: {', '.join(STUDIES)}")
    for study in studies:
        measure(study, STUDIES[study](), arguments.workers)


if __name__ == "__main__":
    main()
