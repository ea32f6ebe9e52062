"""The study of exact exploitability, and its tables."""

from pathlib import Path

import pytest

from mindup_env.variants import VARIANTS
from tools.tables import exact as tables
from tools.tables.reports import report
from tools.why import exact


def test_the_study_measures_learners_over_their_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(exact, "ROLLOUTS", 2)
    entries = exact.entries()
    names = [f"2p-1t, {name}" for name in ("size", "lowest", "CFR+", "MMD")]
    found = {name: entries[name]() for name in names}
    first, *_, last = (each["exploitability"] for each in found["2p-1t, CFR+"]["points"])
    assert last < first / 100
    assert found["2p-1t, lowest"] == report("why/exact")["2p-1t, lowest"]
    first, *_, last = (each["decisions"] for each in found["2p-1t, MMD"]["points"])
    assert (first, last) == (0, 2 * 2 * 128)
    monkeypatch.setattr(tables, "VARIANTS", {"2p-1t": VARIANTS["2p-1t"]})
    monkeypatch.setattr(tables, "report", lambda _: found)
    *_, first_row, _, last_row = tables.exact_players().splitlines()
    assert first_row.startswith("| `lowest` | ") and last_row.startswith("| CFR+ | 0.0")


def test_the_published_report_has_every_player_of_every_game() -> None:
    assert report("why/exact").keys() == exact.entries().keys()
