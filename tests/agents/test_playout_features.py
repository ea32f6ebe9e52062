"""The features of playouts, and the decks of determinizations."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.features import make_encoder
from mindup_agents.features.playout import (
    IS_BEST,
    LEAD_GAP,
    NUM_RESULTS,
    WIN_PROBABILITY,
    WIN_PROBABILITY_GAP,
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
from tests.agents.positions import ActArguments, Choices, stages
from tests.envs.playing import SHORT, random_legal

CONFIGS = [GameConfig(3, 2), GameConfig(4), SHORT]


def results_of(config: GameConfig, arguments: ActArguments) -> npt.NDArray[np.float32]:
    """The results of each slot (B, slots, NUM_RESULTS)."""
    encoder = make_encoder("playout-1", config)
    rows = np.zeros((len(arguments.random_bits), encoder.shape.size), np.float32)
    encoder.fill(*arguments, rows)
    results: npt.NDArray[np.float32] = encoder.shape.split(rows)[1][..., -NUM_RESULTS:]
    return results


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
        self._encoder: Any = make_encoder("playout-1", config)

    def act(self, *given: Any) -> Choices:
        rows = np.zeros((len(given[0]), self._encoder.shape.size), np.float32)
        self._encoder.fill(*given, rows)
        _, cards, hand = self._encoder.shape.split(rows)
        slots = cards[..., -NUM_RESULTS + IS_BEST].argmax(axis=1)
        chosen: Choices = hand[np.arange(len(rows)), slots].astype(np.int64)
        return chosen


def test_playouts_win_games() -> None:
    share = win_share_against(BestResult(GameConfig(3)), "planner", GameConfig(3), deals=30)
    assert share.low > 1 / 3 + 0.05
