"""The decisions of datasets, as a network learns from them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import UNITS, WIN_PROBABILITY
from mindup_agents.features import FeatureEncoder, make_encoder
from mindup_agents.features.base import NO_CARD
from mindup_env.settings.checks import suggestion
from mindup_training.dataset import Dataset, DecisionChunk
from mindup_training.imitation.config import CARD_VALUES, ImitationConfig
from mindup_training.settings.hyperparameters import MAX_ROLLOUT


class Samples(NamedTuple):
    """N decisions.

    Attributes:
        rows: the features of each, float32 (N, size).
        slots: the slot of the hand that holds the chosen card (N,).
        slot_values: the win probability of the card in each slot (N, slots); 0 in empty slots, and
            in all if no target is ``card-values``.
        values: what the value of each is fitted to (N,).
        held_out: whether it belongs to a deal that is not learned from (N,).
    """

    rows: npt.NDArray[np.float32]  # (N, size)
    slots: npt.NDArray[np.int64]  # (N,)
    slot_values: npt.NDArray[np.float32]  # (N, slots)
    values: npt.NDArray[np.float32]  # (N,)
    held_out: npt.NDArray[np.bool_]  # (N,)


def load_samples(config: ImitationConfig, datasets: Sequence[Dataset]) -> Samples:
    """Reads the decisions of the bots to imitate, and computes their features once."""
    _check_bots(config, datasets)
    count = sum(_count(config, dataset) for dataset in datasets)
    if count > MAX_ROLLOUT:
        raise ValueError(
            f"the datasets have {count} decisions of the bots; the maximum is {MAX_ROLLOUT}"
        )
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
    samples = Samples(
        rows=np.zeros((count, sizes[0]), np.float32),
        slots=np.zeros(count, np.int64),
        slot_values=np.zeros((count, encoders[0].shape.slots), np.float32),
        values=np.zeros(count, np.float32),
        held_out=np.zeros(count, np.bool_),
    )
    first = 0
    for number, (dataset, encoder) in enumerate(zip(datasets, encoders, strict=True)):
        rng = np.random.default_rng([config.seed, number])
        for turn in _turns(config, dataset, encoder, rng):
            part = slice(first, first + len(turn.slots))
            samples.rows[part], samples.slots[part] = turn.rows, turn.slots
            samples.slot_values[part], samples.values[part] = turn.slot_values, turn.values
            samples.held_out[part] = turn.held_out
            first = part.stop
    if samples.held_out.all():
        raise ValueError("the datasets must have at least 2 deals: one is held out")
    return samples


def _turns(
    config: ImitationConfig, dataset: Dataset, encoder: FeatureEncoder, rng: np.random.Generator
) -> Iterator[Samples]:
    """The decisions turn by turn, which is the order that encoders with memory need."""
    held_out = _held_out_deals(config, dataset)
    equal_share = np.float32(1 / dataset.settings.config.num_players)
    for chunk in dataset.chunks():
        seats = np.flatnonzero(np.isin(chunk.seats.bot, _bots(config, dataset)))
        for turn in range(len(chunk.action) if len(seats) else 0):
            random_bits = rng.integers(2**64, size=len(seats), dtype=np.uint64)
            rows, slots = _encode(chunk, turn, seats, encoder, random_bits)
            hands = rows[:, encoder.shape.hand_begins :]
            slot_values = _slot_values(config, chunk, turn, seats, hands)
            values = chunk.returns[turn, seats]
            if config.value_target == CARD_VALUES:
                values = slot_values.max(axis=1) - equal_share
            yield Samples(rows, slots, slot_values, values, held_out[chunk.seats.deal[seats]])


def _slot_values(
    config: ImitationConfig,
    chunk: DecisionChunk,
    turn: int,
    seats: npt.NDArray[np.int64],
    hands: npt.NDArray[np.float32],
) -> npt.NDArray[np.float32]:
    """The win probabilities of a turn, for the card in each slot."""
    if CARD_VALUES not in (config.policy_target, config.value_target):
        return np.zeros_like(hands)
    values = np.take_along_axis(chunk.card_values[turn, seats], hands.astype(np.int64), axis=1)
    unit = UNITS.index(WIN_PROBABILITY)
    is_card = hands != NO_CARD
    if (chunk.card_values_unit[turn, seats] != unit).any() or np.isnan(values[is_card]).any():
        raise ValueError(
            f"the target {CARD_VALUES!r} needs bots whose card_values are win probabilities of all "
            "cards in the hand"
        )
    return np.where(is_card, values, np.float32(0))


def _encode(
    chunk: DecisionChunk,
    turn: int,
    seats: npt.NDArray[np.int64],
    encoder: FeatureEncoder,
    random_bits: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """The features of a turn, and the slots of the chosen cards."""
    rows = np.zeros((len(seats), encoder.shape.size), np.float32)
    episode_start = np.full(len(seats), turn == 0)
    encoder.fill(
        chunk.observation[turn, seats],
        chunk.action_mask[turn, seats],
        episode_start,
        random_bits,
        rows,
    )
    is_chosen = rows[:, encoder.shape.hand_begins :] == chunk.action[turn, seats][:, None]
    if not is_chosen.any(axis=1).all():
        raise ValueError("an observation of the dataset does not have the chosen card in the hand")
    return rows, is_chosen.argmax(axis=1)


def _held_out_deals(config: ImitationConfig, dataset: Dataset) -> npt.NDArray[np.bool_]:
    """Which deals are held out (deals,): the same ones in all datasets of the same seed."""
    settings = dataset.settings
    drawn = np.random.default_rng([config.seed, settings.seed]).random(settings.deals)
    held_out = drawn < config.held_out
    held_out[drawn.argmin()] = True
    return held_out


def _bots(config: ImitationConfig, dataset: Dataset) -> list[int]:
    bots = dataset.settings.bots
    return [index for index, bot in enumerate(bots) if bot in config.bots or not config.bots]


def _count(config: ImitationConfig, dataset: Dataset) -> int:
    bots, turns = _bots(config, dataset), dataset.settings.config.num_turns
    return turns * sum(int(np.isin(seats.bot, bots).sum()) for seats in dataset.seats())


def _check_bots(config: ImitationConfig, datasets: Sequence[Dataset]) -> None:
    known = dict.fromkeys(bot for dataset in datasets for bot in dataset.settings.bots)
    for bot in config.bots:
        if bot not in known:
            raise ValueError(f"no dataset has the bot {bot!r}{suggestion(bot, known)}")
