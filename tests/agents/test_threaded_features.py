"""Features in several threads: every byte is the same, and errors name the row of the batch."""

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from mindup_agents.features import ENCODERS, FeatureEncoder, make_encoder
from mindup_agents.features.plain import PlainFeatures
from mindup_agents.features.threaded import ThreadedEncoder
from mindup_env import GameConfig, agent
from mindup_env.observation import layout_of
from tests.agents.positions import ActArguments, joined, whole_games
from tests.envs.playing import SHORT

SIX = GameConfig(6, 2, num_rounds=1, hand_size=3)
PLAIN = 3 * PlainFeatures.least_rows + 5
Rows = np.ndarray[tuple[int, int], np.dtype[np.float32]]


def filled(encoder: FeatureEncoder, asked: ActArguments) -> Rows:
    rows = np.full((len(asked.random_bits), encoder.shape.size), np.nan, np.float32)
    encoder.fill(*asked, rows)
    return rows


def least(name: str) -> int:
    """The least rows of a thread."""
    return ENCODERS[name](SHORT).least_rows


def uneven(name: str) -> int:
    """A number of rows that three threads cannot share equally."""
    return 3 * least(name) + 5


def turns_of(config: GameConfig, num_rows: int) -> Iterator[ActArguments]:
    """Rows of two groups of games, mixed: the second begins while the first is being played."""
    num_games = num_rows // (2 * config.num_players) + 1
    groups = [whole_games(config, num_games, seed) for seed in (1, 2)]
    order = np.random.default_rng(num_rows).permutation(2 * len(groups[0][0].random_bits))
    for turn in range(2 * config.num_turns):
        both = (group[(turn + 2 * late) % config.num_turns] for late, group in enumerate(groups))
        yield joined(both).pick(order[:num_rows])


def assert_same_rows(encoders: list[FeatureEncoder], asked: ActArguments) -> None:
    first, *others = (filled(encoder, asked).tobytes() for encoder in encoders)
    assert all(other == first for other in others)


@pytest.mark.parametrize("config", [SHORT, SIX], ids=str)
@pytest.mark.parametrize("name", ENCODERS)
def test_any_number_of_threads_gives_the_same_bytes(name: str, config: GameConfig) -> None:
    encoders = [make_encoder(name, config, number) for number in (1, 2, 3, 64)]
    assert {(encoder.name, encoder.shape) for encoder in encoders} == {(name, encoders[0].shape)}
    for num_rows in (1, max(1, 2 * least(name) - 1), 2 * least(name), uneven(name)):
        for asked in turns_of(config, num_rows):
            assert_same_rows(encoders, asked)


@pytest.mark.parametrize("name", ENCODERS)
def test_a_batch_of_another_size_starts_with_empty_memory(name: str) -> None:
    """Also where a slice of it has as many rows as before."""
    encoders, even = [make_encoder(name, SHORT, number) for number in (1, 2)], 2 * least(name)
    for turn, asked in enumerate(turns_of(SHORT, even + 1)):
        assert_same_rows(encoders, asked.pick(slice(even + turn // 3 % 2)))
    assert_same_rows(encoders, asked.pick(slice(0)))


@pytest.mark.parametrize("name", ENCODERS)
def test_an_error_names_the_row_of_the_batch_and_leaves_the_memory(name: str) -> None:
    encoders = [make_encoder(name, SHORT, number) for number in (1, 2, 3)]
    for turn, asked in enumerate(turns_of(SHORT, uneven(name))):
        row = (0, least(name), uneven(name) // 2, uneven(name) - 1)[turn % 4]
        observation = asked.observation.copy()
        layout_of(SHORT).views(observation[row])["turn"][...] = 100
        for encoder in encoders:
            with pytest.raises(ValueError, match=f"^row {row} of observation: .*`turn`"):
                filled(encoder, asked._replace(observation=observation))
        assert_same_rows(encoders, asked)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_mask_with_other_cards_is_refused_by_its_row(number: int) -> None:
    asked, encoder = next(turns_of(SHORT, PLAIN)), make_encoder("plain-1", SHORT, number)
    masks = asked.action_mask.copy()
    masks[PLAIN - 2] = 1
    with pytest.raises(ValueError, match=rf"^row {PLAIN - 2} of action_mask must allow only"):
        filled(encoder, asked._replace(action_mask=masks))


def test_arguments_are_checked_for_the_whole_batch() -> None:
    asked, encoder = next(turns_of(SHORT, PLAIN)), make_encoder("plain-1", SHORT, 2)
    with pytest.raises(ValueError, match=f"random_bits of {PLAIN} rows must be .* uint64"):
        filled(encoder, asked._replace(random_bits=asked.random_bits.astype(np.int64)))
    with pytest.raises(ValueError, match=rf"out must be float32 of shape \({PLAIN}, "):
        encoder.fill(*asked, np.zeros((PLAIN - 1, encoder.shape.size), np.float32))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
@pytest.mark.parametrize("name", ENCODERS)
def test_a_copy_has_the_memory_and_goes_on_alone(
    name: str, copied: Callable[[FeatureEncoder], FeatureEncoder]
) -> None:
    encoders = [make_encoder(name, SHORT, number) for number in (1, 3)]
    twins: list[FeatureEncoder] = []
    for turn, asked in enumerate(turns_of(SHORT, uneven(name))):
        if turn == 3:
            filled(copied(encoders[1]), asked)
            twins = [copied(encoders[1])]
        assert_same_rows([*encoders, *twins], asked)


def test_one_caller_at_a_time() -> None:
    encoder: Any = make_encoder("plain-1", SHORT, 2)
    asked = next(turns_of(SHORT, PLAIN))
    encoder._busy.set()
    with pytest.raises(RuntimeError, match="this ThreadedEncoder is being used by another thread"):
        filled(encoder, asked)
    encoder._busy.clear()
    filled(encoder, asked)


class Watched(PlainFeatures):
    """Keeps the numbers of rows that it wrote."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__(config)
        self.rows: list[int] = []

    def write(self, given: agent.ActArguments, out: Rows) -> None:
        self.rows.append(len(out))
        super().write(given, out)


def test_each_thread_has_a_slice_of_the_rows() -> None:
    made: list[Watched] = []

    def make() -> Watched:
        made.append(Watched(SHORT))
        return made[-1]

    encoder = ThreadedEncoder(make, SHORT, 4)
    filled(encoder, next(turns_of(SHORT, PLAIN)))
    assert [each.rows for each in made] == [[1025], [1026], [1026], []]


@pytest.mark.parametrize("wrong", [0, -1, "some", 1.5])
def test_a_wrong_number_of_threads_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"num_threads must be .*, or 'all' for one thread per"):
        make_encoder("plain-1", SHORT, wrong)
