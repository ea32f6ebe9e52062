"""What trainings print of their evaluations."""

from pathlib import Path

import pytest

from mindup_arena import Estimate
from mindup_training import progress


@pytest.mark.parametrize("number", range(1, 8))
def test_lines_are_shorter_than_a_terminal_and_keep_numbers_apart(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "save_figure", lambda *_: None)
    shown = progress.Progress(tmp_path, [f"search:worlds={bot}" for bot in range(number)], 4)
    shown.begin()
    shown.add(0, 1, 0.0, [Estimate(0.25, 0.2, 0.3)] * number)
    shown.add(10**6, 0.25, 9000.0, [Estimate(1.0, 0.9876, 1.0)] * number)
    about, head, first, last = capsys.readouterr().out.splitlines()
    assert max(map(len, (about, head, first, last))) < 80
    assert head.split()[:3] == ["decisions", "time", "left"] and len(head.split()) == 3 + number
    assert last.split()[:3] == ["1,000,000", "50", "min"] and first.split()[0] == "0"
    assert last.split().count("100.0") == number
    assert ("(98.8..100.0)" in last) == (number <= 3)
