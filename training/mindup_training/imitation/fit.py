"""Fits the network of a policy to datasets: the bots' cards, and the values."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import mse_loss, nll_loss

from mindup_agents.policy import Policy, check_size, load_policy
from mindup_env.report.picture import open_figure, save_figure
from mindup_training.dataset import read_dataset
from mindup_training.dataset.card import command_of
from mindup_training.imitation.config import CARD_VALUES, ImitationConfig
from mindup_training.imitation.samples import load_samples
from mindup_training.loggers.csv_files import TIMESTEPS, read_table
from mindup_training.network import log_probs, make_network
from mindup_training.run_folder import RunPaths
from mindup_training.targets import auxiliary_loss, targets_of
from mindup_training.trainer.learner import Learner, check_start, prepare_torch

_EVALUATION_BATCH = 8192
_NOT_IN_DATASETS = "final_scores"
_PANELS = {"policy_loss": "loss of the policy", "value_error": "squared error of the value"}


class Errors(NamedTuple):
    """How well a network predicts some decisions.

    Attributes:
        policy_loss: the log loss of the chosen card; or, if the target is the values of the cards,
            the regret: the win probability that a card drawn from the policy loses to the best one.
        accuracy: the share of decisions whose chosen card is the most probable one.
        value_error: mean squared error of the values.
        auxiliary_loss: that of the network; 0 if it has none.
    """

    policy_loss: float
    accuracy: float
    value_error: float
    auxiliary_loss: float


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
    error of the values to the value target, and the auxiliary loss of the network, with the weights
    of the config.

    Args:
        config: The hyperparameters.
        datasets: The folders of one or several datasets.
        on_epoch: Called before the first epoch, and after each.

    Raises:
        ValueError: A dataset or the policy to start from is damaged, or does not fit the others.
    """
    prepare_torch(config.threads)
    learner = Imitation(config.changed({"imitate": [*map(str, datasets)]}))
    for number in range(config.epochs + 1):
        learned = learner.learn_epoch() if number > 0 else None
        if on_epoch is not None:
            on_epoch(Epoch(number, learner.timesteps, learned, learner.held_out_errors()))
    return learner.policy()


class Imitation(Learner):
    """Fits a network to the decisions of datasets; a rollout is a pass over all of them."""

    settings_class = ImitationConfig
    hands_targets = True

    def __init__(self, config: ImitationConfig) -> None:
        super().__init__(config)
        datasets = [read_dataset(path) for path in config.imitate]
        if not datasets:
            raise ValueError("an imitation needs at least one dataset: --imitate DIR")
        self._config = config
        self._about = {
            "learner": "mindup_training.imitation",
            "bots": " ".join(config.bots) or "all",
            "datasets": "; ".join(command_of(dataset.settings) for dataset in datasets),
        }
        check_size(description := config.describe_policy())
        torch.manual_seed(config.seed)  # for the initial weights
        self.network = make_network(description)
        if _NOT_IN_DATASETS in targets_of(self.network):
            raise ValueError(f"datasets do not have the target {_NOT_IN_DATASETS!r}")
        if config.start is not None:
            started = load_policy(config.start)
            check_start(config.start, started.description, description)
            self.set_policy_tensors(started.tensors)
        samples = load_samples(config, datasets, self.network)
        self._learned, self._held_out = (
            torch.from_numpy(np.flatnonzero(samples.held_out == is_held_out))
            for is_held_out in (False, True)
        )
        self._samples = [torch.from_numpy(each) for each in samples[:-2]]
        self._targets = samples.targets
        weights = config.policy_coef, 0.0, config.vf_coef, config.aux_coef
        self._weights = torch.tensor(weights)  # of the fields of Errors
        self.generator = torch.Generator().manual_seed(config.seed)
        self.optimizer = torch.optim.Adam(
            self.network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True
        )
        self.rollout_size = len(self._learned)

    @property
    def end(self) -> int:
        return self._config.epochs * self.rollout_size

    def learn(self, remaining: float) -> dict[str, float]:  # noqa: ARG002  # the epochs are counted
        """Learns from all decisions once."""
        learned, held_out = self.learn_epoch()._asdict(), self.held_out_errors()._asdict()
        return {**learned, **{f"held_out_{name}": error for name, error in held_out.items()}}

    def learn_epoch(self) -> Errors:
        """Learns from all decisions once; returns the means over the minibatches."""
        config, epoch = self._config, self.timesteps // self.rollout_size
        shuffled = torch.randperm(self.rollout_size, generator=self.generator)
        batches = torch.split(self._learned[shuffled], config.batch_size)
        sums = torch.zeros(len(Errors._fields))
        for index, batch in enumerate(batches):
            progress = (epoch + index / len(batches)) / config.epochs
            for group in self.optimizer.param_groups:
                group["lr"] = config.learning_rate_at(1 - progress)
            errors = self._errors(batch)
            loss = errors @ self._weights
            self.optimizer.zero_grad()
            torch.autograd.backward(loss)
            self.optimizer.step()
            sums += len(batch) * errors.detach()
        self.timesteps += self.rollout_size
        return Errors(*(sums / len(shuffled)).tolist())

    @torch.no_grad()
    def held_out_errors(self) -> Errors:
        """The errors over the deals that are not learned from."""
        sums = torch.zeros(len(Errors._fields))
        for part in torch.split(self._held_out, _EVALUATION_BATCH):
            sums += len(part) * self._errors(part)
        return Errors(*(sums / len(self._held_out)).tolist())

    def about(self, command: str) -> dict[str, str]:  # noqa: ARG002  # the datasets are enough
        return self._about

    def plot(self, paths: RunPaths) -> None:
        """Draws the errors by epoch."""
        table = read_table(paths.metrics)
        figure = open_figure(9, 4, "errors over the decisions of datasets")
        for axes, (name, title) in zip(figure.subplots(1, 2), _PANELS.items(), strict=True):
            for label, column in (("learned", name), ("held out", f"held_out_{name}")):
                steps, errors = (table.get(each, ()) for each in (TIMESTEPS, column))
                axes.plot(steps, errors, marker="o", markersize=3, label=label)
            axes.set(xlabel="decisions learned from", ylabel=title)
            axes.legend(loc="best")
        save_figure(paths.curve, figure)

    def _errors(self, batch: Tensor) -> Tensor:
        """The fields of Errors (4,), as means over the decisions of a batch."""
        # The first fields of Samples: (N, size), (N,), (N, slots), (N,)
        rows, slots, slot_values, values = (each.index_select(0, batch) for each in self._samples)
        output = self.network(rows)
        logprobs = log_probs(output)
        accuracy = (logprobs.argmax(dim=1) == slots).float().mean()
        if self._config.policy_target == CARD_VALUES:
            best = slot_values.amax(dim=1)
            policy_loss = (best - (logprobs.exp() * slot_values).sum(dim=1)).mean()
        else:
            policy_loss = nll_loss(logprobs, slots)
        targets = {name: each.index_select(0, batch) for name, each in self._targets.items()}
        auxiliary = auxiliary_loss(self.network, output, targets) if targets else rows.new_zeros(())
        return torch.stack([policy_loss, accuracy, mse_loss(output.values, values), auxiliary])
