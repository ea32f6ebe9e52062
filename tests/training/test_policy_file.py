"""Policy files: what is exported plays as the network does, and so does any other ONNX graph."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from onnx import TensorProto
from torch import Tensor, nn

from mindup_agents.policy import PolicyAgent
from mindup_env import GameConfig, make_agent
from mindup_env.observation import layout_of
from mindup_training.policy_file import NetworkBot, save_policy
from tests.agents.policies import NODES, Nodes, weights_of, write_policy
from tests.agents.positions import ActArguments, joined, whole_games
from tests.envs.playing import SHORT
from tests.training.test_network import random_network


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The network with random weights, in the folder of a run."""
    path = tmp_path_factory.mktemp("run") / "policy.onnx"
    save_policy(random_network(SHORT), SHORT, path)
    return path


def test_an_exported_network_answers_as_the_module_in_batches_of_any_size(exported: Path) -> None:
    assert sorted(each.name for each in exported.parent.iterdir()) == ["policy.onnx"]
    for rows in (slice(1), slice(7, 12), slice(None)):
        bots = NetworkBot(random_network(SHORT), 1), PolicyAgent(SHORT, str(exported), 1)
        for turn in whole_games(SHORT, 64):
            asked = turn.pick(rows)
            said = [bot.play_probabilities(*asked) for bot in bots]
            assert_allclose(said[1], said[0], atol=1e-4)


class Flat(nn.Module):
    """A network of one's own, without a state."""

    state_shapes = ()

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        self.layer = nn.Linear(layout_of(config).size, config.num_cards + 1)

    def forward(self, observation: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor]:
        answers = self.layer(observation.float())
        return answers[:, :-1].masked_fill(action_mask == 0, -1e8), answers[:, -1]


def test_a_network_of_ones_own_needs_no_state(tmp_path: Path) -> None:
    network = Flat(SHORT)
    own, asked, sizes = NetworkBot(network), joined(whole_games(SHORT, 9)), []
    chosen = own.act(*asked)
    for half_precision in (False, True):
        path = tmp_path / "flat.onnx"
        save_policy(network, SHORT, path, half_precision=half_precision)
        agent = PolicyAgent(SHORT, str(path))
        assert (agent.act(*asked) == chosen).mean() >= (0.95 if half_precision else 1)
        assert_allclose(agent.evaluate_cards()[1], own.evaluate_cards()[1], rtol=1e-3)
        assert str(Path.cwd()).encode() not in path.read_bytes()
        sizes.append(path.stat().st_size)
    assert 0.5 < sizes[1] / sizes[0] < 0.55


# Made by hand


def test_a_graph_of_ones_own_plays_and_keeps_its_state(tmp_path: Path) -> None:
    """Rows forget where a game begins, and all of them if there are others."""
    agent = PolicyAgent(SHORT, str(write_policy(tmp_path / "a.onnx", SHORT)))
    weights, memory = weights_of(SHORT).values()
    turns, held = whole_games(SHORT, 5), np.zeros((15, SHORT.num_cards), np.float32)
    for turn in (0, 1, 2, 3, 4, 2, 3):
        starts = np.arange(15) % 2 == turn % 2 if turn else np.ones(15, np.bool_)
        asked = turns[turn]._replace(episode_start=starts)
        held[starts] = 0
        logits = asked.observation @ weights + held * memory
        expected = np.where(asked.action_mask != 0, logits, -np.inf)
        assert_array_equal(agent.act(*asked), expected.argmax(1))
        odds = np.exp(expected - expected.max(1, keepdims=True))
        assert_allclose(agent.evaluate_cards()[1], odds / odds.sum(1, keepdims=True), rtol=1e-4)
        held += asked.action_mask
    few = turns[4].pick(slice(4))._replace(episode_start=np.zeros(4, np.bool_))
    logits = np.where(few.action_mask != 0, few.observation @ weights, -np.inf)
    assert_array_equal(agent.act(*few), logits.argmax(1))


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_a_temperature_draws_cards_by_their_probabilities(
    tmp_path: Path, temperature: float
) -> None:
    path, rows = write_policy(tmp_path / "a.onnx", SHORT), 20_000
    agent = make_agent(f"policy:{path},temperature={temperature}", SHORT)
    one = whole_games(SHORT, 1)[0].pick([0])
    bits = np.random.default_rng(1).integers(0, 2**64, rows, np.uint64)
    chosen = agent.act(*one.repeat(rows)._replace(random_bits=bits))
    counts = np.bincount(chosen, minlength=SHORT.num_cards)
    logits = (one.observation @ weights_of(SHORT)["weights"])[0] / temperature
    odds = np.exp(logits) * one.action_mask[0]
    odds = odds / odds.sum()
    said: Any = PolicyAgent(SHORT, str(path), temperature).play_probabilities(*one)
    assert_allclose(said[0], odds, rtol=1e-4)
    assert (np.abs(counts - rows * odds) < 4 * np.sqrt(rows * odds * (1 - odds)) + 1).all()
    only = PolicyAgent(SHORT, str(path)).play_probabilities(*one)
    assert only[0].max() == 1 == only.sum()


VALUES = "ReduceMaxRow", ["of_cards"], "values"
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "game": ({"metadata": {}}, "its metadata have no entry 'game'"),
    "JSON": ({"metadata": {"game": "{"}}, "its metadata entry 'game': Expecting"),
    "config": ({"metadata": {"game": '{"a": 1}'}}, "its metadata entry 'game': a config must be"),
    "type": ({"kind": TensorProto.FLOAT}, r"its inputs must be .* int8 .*, not .* float32"),
    "batch": ({"batch": 2}, r"its inputs .* where B is free, not observation int8 \(2, "),
    "outputs": (
        {"nodes": [*NODES[:-2], ("Add", ["seen", "seen"], "logits"), NODES[-1]]},
        r"its outputs for 3 rows must be .* float32 \(3, 60\), float32 \(3, 60\), not ",
    ),
    "type of logits": (
        {"nodes": [*NODES[:-2], ("Greater", ["of_cards", "of_state"], "logits"), VALUES]},
        r"its outputs .*, not bool \(3, 60\), ",
    ),
    "graph": (
        {"nodes": [*NODES, ("Transpose", ["of_cards"], "a"), ("Add", ["a", "logits"], "b")]},
        "it cannot be played: .*Add",
    ),
    "external data": ({"external": True}, "it is not a valid ONNX model: .* external"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_files_that_cannot_be_played_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    options, message = WRONG[wrong]
    monkeypatch.chdir(tmp_path)
    write_policy(Path("a.onnx"), SHORT, **options)
    refused(message)


def refused(message: str, config: GameConfig = SHORT) -> None:
    with pytest.raises(ValueError, match=rf"policy a.onnx: {message}") as caught:
        PolicyAgent(config, "a.onnx")
    assert "\n" not in str(caught.value)


def test_other_files_and_games_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write_policy(Path("a.onnx"), SHORT)
    refused(r"its game \(see --players, .*\) has another config: num_pl.* is 3", GameConfig(4))
    for content in (b"damaged", path.read_bytes().replace(b"MatMul", b"Mat\xfful")):
        path.write_bytes(content)
        refused("it is not a valid ONNX model: ")
    assert capfd.readouterr() == ("", ""), "the runtime prints nothing"
    with path.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(ValueError, match=r"cannot read a.onnx: it has more than 268,435,456 bytes"):
        PolicyAgent(SHORT, "a.onnx")
    with pytest.raises(ValueError, match=r"cannot read b.onnx: No such file"):
        PolicyAgent(SHORT, "b.onnx")
    write_policy(path, SHORT)
    for temperature in (-1, np.nan, np.inf):
        with pytest.raises(ValueError, match="temperature must be a finite number of at least 0"):
            PolicyAgent(SHORT, "a.onnx", temperature)
    monkeypatch.setattr("mindup_env.checks.find_spec", lambda _: None)
    with pytest.raises(ValueError, match=r"needs onnxruntime: pip install 'mindup-env\[arena\]'"):
        PolicyAgent(SHORT, "a.onnx")


def test_a_logit_that_is_no_number_is_refused(tmp_path: Path) -> None:
    nodes: Nodes = [*NODES[:-2], ("Sqrt", ["of_cards"], "logits"), NODES[-1]]
    agent = PolicyAgent(SHORT, str(write_policy(tmp_path / "a.onnx", SHORT, nodes=nodes)))
    asked: ActArguments = joined(whole_games(SHORT, 9))
    logits = asked.observation @ weights_of(SHORT)["weights"]
    row, card = np.argwhere((logits < 0) & (asked.action_mask != 0))[0]
    with pytest.raises(ValueError, match=rf"the logit of card {card + 1} in row {row} is nan"):
        agent.act(*asked)
