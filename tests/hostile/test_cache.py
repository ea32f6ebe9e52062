"""Whatever a file of compiled code holds, the function gives its result."""

import warnings
from pathlib import Path

import pytest

from mindup_env.engine import code_cache
from tests.code_cache import ANSWER, call_in_new_dispatcher
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import mutated

pytestmark = pytest.mark.hostile


def test_any_bytes_in_a_file_are_discarded_or_right(attempts: Attempts, tmp_path: Path) -> None:
    folder = tmp_path / "code"
    code_cache.make_private_folder(folder)
    call_in_new_dispatcher(folder)
    (file,) = folder.iterdir()
    intact = file.read_bytes()
    for random in attempts:
        attempts.inputs += 1
        cut = int(random.integers(0, len(intact) + 1)) if random.random() < 0.2 else None
        content = mutated(random, intact)[:cut]
        file.write_bytes(content)
        code_cache.warn_once.cache_clear()
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            answer, hits = call_in_new_dispatcher(folder)
        assert (answer, hits, len(warned)) == (ANSWER, content == intact, content != intact)
    code_cache.warn_once.cache_clear()
