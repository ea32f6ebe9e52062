"""The table of speeds by the number of threads."""

from typing import Any

import pytest

from tools.tables import reports, results

SPEEDS = {1: 1000.0, 2: 1900.0, 8: 4000.0}


def with_threads(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a report as if each had been measured with each number of threads."""
    return [
        {**row, "threads": number, "decisions_per_second": speed}
        for row in rows
        if row["threads"] == 1
        for number, speed in SPEEDS.items()
    ]


def test_a_report_with_several_numbers_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    read = reports.report

    def report(name: str) -> Any:
        return with_threads(read(name)) if name.endswith("-threads") else read(name)

    monkeypatch.setattr(results, "report", report)
    head, _, *lines = results.thread_speed().splitlines()
    assert head == "| threads | 1 | 2 | 8 |"
    assert len(lines) == 3 * 2 + len(results.LEARNERS)
    assert all(line.endswith("| 1,000 | 1,900 | 4,000 |") for line in lines)
    text = results.commands()
    for name, threads in (("env", ""), ("env-threads", " --threads 1 2 8"), ("engine", "")):
        command = f"`mindup bench {name.split('-')[0]}{threads} --json FILE`"
        assert f"| `bench-{name}.json` | {command} |" in text
