"""Damaged files of runs and arenas are read, repaired or refused in words."""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from mindup_arena import ArenaSettings, run_arena
from mindup_env import GameConfig
from mindup_env.runs.run_folder import RunFolder
from mindup_training.learners.sb3.learner import Sb3Learner
from mindup_training.settings import TrainSettings
from mindup_training.train.checkpoint import load_last_checkpoint, save_checkpoint
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import mutated, mutated_plain
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile

ARENA = ArenaSettings(("random", "lowest"), GameConfig(2, num_rounds=1), deals=4, chunk_deals=2)
RUN = TrainSettings().changed({
    "players": 2,
    "widths": [4, 4, 4],
    "game": {"num_rounds": 1, "hand_size": 3},
    "ppo": {"num_envs": 4, "batch_size": 8},
    "threads": 1,
})  # fmt: skip


def test_any_description_of_an_arena_is_read_or_refused(attempts: Attempts, tmp_path: Path) -> None:
    run_arena(ARENA, folder=tmp_path)
    path = tmp_path / "run.json"
    text = path.read_bytes()
    for random in attempts:
        for _ in range(20):
            attempts.inputs += 1
            plain = mutated_plain(random, json.loads(text))
            as_bytes = random.random() < 0.5
            path.write_bytes(
                mutated(random, text) if as_bytes else json.dumps(plain, default=repr).encode()
            )
            result_or_refusal(partial(RunFolder.read, tmp_path, "arena", ArenaSettings))


def test_any_damage_of_a_checkpoint_is_found(attempts: Attempts, tmp_path: Path) -> None:
    learner = Sb3Learner(RUN)
    learner.learn(1.0)
    folder, state = tmp_path / "checkpoints", learner.state()
    for random in attempts:
        for _ in range(3):
            attempts.inputs += 1
            shutil.rmtree(folder, ignore_errors=True)
            save_checkpoint(folder, state)
            (path,) = folder.glob("*.json")
            path = path.with_suffix(random.choice([".json", ".safetensors"]))
            path.write_bytes(mutated(random, path.read_bytes()))
            found = load_last_checkpoint(folder)
            assert found is None or found.plain == state.plain
    learner.restore(state)
    learner.learn(1.0)
