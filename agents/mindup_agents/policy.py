"""The bot ``policy``: a network in an ONNX file, which any framework can write.

Its inputs are ``observation`` (B, D) and ``action_mask`` (B, C), both int8, and any number of
float32 tensors (B, ...): its state, which begins with zeros. Its outputs are float32 too: first
logits (B, C), and last the state for the next decision, in the order of the inputs; what is between
them, such as values, is not read. Its metadata have the config of the game as JSON, named ``game``.
The answers for a row in another batch can differ by rounding.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy.typing as npt

from mindup_agents.network_agent import NetworkAgent
from mindup_env.agent import find_agent, list_agents
from mindup_env.batch_env import BatchEnv
from mindup_env.checks import InputError, require
from mindup_env.config import GameConfig, refuse_other_config
from mindup_env.files import content_errors_name, read_limited
from mindup_env.observation import layout_of

POLICY_FILE = "policy.onnx"  # the latest policy in the folder of a training
_TYPES = {"tensor(int8)": "int8", "tensor(float)": "float32"}
_STATE = re.compile(r".+ float32 \(B(, \d+)*\)")  # a part of the state, as ``_described``


class PolicyAgent(NetworkAgent):
    """Plays the most probable card of the policy in an ONNX file.

    Args:
        config: the game
        path: the policy file, or the folder of its training
        temperature: 0 for the most probable card; 1 samples a card from the policy's probabilities
    """

    def __init__(self, config: GameConfig, path: str, temperature: float = 0.0) -> None:
        file = _file_of(path)
        name = f"policy {file}"
        self._session = _open(file)
        with content_errors_name(name):
            game = "its game (see --players, --objectives, --game)"
            refuse_other_config(game, _game_of(self._session), config)
            self._names, shapes = _check_inputs(self._session, config)
            super().__init__(name, shapes, temperature)
            self._check_outputs(config)

    def _answer(self, *inputs: npt.NDArray[Any]) -> Sequence[npt.NDArray[Any]]:
        given = dict(zip(self._names, inputs, strict=True))
        answers: Sequence[npt.NDArray[Any]] = self._session.run(None, given)
        return answers

    def _check_outputs(self, config: GameConfig) -> None:
        """Refuses other outputs than the decisions of a first turn have."""
        seen, _ = BatchEnv(config).reset(seed=0)
        rows = config.num_players
        state = self._new_state(rows)
        try:
            answers = self._answer(*(each[0] for each in seen.values()), *state)
        except Exception as error:  # noqa: BLE001  # those of onnxruntime have no base class
            raise InputError(f"it cannot be played: {_first_line(error)}") from None
        shapes = (rows, config.num_cards), *(each.shape for each in state)
        expected = [f"float32 {shape}" for shape in shapes]
        found = [f"{each.dtype} {each.shape}" for each in answers]
        if found[:1] + found[max(len(found) - len(state), 1) :] != expected:
            raise InputError(
                f"its outputs for {rows} rows must be logits first and the next state last, "
                f"{', '.join(expected)}, not {', '.join(found)}"
            )


def full_spec(spec: str) -> str:
    """The spec of a bot: a folder of a training stands for its policy.

    A registered name stands for its bot, also where a folder has the same name.
    """
    policy = Path(spec) / POLICY_FILE
    with suppress(OSError):  # of a spec that is too long for a file
        if spec not in list_agents() and policy.is_file():
            return f"policy:{policy}"
    return spec


def game_of_policy(spec: str) -> GameConfig | None:
    """The game of a bot that is a policy; None for others, which play any."""
    found = find_agent(spec)
    if found.name != "policy" or "path" not in found.options:
        return None
    file = _file_of(found.options["path"])
    session = _open(file)
    with content_errors_name(f"policy {file}"):
        return _game_of(session)


def _file_of(path: str) -> Path:
    return Path(path) / POLICY_FILE if Path(path).is_dir() else Path(path)


def _open(path: Path) -> Any:
    """The session of onnxruntime for a policy file, on one thread."""
    require("a policy", "arena", "onnxruntime")
    import onnxruntime  # noqa: PLC0415  # an extra

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors are raised
    content = read_limited(path)
    try:
        # The content and not the path, so that the file cannot name other files. Without a
        # fallback, which would print of its own.
        return onnxruntime.InferenceSession(
            content, options, ["CPUExecutionProvider"], enable_fallback=0
        )
    except Exception as error:  # noqa: BLE001  # as above
        problem = f"it is not a valid ONNX model: {_first_line(error)}"
        raise InputError(f"policy {path}: {problem}") from None


def _game_of(session: Any) -> GameConfig:
    metadata = session.get_modelmeta().custom_metadata_map
    if "game" not in metadata:
        raise InputError("its metadata have no entry 'game', the config as JSON")
    with content_errors_name("its metadata entry 'game'"):
        return GameConfig.from_dict(json.loads(metadata["game"]))


def _check_inputs(session: Any, config: GameConfig) -> tuple[list[str], list[tuple[int, ...]]]:
    """The names of the inputs, and the shapes of the state; refuses other inputs."""
    inputs = session.get_inputs()
    found = [_described(each) for each in inputs]
    size = layout_of(config).size
    expected = [f"observation int8 (B, {size})", f"action_mask int8 (B, {config.num_cards})"]
    if found[:2] != expected or not all(map(_STATE.fullmatch, found[2:])):
        raise InputError(
            f"its inputs must be {', '.join(expected)}, and as its state float32 (B, ...) with "
            f"fixed sizes, where B is free, not {', '.join(found)}"
        )
    return [each.name for each in inputs], [tuple(each.shape[1:]) for each in inputs[2:]]


def _described(tensor: Any) -> str:
    sizes = [str(size) if isinstance(size, int) else "B" for size in tensor.shape]
    return f"{tensor.name} {_TYPES.get(tensor.type, tensor.type)} ({', '.join(sizes)})"


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
