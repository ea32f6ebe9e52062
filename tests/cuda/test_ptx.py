"""Every kernel becomes machine code of GPUs, which keeps all that a thread needs in registers."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.processes import ROOT

pytestmark = pytest.mark.skipif(
    find_spec("numba_cuda") is None, reason="numba-cuda is not installed; run by make test-cuda"
)

KERNELS = {
    *("choose_at_random", "copy_games", "deal_games", "deal_next_games", "observe_games"),
    *("play_at_random", "play_turns", "redeal_finished", "write_states"),
    *("fill_plain_slots", "fill_plain_tables", "read_rows"),
}


@pytest.mark.parametrize("capability", ["7.5", "9.0"])
def test_no_kernel_keeps_registers_in_memory_or_fuses_roundings(capability: str) -> None:
    words = [sys.executable, "-m", "tools.ptx", "--capability", capability]
    table = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert {name.strip("`") for name, *_ in rows} == KERNELS
    for name, registers, stack, spilled, fused in rows:
        assert 0 < int(registers) <= 128 and stack == spilled == fused == "0", name
