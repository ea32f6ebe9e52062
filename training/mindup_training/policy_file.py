"""Writes networks as policy files, and plays with one in training."""

import copy
import json
import logging
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx_ir as ir
import torch
from torch import nn

from mindup_agents.network_agent import NetworkAgent
from mindup_env.config import GameConfig
from mindup_env.files import atomic_write
from mindup_training.any_network import empty_seen, empty_state

_EXAMPLE_ROWS = 2
"""Rows for the exporter, which would take a batch size of one for a constant."""


class NetworkBot(NetworkAgent):
    """Plays with a network, which may go on to learn between games.

    Args:
        network: a network such as ``BiddingNetwork``.
        temperature: 0 for the most probable card; 1 samples from the probabilities.
    """

    def __init__(self, network: Any, temperature: float = 0.0) -> None:
        super().__init__("the network", network.state_shapes, temperature)
        self._network = network

    @torch.no_grad()
    def _answer(self, *inputs: npt.NDArray[Any]) -> Sequence[npt.NDArray[Any]]:
        device = next(self._network.parameters()).device
        answers = self._network(*(torch.tensor(each, device=device) for each in inputs))
        return [each.cpu().numpy() for each in answers]


def save_policy(
    network: nn.Module,
    config: GameConfig,
    path: Path | str,
    *,
    half_precision: bool = False,
) -> None:
    """Writes a network as an ONNX file, which replaces ``path`` at once or not at all.

    Args:
        network: a network such as ``BiddingNetwork``.
        config: its game.
        path: the policy file.
        half_precision: whether the weights are float16, for a file of half the size.
    """
    played = copy.deepcopy(network).cpu().eval()
    state = empty_state(played, _EXAMPLE_ROWS)
    example = *empty_seen(config, _EXAMPLE_ROWS), *state
    names = [f"state_{index}" for index in range(len(state))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter, about its own code
        for library in ("onnxscript", "torch.onnx"):
            logging.getLogger(library).setLevel(logging.ERROR)
        program: Any = torch.onnx.export(
            played,
            example,
            dynamo=True,
            dynamic_shapes=[{0: torch.export.Dim.DYNAMIC}] * len(example),
            input_names=["observation", "action_mask", *names],
            output_names=["logits", "values", *(f"next_{name}" for name in names)],
            verbose=False,
        )
    graph = program.model.graph
    _leave_out_traces(graph)
    if half_precision:
        _halve_weights(graph)
    program.model.metadata_props.update({"game": json.dumps(config.to_dict())})
    with atomic_write(Path(path)) as file:
        file.write(program.model_proto.SerializeToString())


def _leave_out_traces(graph: ir.Graph) -> None:
    """Removes where in the code nodes come from: half of the file, with paths."""
    parts: list[Any] = [part for node in graph for part in (node, *node.outputs)]
    for part in parts:
        part.metadata_props.clear()
        part.doc_string = None


def _halve_weights(graph: ir.Graph) -> None:
    values: dict[str, Any] = dict(graph.initializers)
    for name, value in values.items():
        weights = value.const_value.numpy()
        if weights.dtype == np.float32 and weights.ndim > 1:
            half = ir.tensor(weights.astype(np.float16), name=f"{name}.half")
            stored = ir.Value(name=half.name, const_value=half)
            cast = ir.node("Cast", [stored], {"to": ir.DataType.FLOAT})
            value.replace_all_uses_with(cast.outputs[0])
            del graph.initializers[name]
            graph.register_initializer(stored)
            graph.insert_before(graph[0], cast)
