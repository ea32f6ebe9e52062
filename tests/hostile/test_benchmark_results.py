"""Results of the benchmark: damaged ones are refused in words, or give a page."""

from functools import partial
from pathlib import Path

import pytest

from mindup_arena.benchmark.result_file import from_dict, read_result, to_dict, write_result
from mindup_arena.leaderboard.board import benchmark_board
from mindup_arena.leaderboard.page import board_page
from tests.arena.benchmark_results import made_result
from tests.game_origins import through_json
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import mutated, mutated_plain
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile


def test_a_damaged_result_is_refused_or_gives_a_page(attempts: Attempts) -> None:
    plain = through_json(to_dict(made_result("greedy")))
    for random in attempts:
        attempts.inputs += 1
        part = str(random.choice(list(plain)))
        result = result_or_refusal(
            partial(from_dict, {**plain, part: mutated_plain(random, plain[part])})
        )
        if result is not None:
            assert board_page(benchmark_board([result]), {}).encode()


def test_a_damaged_file_is_refused_or_gives_a_page(attempts: Attempts, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_result(path, made_result("mybot:Bot", records=()))
    data = path.read_bytes()
    for random in attempts:
        attempts.inputs += 1
        path.write_bytes(mutated(random, data))
        result = result_or_refusal(partial(read_result, path), naming=str(path))
        if result is not None:
            assert board_page(benchmark_board([result]), {}).encode()
