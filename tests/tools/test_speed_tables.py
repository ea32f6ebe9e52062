"""The tables of speeds, of reports with several numbers of threads."""

from typing import Any

import pytest

from tools.tables import results

SPEEDS = {1: 1000.0, 2: 1900.0, 8: 4000.0}


def with_threads(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a report as if each had been measured with each number of threads."""
    return [
        {**row, "threads": number, "decisions_per_second": speed}
        for row in rows
        if row["threads"] == 1
        for number, speed in SPEEDS.items()
    ]


def test_reports_with_several_numbers_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    read = results.report

    def report(name: str) -> Any:
        return with_threads(read(name)) if name in ("bench-env", "bench-train") else read(name)

    monkeypatch.setattr(results, "report", report)
    for text in (results.env_speed(), results.train_speed()):
        assert "1,000" in text and "1,900" not in text and "4,000" not in text
    rows = dict(row.strip("| ").split(" | ") for row in results.headline().splitlines()[2:])
    with_two = {title for title, speed in rows.items() if speed == "1,900 decisions/s"}
    assert with_two == {"`BatchEnv` with two threads"}
    assert rows["`BatchEnv`, observations and masks of all seats"] == "1,000 decisions/s"
    head, _, *lines = results.thread_speed().splitlines()
    assert head == "| threads | 1 | 2 | 8 |"
    assert len(lines) == 3 * 2 + len(results.LEARNERS)
    assert all(line.endswith("| 1,000 | 1,900 | 4,000 |") for line in lines)
    text = results.commands()
    for name, threads in (
        ("env", " --threads 1 2 8"),
        ("train", " --threads 1 2 8"),
        ("engine", ""),
    ):
        assert f"`mindup bench {name}{threads} --json FILE`" in text
