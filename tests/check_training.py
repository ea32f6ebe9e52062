"""Checks that the policy of a run is as strong as any healthy one: tests/check_training.py RUN."""

import json
import sys
from pathlib import Path

LEAST = {"random": 80, "greedy": 50, "planner": 25}
"""Win shares in %, alone against copies of each bot; an equal share is 25."""


def main(run: Path) -> int:
    report = json.loads((run / "arena.json").read_text(encoding="utf-8"))
    duels = report["cross_table"]
    found = {each["field"]: each["win_share"] for each in duels if each["one"] not in LEAST}
    for bot, least in LEAST.items():
        print(f"win share against three {bot}: {found[bot]:.1f} %, at least {least}")
    return int(any(found[bot] < least for bot, least in LEAST.items()))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
