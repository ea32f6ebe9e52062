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


@pytest.fixture
def _several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    read = results.report

    def report(name: str) -> Any:
        return with_threads(read(name)) if name in ("bench-env", "bench-train") else read(name)

    monkeypatch.setattr(results, "report", report)


@pytest.mark.usefixtures("_several_threads")
def test_the_other_tables_are_those_of_one_thread() -> None:
    for text in (results.env_speed(), results.train_speed()):
        assert "1,000" in text
        assert "1,900" not in text and "4,000" not in text


@pytest.mark.usefixtures("_several_threads")
def test_the_headline_names_the_row_with_two_threads() -> None:
    rows = dict(row.strip("| ").split(" | ") for row in results.headline().splitlines()[2:])
    with_two = {title for title, speed in rows.items() if speed == "1,900 decisions/s"}
    assert with_two == {"`BatchEnv` with two threads"}
    assert rows["`BatchEnv`, observations and masks of all seats"] == "1,000 decisions/s"


@pytest.mark.usefixtures("_several_threads")
def test_each_number_of_threads_has_a_column() -> None:
    head, _, *rows = results.thread_speed().splitlines()
    assert head == "| threads | 1 | 2 | 8 |"
    assert len(rows) == 3 * 2 + len(results.LEARNERS)
    assert all(row.endswith("| 1,000 | 1,900 | 4,000 |") for row in rows)


@pytest.mark.usefixtures("_several_threads")
def test_the_command_of_a_report_names_its_threads() -> None:
    text = results.commands()
    assert "`mindup bench env --threads 1 2 8 --json FILE`" in text
    assert "`mindup bench train --threads 1 2 8 --json FILE`" in text
    assert "`mindup bench engine --json FILE`" in text
