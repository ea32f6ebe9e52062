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
from mindup_training.run_folder import RunFolder as TrainFolder
from mindup_training.settings import TrainSettings
from mindup_training.train.checkpoint import load_last_checkpoint, save_checkpoint
from mindup_training.train.loop import restore
from mindup_training.train.progress import TrainingClock
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


def test_any_checkpoint_is_resumed_from_or_refused(attempts: Attempts, tmp_path: Path) -> None:
    learner = Sb3Learner(RUN)
    learner.learn(1.0)
    run = TrainFolder.create(tmp_path / "run", RUN, ["train"])
    state = learner.state()
    state.plain.update(seconds=1.0, snapshots=[])
    clock = TrainingClock(RUN)
    for random in attempts:
        for _ in range(3):
            attempts.inputs += 1
            shutil.rmtree(run.checkpoints, ignore_errors=True)
            save_checkpoint(run.checkpoints, state)
            (path,) = run.checkpoints.glob("*.json")
            if random.random() < 0.5:
                path = path.with_suffix(random.choice([".json", ".safetensors"]))
                path.write_bytes(mutated(random, path.read_bytes()))
                found = load_last_checkpoint(run.checkpoints)
                assert found is None or found.plain == state.plain, "damage is found"
                continue
            plain = json.loads(path.read_text())
            del plain["sha256_of_plain"]  # as in the first versions, which do not find the damage
            path.write_text(json.dumps(mutated_plain(random, plain), default=repr))
            found = load_last_checkpoint(run.checkpoints)
            if found is not None:
                result_or_refusal(partial(restore, run, found, learner, clock))
    restore(run, state, learner, clock)
    learner.learn(1.0)
