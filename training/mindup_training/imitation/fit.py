"""Fits the network of a policy to datasets: the bots' cards, and the values."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import mse_loss, nll_loss

from mindup_agents.features import make_encoder
from mindup_agents.policy import Description, Policy, check_size, load_policy
from mindup_env.config import GameConfig
from mindup_training.dataset import Dataset, read_dataset
from mindup_training.dataset.card import command_of
from mindup_training.imitation.config import CARD_VALUES, ImitationConfig
from mindup_training.imitation.samples import Samples, load_samples
from mindup_training.network import Network, log_probs
from mindup_training.train.learner import limit_threads

_EVALUATION_BATCH = 8192


class Errors(NamedTuple):
    """How well a network predicts some decisions.

    Attributes:
        policy_loss: the log loss of the chosen card; or, if the target is the values of the cards,
            the regret: the win probability that a card drawn from the policy loses to the best one.
        accuracy: the share of decisions whose chosen card is the most probable one.
        value_error: mean squared error of the values.
    """

    policy_loss: float
    accuracy: float
    value_error: float


class Epoch(NamedTuple):
    """The progress after an epoch.

    Attributes:
        number: 0 before learning.
        decisions: learned from so far.
        learned: means over the minibatches of the epoch; None before learning.
        held_out: over the deals that are not learned from.
    """

    number: int
    decisions: int
    learned: Errors | None
    held_out: Errors


OnEpoch = Callable[[Epoch], None]


def fit(
    config: ImitationConfig, datasets: Sequence[Path | str], *, on_epoch: OnEpoch | None = None
) -> Policy:
    """Fits a policy to datasets; the same arguments give the same policy.

    The loss is the cross-entropy to the chosen cards, or the regret of the policy, plus the squared
    error of the values to the value target, with the weights of the config.

    Args:
        config: The hyperparameters.
        datasets: The folders of one or several datasets.
        on_epoch: Called before the first epoch, and after each.

    Raises:
        ValueError: A dataset or the policy to start from is damaged, or does not fit the others.
    """
    limit_threads(config.threads)
    found = [read_dataset(path) for path in datasets]
    if not found:
        raise ValueError("an imitation needs at least one dataset")
    description, network = _start(config, found)
    fitting = _Fitting(config, network, load_samples(config, found))
    for epoch in fitting.epochs():
        if on_epoch is not None:
            on_epoch(epoch)
    tensors = {name: each.numpy().copy() for name, each in network.state_dict().items()}
    return Policy(description, tensors)


class _Tensors(NamedTuple):
    """The first fields of Samples."""

    rows: Tensor  # (N, size)
    slots: Tensor  # (N,)
    slot_values: Tensor  # (N, slots)
    values: Tensor  # (N,)


class _Fitting:
    def __init__(self, config: ImitationConfig, network: Network, samples: Samples) -> None:
        self._config, self._network = config, network
        self._samples = _Tensors(*map(torch.from_numpy, samples[:-1]))
        self._learned = torch.from_numpy(np.flatnonzero(~samples.held_out))
        self._held_out = torch.from_numpy(np.flatnonzero(samples.held_out))
        self._generator = torch.Generator().manual_seed(config.seed)
        self._optimizer = torch.optim.Adam(
            network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True
        )

    def epochs(self) -> Iterator[Epoch]:
        decisions = len(self._learned)
        yield Epoch(0, 0, None, self._evaluate(self._held_out))
        for number in range(self._config.epochs):
            learned = self._learn(number)
            held_out = self._evaluate(self._held_out)
            yield Epoch(number + 1, (number + 1) * decisions, learned, held_out)

    def _learn(self, epoch: int) -> Errors:
        config = self._config
        shuffled = torch.randperm(len(self._learned), generator=self._generator)
        batches = torch.split(self._learned[shuffled], config.batch_size)
        sums = torch.zeros(3)
        for index, batch in enumerate(batches):
            progress = (epoch + index / len(batches)) / config.epochs
            for group in self._optimizer.param_groups:
                group["lr"] = config.learning_rate_at(1 - progress)
            policy_loss, accuracy, value_error = self._errors(batch)
            loss = config.policy_coef * policy_loss + config.vf_coef * value_error
            self._optimizer.zero_grad()
            torch.autograd.backward(loss)
            self._optimizer.step()
            sums += len(batch) * torch.stack([policy_loss, accuracy, value_error]).detach()
        return Errors(*(sums / len(shuffled)).tolist())

    @torch.no_grad()
    def _evaluate(self, samples: Tensor) -> Errors:
        sums = torch.zeros(3)
        for part in torch.split(samples, _EVALUATION_BATCH):
            sums += len(part) * torch.stack(self._errors(part))
        return Errors(*(sums / len(samples)).tolist())

    def _errors(self, batch: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The policy loss, the accuracy and the squared error of the values: means of the batch."""
        given = _Tensors(*(tensor.index_select(0, batch) for tensor in self._samples))
        output = self._network(given.rows)
        logprobs = log_probs(output)
        accuracy = (logprobs.argmax(dim=1) == given.slots).float().mean()
        if self._config.policy_target == CARD_VALUES:
            best = given.slot_values.amax(dim=1)
            policy_loss = (best - (logprobs.exp() * given.slot_values).sum(dim=1)).mean()
        else:
            policy_loss = nll_loss(logprobs, given.slots)
        return policy_loss, accuracy, mse_loss(output.values, given.values)


def _start(config: ImitationConfig, datasets: Sequence[Dataset]) -> tuple[Description, Network]:
    """What the policy says about itself, and its network before learning."""
    found = {dataset.settings.config for dataset in datasets}
    configs = tuple(sorted(found, key=lambda config: config.num_objectives))
    _check_configs(configs)
    about = {
        "learner": "mindup_training.imitation",
        "bots": " ".join(config.bots) or "all",
        "datasets": "; ".join(command_of(dataset.settings) for dataset in datasets),
    }
    torch.manual_seed(config.seed)  # for the initial weights
    network = Network(make_encoder(config.features, configs[0]).shape, config.widths)
    if config.start is not None:
        started = load_policy(Path(config.start))
        plays = started.description
        if (plays.features, plays.widths) != (config.features, config.widths):
            raise ValueError(
                f"{config.start} has the features {plays.features} and the widths "
                f"{' '.join(map(str, plays.widths))}, not {config.features} and "
                f"{' '.join(map(str, config.widths))}"
            )
        if plays.pad_to_players is not None:
            raise ValueError(
                f"{config.start} reads features that are padded to {plays.pad_to_players} players, "
                "but an imitation has features without padding"
            )
        if set(configs) <= set(plays.configs):
            configs = plays.configs
        network.load_state_dict(
            {name: torch.from_numpy(tensor) for name, tensor in started.tensors.items()}
        )
    description = Description(configs, config.features, config.widths, about)
    check_size(description)
    return description, network


def _check_configs(configs: Sequence[GameConfig]) -> None:
    if len({replace(config, num_objectives=0) for config in configs}) > 1:
        raise ValueError("the games of the datasets may differ in the number of objectives alone")
