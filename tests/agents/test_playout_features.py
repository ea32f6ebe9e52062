"""The features of playouts, and the decks of determinizations."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.features import ENCODERS, make_encoder
from mindup_agents.features.playout import (
    IS_BEST,
    LEAD_GAP,
    NUM_RESULTS,
    WIN_PROBABILITY,
    WIN_PROBABILITY_GAP,
    PlayoutFeatures,
)
from mindup_agents.heuristics.determinization import sample_determinization, write_deck
from mindup_agents.heuristics.observed_games import (
    KnownCards,
    ObservedArrays,
    ObservedGames,
    make_known_cards,
    update_known_cards,
)
from mindup_arena.match import win_share_against
from mindup_env import BatchEnv, GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Int8Array, Rules, make_games
from tests.agents.positions import ActArguments, Choices, stages, whole_games
from tests.envs.playing import SHORT, random_legal

CONFIGS = [GameConfig(3, 2), GameConfig(4), SHORT]


def results_of(config: GameConfig, arguments: ActArguments) -> npt.NDArray[np.float32]:
    """The results of each slot (B, slots, NUM_RESULTS)."""
    features = PlayoutFeatures(config)
    shape = features.shape
    rows = np.zeros((len(arguments.random_bits), shape.size), np.float32)
    features.fill(*arguments, rows)
    cards = rows[:, shape.cards_begin : shape.hand_begins]
    return cards.reshape(len(rows), shape.slots, shape.card)[..., -NUM_RESULTS:]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_the_best_card_is_behind_none(config: GameConfig) -> None:
    arguments = stages(config)
    results = results_of(config, arguments)
    for slots, mask in zip(results, arguments.action_mask, strict=True):
        hand = slots[: mask.sum()]
        assert not slots[mask.sum() :].any()
        assert (hand[:, WIN_PROBABILITY] > 0).all() and (hand[:, WIN_PROBABILITY] < 1).all()
        best = hand[:, WIN_PROBABILITY] == hand[:, WIN_PROBABILITY].max()
        assert np.array_equal(hand[:, IS_BEST], best)
        gaps = hand[:, WIN_PROBABILITY_GAP]
        assert (gaps[best] == 0).all() and (gaps[~best] < 0).all()
        assert hand[:, LEAD_GAP].max() == 0


def test_the_other_features_are_those_of_the_forecast() -> None:
    config, arguments = CONFIGS[0], stages(CONFIGS[0])
    playout, forecast = make_encoder("playout-1", config), make_encoder("forecast-1", config)
    rows, fewer = (
        np.zeros((len(arguments.random_bits), each.shape.size), np.float32)
        for each in (playout, forecast)
    )
    playout.fill(*arguments, rows)
    forecast.fill(*arguments, fewer)
    is_result = np.zeros(playout.shape.size, np.bool_)
    cards = is_result[playout.shape.cards_begin : playout.shape.hand_begins]
    cards.reshape(playout.shape.slots, -1)[:, -NUM_RESULTS:] = True
    assert np.array_equal(rows[:, ~is_result], fewer)


@pytest.mark.parametrize("name", ENCODERS)
def test_rows_do_not_depend_on_each_other(name: str) -> None:
    config = CONFIGS[0]
    together, apart = make_encoder(name, config), make_encoder(name, config)
    for arguments in whole_games(config, 2):
        number = len(arguments.random_bits)
        rows, others = (np.zeros((number, together.shape.size), np.float32) for _ in range(2))
        order = np.arange(number)[::-1]
        together.fill(*arguments, rows)
        apart.fill(*arguments.pick(order), others)
        assert np.array_equal(rows[order], others)


@kernel
def determinize(
    arrays: ObservedArrays, copy: tuple[Any, ...], shuffled: Int8Array, sample: int
) -> None:
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    sample_determinization(rules, games, known, 0, np.uint64(5), sample, shuffled)
    write_deck(rules, games, known, 0, shuffled, Games(*copy))


@kernel
def read_known_cards(arrays: ObservedArrays) -> None:
    update_known_cards(Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2]), 0)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_in_a_determinization_as_much_is_known_and_no_card_is_twice(config: GameConfig) -> None:
    env, chance = BatchEnv(config, 1, autoreset=False), np.random.default_rng(2)
    env.reset(seed=2)
    players, first_draw = config.num_players, config.num_players * (config.hand_size + 1)
    for turn in range(config.num_turns):
        observed, copy = ObservedGames(config, 1), make_games(config, 1)
        observed.read(env.seen["observation"][:, turn % players])
        determinize(observed.arrays, tuple(copy), np.zeros(config.num_cards, np.int8), turn)
        games = Games(*observed.arrays[1])
        there = games._replace(deck=copy.deck)
        found = make_known_cards(config, 1)
        read_known_cards((observed.arrays[0], tuple(there), tuple(found)))
        assert all(map(np.array_equal, found, KnownCards(*observed.arrays[2])))
        round_ = int(env._batch.rules.round_at[turn])
        next_draws = copy.deck[0, first_draw + round_ * players :][:players]
        if round_ + 1 < config.num_rounds:
            taken = int(np.bitwise_or.reduce(games.hands[0] | games.tableaux[0]))
            cards = {*next_draws.tolist(), *games.row[0].tolist()}
            cards |= {card for card in range(config.num_cards) if taken >> card & 1}
            sizes = [each.bit_count() for each in (games.hands[0] | games.tableaux[0]).tolist()]
            assert len(cards) == 2 * players + sum(sizes)
        env.step(random_legal(env.seen, chance))


class BestResult:
    """Plays the card that wins most of the playouts."""

    def __init__(self, config: GameConfig) -> None:
        self._encoder = PlayoutFeatures(config)

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> Choices:
        shape = self._encoder.shape
        rows = np.zeros((len(random_bits), shape.size), np.float32)
        self._encoder.fill(observation, action_mask, episode_start, random_bits, rows)
        results = rows[:, shape.cards_begin : shape.hand_begins].reshape(len(rows), shape.slots, -1)
        slots = results[..., -NUM_RESULTS + IS_BEST].argmax(axis=1)
        cards: Choices = rows[np.arange(len(rows)), shape.hand_begins + slots].astype(np.int64)
        return cards


def test_playouts_win_games() -> None:
    share = win_share_against(BestResult(GameConfig(3)), "planner", GameConfig(3), deals=30)
    assert share.low > 1 / 3 + 0.05
