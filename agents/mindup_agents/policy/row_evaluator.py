"""Networks that evaluate rows of features in NumPy arrays."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

import numpy as np

from mindup_agents.features.base import FeatureShape, Float32Array
from mindup_agents.policy.compiled_network import (
    fill_logits,
    fill_values,
    make_activations,
    stack_networks,
)
from mindup_agents.policy.network import Tensors
from mindup_env.settings.checks import describe_array
from mindup_env.threads.exclusive import BusyFlag, exclusive
from mindup_env.threads.pool import NumThreads, ThreadPool, split

_LEAST_ROWS = 64
"""A thread with fewer rows would cost more time than it saves."""


class RowEvaluator(Protocol):
    """Evaluates rows of features (B, size)."""

    def logits(self, rows: Float32Array) -> Float32Array:
        """The logit of each card of the hand (B, slots); -inf in empty slots."""
        ...

    def values(self, rows: Float32Array) -> Float32Array:
        """The output of the critic (B,)."""
        ...


class CompiledEvaluator:
    """The network of the package. The result for a row does not depend on the other rows.

    Args:
        tensors: the parameters of the network.
        shape: the shape of the rows.
        num_threads: how many threads evaluate the rows, each a part of them.
    """

    def __init__(self, tensors: Tensors, shape: FeatureShape, num_threads: NumThreads = 1) -> None:
        networks = stack_networks([tensors])
        self._busy = BusyFlag()  # calls share the activations
        self._shape = shape
        self._networks = tuple(networks)
        self._threads = ThreadPool(num_threads)
        self._activations = [
            tuple(make_activations(networks, shape)) for _ in range(self._threads.num_threads)
        ]

    @exclusive
    def logits(self, rows: Float32Array) -> Float32Array:
        """The logit of each card of the hand (B, slots); -inf in empty slots."""
        check_rows(rows, self._shape)
        logits = np.zeros((len(rows), self._shape.slots), np.float32)
        self._fill(fill_logits, rows, logits)
        return logits

    @exclusive
    def values(self, rows: Float32Array) -> Float32Array:
        """The output of the critic (B,)."""
        check_rows(rows, self._shape)
        values = np.zeros(len(rows), np.float32)
        self._fill(fill_values, rows, values)
        return values

    def _fill(self, fill: Callable[..., None], rows: Float32Array, out: Float32Array) -> None:
        """Fills ``out`` in the threads, each with a slice of the rows."""
        parts = split(len(rows), self._threads.num_threads, _LEAST_ROWS)
        self._threads.run(
            [
                partial(fill, self._networks, scratch, rows[part], out[part])
                # There can be more threads than slices.
                for scratch, part in zip(self._activations, parts, strict=False)
            ]
        )


def check_rows(rows: Float32Array, shape: FeatureShape) -> None:
    """Refuses rows of another type or shape, outside which compiled code would read."""
    if (
        not isinstance(rows, np.ndarray)
        or rows.dtype != np.float32
        or rows.ndim != 2
        or rows.shape[1] != shape.size
    ):
        raise ValueError(
            f"rows of features must be float32 of shape (B, {shape.size}), not "
            f"{describe_array(rows)}"
        )
