"""The figures of a run as CSV, also as older versions have left them."""

from pathlib import Path

import pytest

from mindup_training.loggers.csv_files import CsvLog, read_csv_log

HEADER = "timesteps,games/return,loss\n"
TWO_PROCESSES = (
    HEADER
    + "100,0.5,1\n200,0.25,2\n100,0.5,1\n"
    + HEADER  # of the second process, which found an empty file
    + "200,0.25,3\n300,0.125,4\n300,0.125,4\n400,0.0625"
)


def test_a_file_of_two_processes_is_repaired_up_to_the_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text(TWO_PROCESSES)
    assert [(row["timesteps"], row["loss"]) for row in read_csv_log(path)] == [
        ("100", "1"), ("200", "2"), ("300", "4")
    ]  # fmt: skip
    CsvLog(path, 200).add(300, {"games/return": 0.125, "loss": 5})
    assert path.read_text() == HEADER + "100,0.5,1\n200,0.25,2\n300,0.125,5\n"


def test_each_opponent_has_a_row_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "evaluations.csv"
    rows = ["0,b,0.5,0.4,0.6", "0,a,0.4,0.3,0.5"]
    text = "\n".join(["timesteps,opponent,value,low,high", *rows, *rows, "5,b,1,1,1"]) + "\n"
    path.write_text(text)
    CsvLog(path, 0)
    assert path.read_text().splitlines()[1:] == rows


@pytest.mark.parametrize(
    "damage",
    ["", "\n", "loss\n1\n", HEADER, HEADER + "1", HEADER + "x,1,2\n", HEADER + "1,2\n",
     HEADER + "-1,2,3\n", HEADER + "1.5,2,3\n", HEADER + "1,2,3,4\n", "\0\0\0\n", '"\n' * 3],
    ids=repr,
)  # fmt: skip
def test_damaged_rows_are_left_out(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text(damage)
    assert read_csv_log(path) == []
    CsvLog(path, 100).add(100, {"games/return": 0.5, "loss": 2})
    assert path.read_text() == HEADER + "100,0.5,2\n"


def test_bytes_that_are_no_text_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_bytes(HEADER.encode() + b"100,\xff\xfe,1\n200,1,2\n")
    assert [row["timesteps"] for row in read_csv_log(path)] == ["200"]
