"""Imitation in plain PyTorch: a dataset of the bot greedy, and a network fitted to its cards.

``python imitate.py --deals 2000`` writes the dataset to a folder and reads it with the library
datasets, with pyarrow or with NumPy, whichever is installed.
"""

import argparse
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from mindup_env import GameConfig
from mindup_training.dataset import DatasetSettings, make_dataset

CONFIG = GameConfig(num_players=4)
COLUMNS = {
    "deal": np.int32,
    "observation_bits": np.uint8,
    "observation_numbers": np.int8,
    "action_mask": np.uint8,
    "action": np.int8,
}
BATCH_SIZE, LEARNING_RATE = 256, 2e-3

Columns = dict[str, npt.NDArray[Any]]


def read(folder: Path) -> Columns:
    """The columns of all files: numbers (N,), and arrays (N, size)."""
    files = sorted(map(str, (folder / "data").iterdir()))
    if files[0].endswith(".npz"):
        chunks = [np.load(file, allow_pickle=False) for file in files]
        return {name: np.concatenate([chunk[name] for chunk in chunks]) for name in COLUMNS}
    if find_spec("datasets"):
        from datasets import load_dataset  # noqa: PLC0415

        cache = str(folder / "cache")
        rows = load_dataset("parquet", data_files=files, split="train", cache_dir=cache)
        table = rows.with_format("arrow")[:]
    else:
        from pyarrow import parquet  # noqa: PLC0415

        table = parquet.read_table(folder / "data", columns=list(COLUMNS))
    return {name: to_array(table[name].to_pylist(), kind) for name, kind in COLUMNS.items()}


def to_array(values: list[int] | list[bytes], kind: type) -> npt.NDArray[Any]:
    """The array of a row is stored as its bytes."""
    if isinstance(values[0], bytes):
        return np.stack([np.frombuffer(each, kind) for each in values])
    return np.array(values, kind)


def fit(columns: Columns, epochs: int) -> tuple[float, float]:
    """The log loss of greedy's card in every tenth deal, and that of uniformly random cards."""
    bits = np.unpackbits(columns["observation_bits"], axis=1)  # 1 for each entry that is not 0
    observation = torch.tensor(np.hstack([bits, columns["observation_numbers"]])).float()
    mask = np.unpackbits(columns["action_mask"], axis=1, count=CONFIG.num_cards)
    legal, action = torch.tensor(mask == 1), torch.tensor(columns["action"]).long()
    held_out = torch.tensor(columns["deal"] % 10 == 0)
    network = nn.Sequential(nn.LazyLinear(256), nn.ReLU(), nn.Linear(256, CONFIG.num_cards))
    network(observation[:1])  # sets the size of the first layer
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE)

    def log_loss(rows: torch.Tensor) -> torch.Tensor:
        logits = network(observation[rows]).masked_fill(~legal[rows], -1e8)
        return nn.functional.cross_entropy(logits, action[rows])

    learned = (~held_out).nonzero().squeeze(1)
    for _ in range(epochs):
        for batch in torch.split(learned[torch.randperm(len(learned))], BATCH_SIZE):
            optimizer.zero_grad()
            torch.autograd.backward(log_loss(batch))
            optimizer.step()
    with torch.no_grad():
        uniform = legal[held_out].sum(dim=1).float().log().mean()
        return float(log_loss(held_out)), float(uniform)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--format", choices=["parquet", "npz"], default="npz")
    given = parser.parse_args(words)
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        settings = DatasetSettings(("greedy",), CONFIG, deals=given.deals, format=given.format)
        make_dataset(settings, Path(folder))
        loss, uniform = fit(read(Path(folder)), given.epochs)
    print(f"log loss of greedy's card: {loss:.3f}; of uniformly random cards: {uniform:.3f}")


if __name__ == "__main__":
    main()
