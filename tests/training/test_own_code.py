"""Trainings with rewards, features, networks and callbacks that settings name."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.policy import Policy, PolicyAgent, load_policy, save_policy
from mindup_agents.policy.description import OwnCode
from mindup_env import BatchEnv, cli, make_agent
from mindup_env.settings.checks import check_entries
from mindup_training import train
from mindup_training.own_code import make_reward
from mindup_training.run_folder import RunFolder
from mindup_training.settings import TrainSettings
from tests.envs.playing import SHORT
from tests.training.policies import random_policy
from tests.training.runs import policy, recorded, settings_of

PARTS = "tests.training.own_parts"
NAMED = f"features={PARTS}:Encoder,network={PARTS}:Net"


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = settings_of(
        "sb3",
        reward=f"{PARTS}:Reward:factor=0.2",
        features=f"{PARTS}:Encoder:scale=2",
        network=f"{PARTS}:Net:depth=3",
        callbacks=[f"{PARTS}:Recorder:checkpoints=4"],
    )
    return train(settings, out=tmp_path_factory.mktemp("own") / "run", quiet=True).folder


@pytest.fixture
def run(uninterrupted: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(uninterrupted, tmp_path / "run"))


def test_a_run_with_code_of_its_own_resumes_bit_for_bit(
    uninterrupted: Path, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The callback ends it early, from what it remembers."""
    timesteps = [row["timesteps"] for row in recorded(uninterrupted) if "opponent" not in row]
    assert timesteps[-1] == "450", "the fourth checkpoint, before the end at 600"
    (run / "checkpoint.safetensors").unlink()
    (run / "policy.safetensors").unlink()
    assert cli.main(["train", "--resume", str(run)]) == 0
    assert "a callback ended the training: 4 checkpoints" in capsys.readouterr().out
    assert policy(run) == policy(uninterrupted) and recorded(run) == recorded(uninterrupted)


def test_a_learner_in_one_file_takes_code_of_a_user(tmp_path: Path) -> None:
    named = {"features": f"{PARTS}:Encoder", "network": f"{PARTS}:Net:depth=2"}
    for factor in (0, 1):
        reward = f"{PARTS}:Reward:factor={factor}"
        settings = settings_of("ppo", reward=reward, timesteps=1, **named)
        train(settings, out=tmp_path / str(factor), quiet=True)
    policies = [load_policy(tmp_path / str(factor)) for factor in (0, 1)]
    assert policies[0].description.network == named["network"]
    one, other = (each.tensors["first.weight"] for each in policies)
    assert not np.array_equal(one, other), "the rewards differ"


def test_the_policy_plays_where_the_user_names_its_code(uninterrupted: Path) -> None:
    path = uninterrupted / "policy.safetensors"
    config = RunFolder.open(uninterrupted).settings.game
    assert RunFolder.open(uninterrupted).policy_spec == f"policy:{path},{NAMED}"
    agent: Any = make_agent(f"policy:{path},{NAMED}", config)
    assert agent.evaluator.encoder.scale == 2, "options come from the file"
    env = BatchEnv(config, 8)
    env.reset(seed=0)
    seats = [array.reshape(24, -1) for array in env.seen.values()]
    given = *seats, np.ones(24, np.bool_), np.zeros(24, np.uint64)
    first, (_, probabilities) = agent.act(*given), agent.evaluate_cards()
    assert np.take_along_axis(seats[1], first[:, None], 1).all(), "only cards of the hand"
    assert (agent.act(*given) == first).all()
    assert np.array_equal(agent.evaluate_cards()[1], probabilities), "without dropout"
    for spec in (f"policy:{path}", f"policy:{path},features={PARTS}:Encoder"):
        with pytest.raises(ValueError, match=rf"names the same code: policy:FILE,{NAMED}"):
            make_agent(spec, config)
    with pytest.raises(ValueError, match="was trained with the network of the package"):
        PolicyAgent.of(random_policy(SHORT), SHORT, own_code=OwnCode(network=f"{PARTS}:Net"))


def test_a_policy_file_runs_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trap.py").write_text("raise AssertionError\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    made = random_policy(SHORT)
    names = {"network": "trap:Net", "features": "trap:Encoder"}
    shape = made.description.feature_shape()
    for features, network, own_shape in (
        (names["features"], None, shape),
        ("raw-1", names["network"], None),
        (names["features"], names["network"], shape),
    ):
        fields = made.description.__dict__ | {
            "features": features, "network": network, "own_shape": own_shape
        }  # fmt: skip
        described = type(made.description)(**fields)
        save_policy(Policy(described, made.tensors), tmp_path / "policy.safetensors")
        loaded = load_policy(tmp_path / "policy.safetensors")
        assert loaded.description == described
        with pytest.raises(ValueError, match="plays only where the user names the same code"):
            make_agent(f"policy:{tmp_path / 'policy.safetensors'}", SHORT)
        assert "trap" not in sys.modules


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"network": "os.system"}, "unknown network 'os.system'"),
        ({"network": "a/b.py:Net"}, "networks are named module:Class"),
        ({"inputs": "raw-1"}, "the features raw-1 must have no feature_shape"),
        ({"inputs": "a b:c"}, "unknown encoder 'a b'"),
        ({"feature_shape": None}, "must have a feature_shape"),
        ({"feature_shape": {"table": 0, "card": 1, "slots": 1}}, "feature_shape must be 1 to"),
    ],
)
def test_a_wrong_description_of_own_code_is_refused(
    damage: dict[str, Any], said: str, uninterrupted: Path
) -> None:
    description = load_policy(uninterrupted / "policy.safetensors").description
    plain = {**description.to_dict(), **damage}
    check_entries("the description", plain, (), plain)
    with pytest.raises(ValueError, match=said):
        type(description).from_dict(plain)


def test_a_callback_that_returns_no_text_is_named(tmp_path: Path) -> None:
    settings = settings_of("sb3", callbacks=[f"{PARTS}:Talker"])
    with pytest.raises(ValueError, match="callback Talker must return None, or a text"):
        train(settings, out=tmp_path / "run", quiet=True)


def test_a_reward_is_a_text_a_function_or_an_instance() -> None:
    assert make_reward("margin", SHORT) == "margin"
    arguments = np.ones((2, 3), np.float32), np.ones(2, bool), np.zeros((2, 3), np.float32)
    for name in ("reward", "Reward"):
        for options, value in (("", 0.1), (":factor=0.5", 0.5)):
            made: Any = make_reward(f"{PARTS}:{name}{options}", SHORT)
            assert made(*arguments) == pytest.approx(value)
    instance: Any = make_reward(f"{PARTS}:Reward", SHORT)
    assert instance.config == SHORT


def test_settings_name_code_without_importing_it() -> None:
    settings = TrainSettings(
        reward="no_such:R", features="no_such:E", network="no_such:N", callbacks=("no_such:C",)
    )
    assert TrainSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert settings.own_code == OwnCode("no_such:E", "no_such:N")


def test_a_policy_whose_code_has_changed_is_refused(uninterrupted: Path) -> None:
    found = load_policy(uninterrupted / "policy.safetensors")
    settings = RunFolder.open(uninterrupted).settings
    own = settings.own_code
    fewer = {name: tensor for name, tensor in found.tensors.items() if name != "last.bias"}
    with pytest.raises(ValueError, match=r"do not fit the network .* Missing key.*last.bias"):
        PolicyAgent.of(found._replace(tensors=fewer), settings.game, own_code=own)
    wide = found.description.feature_shape()._replace(table=9)
    other = type(found.description)(**{**found.description.__dict__, "own_shape": wide})
    with pytest.raises(ValueError, match="but they have FeatureShape"):
        PolicyAgent.of(found._replace(description=other), settings.game, own_code=own)
