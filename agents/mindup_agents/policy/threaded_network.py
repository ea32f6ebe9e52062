"""The network of a policy in several threads, each with a slice of the rows."""

from functools import partial

from mindup_agents.features.base import FeatureShape, Float32Array
from mindup_agents.policy.compiled_network import fill_logits, make_activations, stack_networks
from mindup_agents.policy.network import Tensors
from mindup_env.thread_team import NumThreads, ThreadTeam, split

_LEAST_ROWS = 64
"""A thread with fewer rows would cost more time than it saves."""


class ThreadedNetwork:
    """Computes logits in any number of threads: those of a row depend on the row alone.

    Raises:
        ValueError: if the tensors are not those of a network for rows of ``shape``.
    """

    def __init__(self, tensors: Tensors, shape: FeatureShape, num_threads: NumThreads = 1) -> None:
        networks = stack_networks([tensors])
        self._networks = tuple(networks)
        self._team = ThreadTeam(num_threads)
        self._activations = [
            tuple(make_activations(networks, shape)) for _ in range(self._team.num_threads)
        ]

    def fill_logits(self, rows: Float32Array, logits: Float32Array) -> None:
        """Fills ``logits`` (B, slots) for rows (B, size); -inf in empty slots."""
        parts = split(len(rows), self._team.num_threads, _LEAST_ROWS)
        self._team.run(
            [
                partial(fill_logits, self._networks, scratch, rows[part], logits[part])
                # There can be more threads than slices.
                for scratch, part in zip(self._activations, parts, strict=False)
            ]
        )
