"""Policy files for the tests, made by hand from a few nodes of ONNX."""

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from mindup_env import GameConfig
from mindup_env.observation import layout_of

Nodes = list[tuple[str, list[str], str]]
"""Each has an operator, its inputs, and its output."""
NODES: Nodes = [
    ("CastFloat", ["observation"], "seen"),
    ("MatMul", ["seen", "weights"], "of_cards"),
    ("CastFloat", ["action_mask"], "held"),
    ("Add", ["state", "held"], "next_state"),
    ("Mul", ["state", "memory"], "of_state"),
    ("Add", ["of_cards", "of_state"], "logits"),
    ("ReduceMaxRow", ["logits"], "values"),
]
"""A linear network: its state (B, C) counts the turns in which the seat held each card."""


def weights_of(config: GameConfig, seed: int = 0) -> dict[str, npt.NDArray[np.float32]]:
    """Random weights of the network: ``weights`` (D, C) and ``memory`` (C,)."""
    rng, cards = np.random.default_rng(seed), config.num_cards
    shapes = {"weights": (layout_of(config).size, cards), "memory": (cards,)}
    return {name: rng.normal(0, 0.1, shape).astype(np.float32) for name, shape in shapes.items()}


def write_policy(
    path: Path,
    config: GameConfig,
    *,
    seed: int = 0,
    nodes: Nodes = NODES,
    kind: int = TensorProto.INT8,
    batch: str | int = "B",
    metadata: dict[str, str] | None = None,
    external: bool = False,
) -> Path:
    """Writes a policy file; all options but the seed make it a wrong one.

    Args:
        path: the file.
        config: the game.
        seed: of the weights.
        nodes: of the graph; the input ``state`` is left out if none reads it.
        kind: the type of observation and mask.
        batch: the size of a batch.
        metadata: other metadata than the game.
        external: whether the weights are in another file.
    """
    sizes = {"observation": layout_of(config).size, "action_mask": config.num_cards}
    made = helper.make_tensor_value_info
    inputs = [made(name, kind, [batch, size]) for name, size in sizes.items()]
    outputs = [helper.make_empty_tensor_value_info(name) for name in ("logits", "values")]
    if any("state" in names for _, names, _ in nodes):
        inputs.append(made("state", TensorProto.FLOAT, [batch, config.num_cards]))
        outputs.append(helper.make_empty_tensor_value_info("next_state"))
    last = numpy_helper.from_array(np.array([1], np.int64), "last")
    tensors = [numpy_helper.from_array(*each[::-1]) for each in weights_of(config, seed).items()]
    graph = helper.make_graph(
        [_node(*node) for node in nodes], "policy", inputs, outputs, [*tensors, last]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    plain = {"game": json.dumps(config.to_dict())} if metadata is None else metadata
    helper.set_model_props(model, plain)
    onnx.save(model, path, save_as_external_data=external, location="weights", size_threshold=0)
    return path


def _node(operator: str, inputs: list[str], output: str) -> onnx.NodeProto:
    if operator == "CastFloat":
        return helper.make_node("Cast", inputs, [output], to=TensorProto.FLOAT)
    if operator == "ReduceMaxRow":
        return helper.make_node("ReduceMax", [*inputs, "last"], [output], keepdims=0)
    return helper.make_node(operator, inputs, [output])
