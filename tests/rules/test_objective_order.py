"""An objective's words and its compiled condition belong together by id, in any order."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from mindup_env import OBJECTIVES, Game, Objective
from mindup_env.engine import conditions, kernels
from mindup_env.objectives import OBJECTIVE_INDEX

SEEDS = range(12)

# Imports the package as if its objectives were listed in the reverse order.
REVERSED = """
import json, sys, types
from pathlib import Path

source = Path(sys.argv[1]).read_text(encoding="utf-8")
mark = "NUM_OBJECTIVES = "
assert mark in source
objectives = types.ModuleType("mindup_env.objectives")
sys.modules[objectives.__name__] = objectives
exec(source.replace(mark, "OBJECTIVES = OBJECTIVES[::-1]\\n" + mark), vars(objectives))
from mindup_env import OBJECTIVES
from tests.rules.test_objective_order import met_by_id
print(json.dumps([OBJECTIVES[0].id, met_by_id()]))
"""


def met_by_id() -> list[list[str]]:
    """The ids of the objectives that each player meets in some games."""
    known, met, ranks = np.zeros((3, 1, 4), np.int64)
    ids = []
    for seed in SEEDS:
        game = Game(seed=seed)
        for _ in range(game.config.hand_size - 2):
            game.play([game.hand(player)[0] for player in range(4)])
        kernels.read_seats(game._batch.arrays, known, met, ranks)
        ids += [
            sorted(id_ for id_, index in OBJECTIVE_INDEX.items() if members >> index & 1)
            for members in met[0].tolist()
        ]
    return ids


def test_conditions_follow_their_ids_in_another_order() -> None:
    done = subprocess.run(
        [sys.executable, "-c", REVERSED, str(sys.modules["mindup_env.objectives"].__file__)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    first, met = json.loads(done.stdout)
    assert first == OBJECTIVES[-1].id
    assert met == met_by_id()
    assert len({id_ for ids in met for id_ in ids}) > 10


@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda objective: objective.id)
def test_every_objective_has_a_condition_of_its_name(objective: Objective) -> None:
    assert getattr(conditions, objective.id.upper()) == OBJECTIVE_INDEX[objective.id]


def test_objectives_of_a_letter_are_adjacent() -> None:
    letters = [objective.letter for objective in OBJECTIVES]
    assert letters[::2] == letters[1::2]
    assert len(set(letters)) == len(letters) // 2
