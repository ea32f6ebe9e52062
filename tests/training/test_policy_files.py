"""Policy files: equal policies are equal files, and errors say what is wrong with a file."""

import json
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from mindup_agents.policy import PolicyAgent, Widths, load_policy, save_policy
from mindup_env import GameConfig, make_agent
from tests.training.policies import policy_file, policy_of, random_network, random_policy

CONFIG = GameConfig(4)
Tensors = dict[str, np.ndarray[Any, Any]]


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "policy.safetensors"
    for configs in (
        [CONFIG],
        [GameConfig(3, shown) for shown in (0, 2, 5)],
        [GameConfig(2, num_cards=30, num_rounds=1)],
    ):
        network = random_network(configs[0])
        policy = policy_of(network, *configs, about={"command": "mindup train", "by": "a test"})
        save_policy(policy, str(path))
        loaded = load_policy(str(tmp_path))  # as a run folder
        assert loaded.description == policy.description
        assert loaded.tensors.keys() == policy.tensors.keys()
        for name, tensor in policy.tensors.items():
            assert np.array_equal(loaded.tensors[name], tensor)


def test_equal_policies_are_equal_files(tmp_path: Path) -> None:
    files = []
    for number in range(5):
        path = tmp_path / str(number)
        save_policy(random_policy(CONFIG, seed=3), path)
        files.append(path.read_bytes())
    assert len(set(files)) == 1
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (GameConfig(5), "trained for num_players=4, not for num_players=5"),
        (GameConfig(4, 1), "trained for num_objectives=0 or 2, not for num_objectives=1"),
        (GameConfig(4, num_rounds=2), "trained for num_rounds=3, not for num_rounds=2"),
        (GameConfig(4, hand_size=6), "trained for hand_size=7, not for hand_size=6"),
        (GameConfig(4, num_cards=59), "trained for num_cards=60, not for num_cards=59"),
        (GameConfig(4, score_order=(2, 4, 1, 5, 3)), "another order of the score cards"),
    ],
)
def test_a_table_it_was_not_trained_for_is_refused(table: GameConfig, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        PolicyAgent.of(random_policy(GameConfig(4), GameConfig(4, 2)), table)


def written(path: Path, described: Any, tensors: Tensors) -> None:
    text = described if isinstance(described, str) else json.dumps(described)
    path.write_bytes(save(tensors, metadata={"mindup": text}))


def described(**changes: Any) -> dict[str, Any]:
    return {**random_policy(CONFIG).description.to_dict(), **changes}


def config_with(**changes: Any) -> dict[str, Any]:
    return described(config={**described()["config"], **changes})


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ("", "Expecting value"),
        ("7", "must be a dict of format, version"),
        (described(format="other"), "format must be mindup-policy, not 'other'"),
        (described(version=2), "version must be 1, not 2"),
        (described(more=1), "unknown setting 'more'"),
        (described(widths=None), "widths must be"),
        (described(inputs="plain-9"), "unknown features 'plain-9'; available: raw-1"),
        (described(observation_sizes=[754]), "of the sizes (754,), but the sizes of its configs"),
        (described(widths={"table": 24, "card": 0, "value": 8}), "widths must be 1 to 4096, not 0"),
        (described(widths={"table": 25, "card": 16, "value": 8}), "table.weight must be float32"),
        (described(about={"n": 1}), "about.n must be a text, not 1"),
        (config_with(num_players=[]), "the sizes of its configs are ()"),
        (config_with(num_players=[9]), "num_players must be 2 to 6"),
        (config_with(num_objectives=[True]), "num_objectives must be a whole number"),
    ],
    ids=lambda value: str(value)[-40:],
)
def test_a_wrong_description_is_refused(tmp_path: Path, plain: Any, said: str) -> None:
    path = tmp_path / "wrong.safetensors"
    written(path, plain, random_policy(CONFIG).tensors)
    refused(path, said)


@pytest.mark.parametrize(
    ("name", "tensor", "said"),
    [
        ("hidden.bias", None, "missing: hidden.bias"),
        ("more", np.zeros(1), "unknown: 'more'"),
        ("table.weight", np.zeros((755, 24)), "must be float32 of shape (24, 755), not"),
        ("table.weight", np.zeros((24, 754)), "not float32 of shape (24, 754)"),
        ("card.bias", np.zeros(16, np.float16), "not float16 of shape (16,)"),
        ("logit.weight", np.full((1, 16), np.nan), "logit.weight must have finite entries only"),
        ("value.bias", np.full(1, np.inf), "value.bias must have finite entries only"),
    ],
)
def test_wrong_tensors_are_refused(tmp_path: Path, name: str, tensor: Any, said: str) -> None:
    tensors = random_policy(CONFIG).tensors
    if tensor is None:
        del tensors[name]
    else:
        tensors[name] = tensor if tensor.dtype == np.float16 else tensor.astype(np.float32)
    path = tmp_path / "wrong.safetensors"
    written(path, described(), tensors)
    refused(path, said)


def test_what_is_no_policy_file_is_refused(tmp_path: Path) -> None:
    whole = policy_file(tmp_path, CONFIG).read_bytes()
    path = tmp_path / "wrong.safetensors"
    for end in (0, 1, 7, 8, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:end])
        refused(path, "it is damaged, or not a safetensors file")
    for data in (
        b"PK\x03\x04" + whole,
        b"\x80\x04." * 50,
        whole + b"0",
        struct.pack("<Q", 2**63) + whole,
    ):
        path.write_bytes(data)
        refused(path, "it is damaged, or not a safetensors file")
    path.write_bytes(save({"a": np.zeros(1, np.float32)}))
    refused(path, "its header has no description")
    with path.open("wb") as file:
        file.truncate(2**40)
    refused(path, "it has 1099511627776 bytes; the maximum is")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"policy file \S+/empty/policy\S+ does not exist"):
        load_policy(tmp_path / "empty")
    with pytest.raises(ValueError, match=r"policy file .*none does not exist"):
        load_policy(tmp_path / "none")


def test_a_policy_that_cannot_be_right_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "policy.safetensors"
    wide = policy_of(random_network(CONFIG), CONFIG, widths=Widths())
    with pytest.raises(ValueError, match="must be float32 of shape"):
        save_policy(wide, path)
    with pytest.raises(ValueError, match="2 different sizes"):
        save_policy(random_policy(CONFIG, GameConfig(3)), path)
    assert not path.exists()


def refused(path: Path, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)) as found:
        make_agent(f"policy:{path}")
    assert str(found.value).startswith(f"invalid policy file {path}: ")
