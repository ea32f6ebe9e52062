"""Fits a network to data: passes over all of them, with a learning rate that decreases to 0."""

import math
from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn


def fit_in_passes(
    network: nn.Module,
    error: Callable[[Tensor], Tensor],
    places: Tensor,
    *,
    epochs: int,
    batch_size: int,
    learning_rate: float,
    seed: int,
    max_grad_norm: float = math.inf,
) -> Iterator[float]:
    """Reduces an error, which is a mean over places (N,) of data; yields it of each pass."""
    optimizer = torch.optim.Adam(network.parameters(), eps=1e-5, fused=True)
    generator = torch.Generator().manual_seed(seed)
    for epoch in range(epochs):
        shuffled = places[torch.randperm(len(places), generator=generator)]
        batches = torch.split(shuffled, batch_size)
        total = 0.0
        for index, batch in enumerate(batches):
            done = (epoch + index / len(batches)) / epochs
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * (1 - done)
            found = error(batch)
            optimizer.zero_grad()
            torch.autograd.backward(found)
            nn.utils.clip_grad_norm_(network.parameters(), max_grad_norm)
            optimizer.step()
            total += len(batch) * float(found.detach())
        yield total / len(places)
