"""Programs that misbehave at random seats fail at these, or are given up; nothing stays behind."""

from pathlib import Path

import numpy as np
import pytest
from numpy.random import Generator

from mindup_agents.process import ProcessBot
from mindup_env import GameConfig
from mindup_env.agent import FailedRowsError, RestOfSpec
from tests.agents.positions import stages
from tests.agents.process.programs import program

CONFIG = GameConfig(3)
FINE = 9
MOST_FILES = 100
MISBEHAVE = """
for index, seat in enumerate(seats):
    kind = seat["random_bits"] % 10
    if kind == 0: os.kill(os.getpid(), 9)
    if kind == 1: print("{" * 10)
    if kind == 2: answer["id"] += 1
    if kind == 3: answer["cards"].append(1)
    if kind == 4: answer["cards"][index] = 0
    if kind == 5: sys.stdout.write("x" * 3_000_000)
    if kind == 6: sys.exit("end")
    if kind == 7: os.close(1)
    if kind == 8: answer["cards"][index] = None
"""


@pytest.fixture
def agent(tmp_path: Path) -> ProcessBot:
    return ProcessBot(CONFIG, RestOfSpec(program(tmp_path, MISBEHAVE)))


def test_only_seats_that_misbehave_fail(agent: ProcessBot, random: Generator) -> None:
    arguments = stages(CONFIG)
    lowest = arguments.action_mask.argmax(axis=1)
    alone = 0
    for _ in range(20):
        kinds = np.where(random.random(len(lowest)) < 0.1, random.integers(0, 9, len(lowest)), FINE)
        bits = (kinds.astype(np.uint64) + np.uint64(10)) << np.uint64(11)
        reasons: dict[int, str] = {}
        try:
            actions = agent.act(*arguments._replace(random_bits=bits))
        except FailedRowsError as error:
            actions, reasons = error.actions, error.reasons
        fine = [row for row in range(len(lowest)) if row not in reasons]
        assert np.array_equal(actions[fine], lowest[fine])
        assert not any("\n" in reason for reason in reasons.values())
        assert (kinds[fine] == FINE).all()
        alone += len(fine) == (kinds == FINE).sum()
    assert alone >= 9, "most failures are of these seats alone"
    assert len(list(Path("/proc/self/fd").iterdir())) < MOST_FILES
