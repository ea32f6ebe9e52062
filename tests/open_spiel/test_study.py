"""The study of exact exploitability: it measures what its report lacks, and its tables read it."""

import json
from pathlib import Path

import pytest

from mindup_env.open_spiel.exact import ExactGame
from mindup_env.variants import VARIANTS
from tools.tables import exact as tables
from tools.tables.reports import report
from tools.why.exact import BOTS, PLAYERS, TRAINED, main


def test_the_study_measures_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "why" / "exact.json"
    small = "--rollouts", "2", "--out", str(tmp_path / "runs"), "--json", str(path)
    main(["--games", "2p-1t", "--players", "lowest", "CFR+", *small])
    assert "2p-1t CFR+" in capsys.readouterr().out
    main(["--games", "2p-1t", "--players", "lowest", "CFR+", "MMD", *small])
    said = capsys.readouterr().out
    assert "2p-1t MMD" in said and "lowest" not in said
    players = json.loads(path.read_text("utf-8"))["2p-1t"]["players"]
    assert players["CFR+"][-1]["exploitability"] < players["CFR+"][0]["exploitability"] / 100
    assert players["lowest"] == report("why/exact")["2p-1t"]["players"]["lowest"]
    first, *_, last = (each["decisions"] for each in players["MMD"])
    assert (first, last) == (0, 2 * 2 * 128)
    monkeypatch.setattr(tables, "VARIANTS", {"2p-1t": VARIANTS["2p-1t"]})
    monkeypatch.setattr(tables, "report", lambda _: json.loads(path.read_text("utf-8")))
    *_, first_row, _, last_row = tables.exact_players().splitlines()
    assert first_row.startswith("| `lowest` | ") and last_row.startswith("| CFR+ | 0.0")


def test_nfsp_learns() -> None:
    pytest.importorskip("tree", reason="OpenSpiel's NFSP needs dm-tree")
    from tools.why.nfsp import average_strategies  # noqa: PLC0415

    game = ExactGame(VARIANTS["2p-1t"])
    before, after = average_strategies(game, [0, 4000], seed=0)
    assert game.exploitability(after) < game.exploitability(before) - 0.02


def test_the_published_report_has_every_player_of_every_game() -> None:
    for game in VARIANTS:
        players = tables.points(game)
        assert players.keys() <= {*PLAYERS} and {*BOTS, "CFR+"} <= players.keys()
        for name in TRAINED.keys() & players.keys():
            assert players[name][-1]["decisions"] > players[name][0]["decisions"] == 0
