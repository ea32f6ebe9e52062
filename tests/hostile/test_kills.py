"""Commands that are killed and resumed end in the files of an unbroken run."""

import time
from pathlib import Path

import pytest

from mindup_training.loggers.csv_files import read_csv_log
from tests.hostile.conftest import Attempts
from tests.hostile.kills import run, run_with_kills, same_files, unexpected_files
from tests.training.runs import PRESET, TIMED

pytestmark = pytest.mark.hostile

ARENA = "arena random lowest greedy --players 3 --rounds 1 --deals 700 --workers 2 --out out"
TRAIN = "train --preset preset.toml --self-play --threads 1 --out out"
EXPLOIT = (
    "exploit lowest --preset preset.toml --minutes 0 --threads 1 --players 2 --deals 300 --out out"
)
DATASET = "dataset random greedy --players 3 --rounds 1 --deals 700 --workers 2 --out out"
EXPERIMENT = "experiment preset.toml --seeds 2 --evaluation-deals 2 --workers 2 --out out"
COMMANDS = {
    "arena": (ARENA, ["results/*.json", "*.json"]),
    "dataset": (DATASET, ["data/*", "*.json", "*.md"]),
    "experiment": (EXPERIMENT, ["report.*", "*.png", "*.csv", "data/*", "marl_eval.json"]),
    "train": (TRAIN, ["policy.safetensors", "snapshots/*", "checkpoints/*.safetensors"]),
    "exploit": (EXPLOIT, ["policy.safetensors", "exploit.json", "checkpoints/*.safetensors"]),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_command_ends_as_if_it_had_not_been(
    name: str, attempts: Attempts, tmp_path: Path
) -> None:
    command, patterns = COMMANDS[name]
    unbroken = prepared(tmp_path / "unbroken")
    run(unbroken, command.split())
    start = time.monotonic()
    run(prepared(tmp_path / "warm"), command.split())
    seconds = time.monotonic() - start
    expected = same_files(unbroken, patterns), figures(unbroken)
    assert expected[0] and not unexpected_files(unbroken)
    for number, random in enumerate(attempts):
        folder = prepared(tmp_path / str(number))
        attempts.inputs += run_with_kills(random, folder, command.split(), name, seconds)
        assert (same_files(folder, patterns), figures(folder)) == expected
        assert not unexpected_files(folder)


def prepared(folder: Path) -> Path:
    folder.mkdir()
    (folder / "preset.toml").write_text(PRESET)
    return folder


def figures(folder: Path) -> list[dict[str, str]]:
    """All recorded figures but those of the clock."""
    files = folder / "out" / "metrics.csv", folder / "out" / "evaluations.csv"
    rows = [row for file in files for row in read_csv_log(file)]
    return [{name: row[name] for name in row if name != TIMED} for row in rows]
