"""The decisions of datasets, as a network learns from them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from torch import Tensor, nn

from mindup_agents.card_evaluation import UNITS, WIN_PROBABILITY
from mindup_agents.features import FeatureEncoder, FeatureShape, make_encoder
from mindup_agents.features.base import NO_CARD
from mindup_env.settings.checks import suggestion
from mindup_training.dataset import Dataset, DecisionChunk
from mindup_training.imitation.config import CARD_VALUES, ImitationConfig
from mindup_training.settings.hyperparameters import MAX_ROLLOUT
from mindup_training.targets import TargetRecorder


class Samples(NamedTuple):
    """N decisions."""

    rows: npt.NDArray[np.float32]  # (N, size), the features
    slots: npt.NDArray[np.int64]  # (N,), the slot of the hand that holds the chosen card
    # (N, slots), the win probability of the card in each slot; 0 in empty slots, and in all if no
    # target is ``card-values``
    slot_values: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]  # (N,), what the value is fitted to
    held_out: npt.NDArray[np.bool_]  # (N,), whether the deal is not learned from
    targets: dict[str, Tensor]  # (N, *axes), what the network has an auxiliary loss of, by name

    def part(self, rows: slice) -> "Samples":
        """Some of them, in the same memory."""
        targets = {name: each[rows] for name, each in self.targets.items()}
        return Samples._make([*(each[rows] for each in self[:-1]), targets])


def load_samples(
    config: ImitationConfig, datasets: Sequence[Dataset], network: nn.Module | None = None
) -> Samples:
    """Reads the decisions of the bots to imitate, and computes their features once.

    They are read turn by turn, which is the order that encoders with memory need. All datasets of
    the same seed hold out the same deals. The targets are those of a ``network``, if it has any;
    the cards of opponents are those that their bots chose.
    """
    known = dict.fromkeys(bot for dataset in datasets for bot in dataset.settings.bots)
    for bot in config.bots:
        if bot not in known:
            raise ValueError(f"no dataset has the bot {bot!r}{suggestion(bot, known)}")
    encoders = [
        make_encoder(config.features, dataset.settings.config, config.threads)
        for dataset in datasets
    ]
    sizes = sorted({encoder.shape.size for encoder in encoders})
    if len(sizes) > 1:
        raise ValueError(
            f"one network cannot learn from all datasets: their rows of the features "
            f"{config.features!r} have the sizes {', '.join(map(str, sizes))}"
        )
    most = sum(dataset.num_rows for dataset in datasets)  # rows that stay empty take no memory
    game = datasets[0].settings.config
    recorder = TargetRecorder(network, 1, most, game.num_players, game.num_cards)
    samples = _make_samples(most, encoders[0].shape, recorder)
    count = 0
    for number, (dataset, encoder) in enumerate(zip(datasets, encoders, strict=True)):
        settings, rng = dataset.settings, np.random.default_rng([config.seed, number])
        bots = [at for at, bot in enumerate(settings.bots) if bot in config.bots or not config.bots]
        drawn = np.random.default_rng([config.seed, settings.seed]).random(settings.deals)
        held_out = (drawn < config.held_out) | (drawn == drawn.min())
        equal_share = np.float32(1 / settings.config.num_players)
        for chunk in dataset.chunks():
            seats = np.flatnonzero(np.isin(chunk.seats.bot, bots))
            for turn in range(len(chunk.action) if len(seats) else 0):
                rows = slice(count, count + len(seats))
                part, count = samples.part(rows), rows.stop
                if count > MAX_ROLLOUT:
                    raise ValueError(
                        f"the datasets have more than {MAX_ROLLOUT} decisions of the bots"
                    )
                random_bits = rng.integers(2**64, size=len(seats), dtype=np.uint64)
                _fill(part, config, chunk, turn, seats, encoder, random_bits)
                _record_targets(recorder, rows, chunk, turn, seats)
                part.held_out[:] = held_out[chunk.seats.deal[seats]]
                if config.value_target == CARD_VALUES:
                    part.values[:] = part.slot_values.max(axis=1) - equal_share
    found = samples.part(slice(count))
    if found.held_out.all():
        raise ValueError("the datasets must have at least 2 deals: one is held out")
    return found


def _make_samples(most: int, shape: FeatureShape, recorder: TargetRecorder) -> Samples:
    return Samples(
        rows=np.zeros((most, shape.size), np.float32),
        slots=np.zeros(most, np.int64),
        slot_values=np.zeros((most, shape.slots), np.float32),
        values=np.zeros(most, np.float32),
        held_out=np.zeros(most, np.bool_),
        targets={name: each[0] for name, each in recorder.recorded.items()},
    )


def _fill(
    samples: Samples,
    config: ImitationConfig,
    chunk: DecisionChunk,
    turn: int,
    seats: npt.NDArray[np.int64],
    encoder: FeatureEncoder,
    random_bits: npt.NDArray[np.uint64],
) -> None:
    """Writes the features, the choices, the returns and the win probabilities of a turn."""
    masks = chunk.action_mask[turn, seats]
    is_start = np.full(len(seats), turn == 0)
    encoder.fill(chunk.observation[turn, seats], masks, is_start, random_bits, samples.rows)
    hands = samples.rows[:, encoder.shape.hand_begins :]
    samples.slots[:] = (hands == chunk.action[turn, seats][:, None]).argmax(axis=1)
    samples.values[:] = chunk.returns[turn, seats]
    if CARD_VALUES not in (config.policy_target, config.value_target):
        return
    values = np.take_along_axis(chunk.card_values[turn, seats], hands.astype(np.int64), axis=1)
    is_card, unit = hands != NO_CARD, UNITS.index(WIN_PROBABILITY)
    if (chunk.card_values_unit[turn, seats] != unit).any() or np.isnan(values[is_card]).any():
        raise ValueError(
            f"the target {CARD_VALUES!r} needs bots whose card_values are win probabilities of all "
            "cards in the hand"
        )
    samples.slot_values[:] = np.where(is_card, values, np.float32(0))


def _record_targets(
    recorder: TargetRecorder,
    rows: slice,
    chunk: DecisionChunk,
    turn: int,
    seats: npt.NDArray[np.int64],
) -> None:
    """Records the targets of a turn, which has the same number of these seats in each game."""
    players = chunk.seats.seat.max() + 1
    actions = chunk.action[turn].reshape(-1, players)
    hands = chunk.action_mask[turn].reshape(*actions.shape, -1)
    recorder.record(rows, chunk.seats.seat[seats].reshape(len(hands), -1), actions, hands)
