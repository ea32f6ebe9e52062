"""Measurements of speed."""

from collections.abc import Iterator
from itertools import repeat
from types import SimpleNamespace

import pytest

import mindup_cli
from mindup_env import bench


def test_the_table_has_a_line_for_each_api(capsys: pytest.CaptureFixture[str]) -> None:
    words = "bench --players 3 --num-envs 1 150 --seconds 0.01"
    assert mindup_cli.main(words.split()) == 0
    processor, empty, *lines = capsys.readouterr().out.splitlines()
    assert processor == bench.processor() != "" and empty == ""
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert table[:2] == [["", "players", "1 game", "150 games"], ["---"] * 4]
    names = [name for name, *_ in table[2:]]
    own = ["`BatchEnv`", "`make_vec`", "`parallel_env`"]
    assert [name.split(",")[0] for name in names[:3]] == own
    assert {"OpenSpiel, goofspiel", "OpenSpiel's vector environment, leduc"} <= {*names}
    for name, _, one, many in table[2:]:
        is_of_both = name.startswith(("`BatchEnv`", "`make_vec`"))
        assert is_of_both == bool(one and many), name
        assert all(int(speed.replace(",", "")) > 0 for speed in (one, many) if speed)


def test_a_speed_is_that_of_the_best_period(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks: Iterator[float] = iter([0, 3, 3, 4, 4, 6, 6, 8, 8, 9])
    clock = SimpleNamespace(perf_counter=lambda: next(ticks))
    monkeypatch.setattr(bench, "time", clock)
    assert bench.speed_of(repeat(10), 0.5) == 10.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("bench --num-envs 0", "mindup: num_envs must be 1 to 1048576, not 0\n"),
        ("bench --players 7", "mindup: players must be 2 to 6, not 7\n"),
        ("bench --seconds 0", "mindup: seconds must be a number above 0, not 0.0\n"),
        ("bench --seconds nan", "mindup: seconds must be a number above 0, not nan\n"),
    ],
)
def test_numbers_out_of_range_are_refused(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mindup_cli.main(words.split()) == 2
    assert capsys.readouterr().err == said
