"""Measurements of speed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import mindup_cli
from mindup_agents.simple import LowestAgent
from mindup_env import GameConfig, Layout, bench

CONFIG = GameConfig(3)


def rows_of(words: str, folder: Path) -> list[tuple[Any, ...]]:
    """The name, players and games of each line of the file."""
    file = folder / "rows.json"
    assert mindup_cli.main(["bench", *words.split(), "--seconds", "0.01", "--json", str(file)]) == 0
    rows = json.loads(file.read_text())
    assert all(row["decisions_per_second"] > 0 for row in rows)
    return [tuple(row.values())[:3] for row in rows]


def test_it_measures_each_api_and_prints_a_line_for_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = ("engine, no observations", 3, 150), ("BatchEnv", 3, 150), ("make_vec", 3, 150)
    found = rows_of("--players 3 --num-envs 150", tmp_path)
    assert found[:4] == [*own, ("parallel_env", 3, 1)]
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(found)


def test_a_speed_is_that_of_the_best_period(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks: Iterator[float] = iter([0, 0, 3, 3, 3, 4, 4, 4, 6, 6, 6, 8, 8, 8, 9])
    monkeypatch.setattr("time.perf_counter", lambda: next(ticks))
    assert bench.speed_of(lambda: 10, 0.5) == 10.0


def test_a_bot_plays_whole_games_at_the_first_seats(tmp_path: Path) -> None:
    assert rows_of("--bots lowest random --players 3 --num-envs 1 40", tmp_path) == [
        (bot, 3, games) for bot in ("lowest", "random") for games in (1, 40)
    ]
    asked: list[tuple[int, bool]] = []

    class Watched(LowestAgent):
        def act(self, *arguments: Any) -> npt.NDArray[np.integer]:
            observation, _, episode_start, _ = arguments
            rounds = Layout(CONFIG).views(observation)["round"]
            asked.append((len(observation), bool(episode_start.all())))
            assert (rounds == rounds[0]).all() and (rounds[0] == 1) | ~episode_start.any()
            return super().act(*arguments)

    turn = bench.turn_of_bot(Watched(CONFIG), CONFIG, 5)
    assert {turn() for _ in range(2 * CONFIG.num_turns)} == {5}
    assert asked == [(5, turn % CONFIG.num_turns == 0) for turn in range(2 * CONFIG.num_turns)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--num-envs 0", "mindup: num_envs must be 1 to 1048576, not 0\n"),
        ("--seconds inf", "mindup: seconds must be above 0 and at most 3600, not inf\n"),
        ("--players 7", "mindup: players must be 2 to 6, not 7\n"),
    ],
)
def test_numbers_out_of_range_are_refused(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mindup_cli.main(["bench", *words.split()]) == 2
    assert capsys.readouterr().err == said
