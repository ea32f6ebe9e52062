"""Files and descriptions of any content are read or refused in words, by their names."""

import json
import shutil
import struct
import tomllib
import warnings
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.random import Generator

from mindup_agents.policy import PolicyAgent, load_policy, save_policy
from mindup_arena import ArenaSettings, run_arena
from mindup_arena.benchmark.board import benchmark_board
from mindup_arena.benchmark.board_page import board_page
from mindup_arena.benchmark.result_file import from_dict, read_result, to_dict, write_result
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.engine import code_cache
from mindup_env.runs import run_folder
from mindup_env.settings.declaration import from_plain
from mindup_play.saved import SavedGame
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_training.learners.sb3 import Sb3Learner
from mindup_training.run_folder import RunFolder
from mindup_training.settings import TrainSettings
from mindup_training.settings.presets import read_any_preset, read_settings
from mindup_training.trainer.checkpoint import load_last_checkpoint, save_checkpoint
from tests.arena.benchmark_results import made_result
from tests.game_origins import through_json
from tests.hostile.strategies import (
    attack,
    damaged,
    damaged_json,
    damaged_part,
    damaged_plain,
    damaged_text,
    in_json,
    randoms,
    result_or_refusal,
)
from tests.test_code_cache import ANSWER, call_in_new_dispatcher
from tests.training.policies import random_policy

CONFIG = GameConfig(3)
SPECS = ["greedy", "search:simulations=16", "predictor", "random", "policy:no-such-file", "os:path"]
PRESETS = [file.read_bytes() for file in files("mindup_training").joinpath("presets").iterdir()]
SETTINGS = [read_settings(tomllib.loads(preset.decode())) for preset in PRESETS]
SETTINGS.append(TrainSettings().changed({"self_play": {}, "rllib": {}, "game": {"hand_size": 3}}))
EXAMPLES = [*SETTINGS, PlaySettings(seed=1, hints="greedy")]
ARENA = ArenaSettings(("random", "lowest"), GameConfig(2, num_rounds=1), deals=4, chunk_deals=2)
RUN = TrainSettings().changed({
    "players": 2,
    "widths": [4, 4, 4],
    "game": {"num_rounds": 1, "hand_size": 3},
    "ppo": {"num_envs": 4, "batch_size": 8},
    "threads": 1,
})  # fmt: skip


@attack(spec=st.sampled_from(SPECS).flatmap(damaged_text))
def test_a_spec_of_a_bot(spec: str) -> None:
    agent = result_or_refusal(partial(make_agent, spec))
    assert agent is None or callable(agent.act), spec


# Settings and runs


@attack(preset=st.sampled_from(PRESETS).flatmap(damaged))
def test_a_preset(tmp_path: Path, preset: bytes) -> None:
    path = tmp_path / "preset.toml"
    path.write_bytes(preset)
    found = result_or_refusal(partial(read_any_preset, str(path)))
    assert found is None or from_plain(type(found), through_json(found.to_dict())) == found


@attack(example=st.sampled_from(EXAMPLES), data=st.data())
def test_settings_as_plain_data(example: Any, data: st.DataObject) -> None:
    changed = data.draw(damaged_plain(through_json(example.to_dict())))
    kind = type(example)
    found = result_or_refusal(partial(from_plain, kind, changed))
    assert found is None or from_plain(kind, through_json(found.to_dict())) == found


@pytest.fixture
def training(tmp_path: Path) -> bytes:
    with RunFolder.create(tmp_path / "run", "train", SETTINGS[-1]) as run:
        return (run.path / "run.json").read_bytes()


@attack(data=st.data())
def test_the_description_of_a_training(
    tmp_path: Path, training: bytes, data: st.DataObject
) -> None:
    path = tmp_path / "run"
    (path / "run.json").write_bytes(data.draw(damaged_json(training)))
    found = result_or_refusal(partial(RunFolder.open, path))
    assert found is None or found.resume_command.startswith("mindup ")


@pytest.fixture
def arena(tmp_path: Path) -> bytes:
    run_arena(ARENA, folder=tmp_path)
    return (tmp_path / "run.json").read_bytes()


@attack(data=st.data())
def test_the_description_of_an_arena(tmp_path: Path, arena: bytes, data: st.DataObject) -> None:
    (tmp_path / "run.json").write_bytes(data.draw(damaged_json(arena)))
    result_or_refusal(partial(run_folder.RunFolder.read, tmp_path, "arena", ArenaSettings))


@pytest.fixture
def learner() -> Sb3Learner:
    learner = Sb3Learner(RUN)
    learner.learn(1.0)
    return learner


@attack(data=st.data(), suffix=st.sampled_from([".json", ".safetensors"]))
def test_a_checkpoint(
    tmp_path: Path, learner: Sb3Learner, data: st.DataObject, suffix: str
) -> None:
    folder, state = tmp_path / "checkpoints", learner.state()
    shutil.rmtree(folder, ignore_errors=True)
    save_checkpoint(folder, state)
    (path,) = folder.glob("*.json")
    path = path.with_suffix(suffix)
    path.write_bytes(data.draw(damaged(path.read_bytes())))
    found = load_last_checkpoint(folder)
    assert found is None or found.plain == state.plain


# Policy files, results, saved games, compiled code


@pytest.fixture(scope="session")
def policy_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("policy") / "policy.safetensors"
    save_policy(random_policy(CONFIG, seed=1), path)
    return path.read_bytes()


@attack(data=st.data())
def test_a_policy_file(tmp_path: Path, policy_file: bytes, data: st.DataObject) -> None:
    path = tmp_path / "policy.safetensors"
    path.write_bytes(data.draw(damaged_policy(policy_file)))
    policy = result_or_refusal(partial(load_policy, path))
    agent = policy and result_or_refusal(partial(PolicyAgent.of, policy, CONFIG))
    if agent is not None:
        seen, _ = BatchEnv(CONFIG, 1).reset(seed=0)
        observation, mask = (seen[name][0] for name in ("observation", "action_mask"))
        with np.errstate(all="ignore"):  # weights of 1e38 are finite, their products are not
            actions = agent.act(observation, mask, np.ones(3, np.bool_), np.zeros(3, np.uint64))
        assert mask[np.arange(3), actions].all()


def damaged_policy(intact: bytes) -> st.SearchStrategy[bytes]:
    """Damage to bytes anywhere or in the header, or to the description or the table of tensors."""
    (length,) = struct.unpack("<Q", intact[:8])
    header, tensors = intact[8 : 8 + length], intact[8 + length :]
    plain = json.loads(header)
    description = json.loads(plain["__metadata__"]["mindup"])
    described = in_json(damaged_plain(description)).map(
        lambda text: {**plain, "__metadata__": {**plain["__metadata__"], "mindup": text.decode()}}
    )
    headers = in_json(described | damaged_plain(plain)).map(
        lambda header: struct.pack("<Q", len(header)) + header
    )
    starts = damaged(intact[: 8 + length]) | headers
    return damaged(intact) | starts.map(lambda start: start + tensors)


@attack(plain=damaged_part(through_json(to_dict(made_result("greedy")))))
def test_a_result_of_the_benchmark(plain: Any) -> None:
    result = result_or_refusal(partial(from_dict, plain))
    assert result is None or board_page(benchmark_board([result])).encode()


@pytest.fixture
def result_file(tmp_path: Path) -> bytes:
    write_result(tmp_path / "result.json", made_result("mybot:Bot"))
    return (tmp_path / "result.json").read_bytes()


@attack(data=st.data())
def test_a_file_of_a_result(tmp_path: Path, result_file: bytes, data: st.DataObject) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(data.draw(damaged(result_file)))
    result = result_or_refusal(partial(read_result, path), naming=str(path))
    assert result is None or board_page(benchmark_board([result])).encode()


@attack(random=randoms, data=st.data())
def test_a_saved_game(tmp_path: Path, random: Generator, data: st.DataObject) -> None:
    """Refused by its name, or a game that can be saved and resumed, and played on."""
    seed, players, objectives = (int(random.integers(*ends)) for ends in ((10**6,), (2, 7), (6,)))
    session = Session(PlaySettings(seed, players, objectives, opponents=("lowest", "greedy")))
    for _ in range(random.integers(1, 10)):
        session.play(int(random.choice(session.game.hand(0))))
    saved = SavedGame(tmp_path)
    saved.save(session)
    saved.path.write_bytes(data.draw(damaged_json(saved.path.read_bytes())))
    result_or_refusal(saved.read, naming=str(saved.path))
    found = result_or_refusal(saved.load, naming=str(saved.path))
    if found is None:
        return
    saved.save(found)
    if not found.game.over:
        again = saved.load()
        assert again.game == found.game and again.settings == found.settings
        found.play(found.game.hand(found.settings.seat)[0])
        assert result_or_refusal(partial(found.play, 0)) is None


@pytest.fixture
def cached(tmp_path: Path) -> bytes:
    code_cache.make_private_folder(tmp_path / "code")
    call_in_new_dispatcher(tmp_path / "code")
    (file,) = (tmp_path / "code").iterdir()
    return file.read_bytes()


@attack(data=st.data())
def test_compiled_code(tmp_path: Path, cached: bytes, data: st.DataObject) -> None:
    """Whatever the file holds, the function gives its result."""
    folder = tmp_path / "code"
    (file,) = folder.iterdir()
    cut = data.draw(st.none() | st.integers(0, len(cached)))
    content = data.draw(damaged(cached))[:cut]
    file.write_bytes(content)
    code_cache.warn_once.cache_clear()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        answer, hits = call_in_new_dispatcher(folder)
    code_cache.warn_once.cache_clear()
    assert (answer, hits, len(warned)) == (ANSWER, content == cached, content != cached)
