"""pandas: the decisions of a dataset as a table, and what the cards of a bot bring it.

    python dataset_table.py --bot greedy --deals 200

Parts of the observation become columns by their names in ``Layout``.
"""

import argparse
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mindup_env import Layout
from mindup_training.dataset import DatasetSettings, make_dataset, read_dataset


def read_table(folder: Path) -> Any:
    """A row for each decision, as a DataFrame."""
    import pandas as pd  # noqa: PLC0415  # optional

    dataset, tables = read_dataset(folder), []
    for chunk in dataset.chunks():
        views = Layout(dataset.settings.config).views(chunk.observation)
        columns = {
            "round": views["round"],
            "turn": views["turn"],
            "cards_held": views["hand"].sum(axis=2),
            "card": chunk.action + 1,
            "lowest_prize": (views["row"] > 0).argmax(axis=2) + 1,
            "points": chunk.reward,
            "return": chunk.returns,
        }
        tables.append(pd.DataFrame({name: each.ravel() for name, each in columns.items()}))
    return pd.concat(tables, ignore_index=True)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--deals", type=int, default=200)
    given = parser.parse_args(words)
    if find_spec("pandas") is None:
        print("skipped: pandas is not installed")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "dataset"
        make_dataset(DatasetSettings((given.bot,), deals=given.deals, reward="score"), folder)
        table = read_table(folder)
    by_turn = table.groupby(["round", "turn"])[["card", "points", "return"]].mean().round(2)
    print(f"{len(table)} decisions of {given.bot}\n{by_turn}")


if __name__ == "__main__":
    main()
