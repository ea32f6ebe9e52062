"""A history is a game of the engine; that later rounds are dealt later changes nothing."""

import copy
import pickle
import random
from itertools import product

import numpy as np
import pytest

from mindup_env import Game, GameConfig
from mindup_env.open_spiel.chance import Chance, Draws
from mindup_env.open_spiel.history_state import HistoryState
from mindup_env.open_spiel.observer import (
    Visibility,
    information_state,
    information_state_string,
    observation,
)
from mindup_env.open_spiel.parameters import read_deck
from tests.open_spiel.history_states import SIX_CARDS, dealt, play_on, random_history

CONFIGS = [
    GameConfig(num_players=3, num_objectives=2),
    GameConfig(num_players=2, num_rounds=4, hand_size=2),
    GameConfig(num_players=4, num_rounds=1, num_objectives=5),
]
BOTH = Visibility()


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_history_is_the_game_of_its_deal(config: GameConfig) -> None:
    history = random_history(Chance(config), seed=2)
    deal = Chance(config).deal(history.draws)
    game = Game.from_deal(config, deal.deck, deal.score_orders, deal.objectives)
    assert len(history.games) == config.num_turns + 1
    players = range(config.num_players)
    recalled = [information_state(history, player, BOTH) for player in players]
    for turn, earlier in enumerate(history.games):
        assert earlier.plays == history.plays[:turn]
        for player in players:
            seen = observation(earlier, player, BOTH)
            np.testing.assert_array_equal(seen, observation(game, player, BOTH))
            np.testing.assert_array_equal(seen, recalled[player][turn])
        if turn < config.num_turns:
            game.play(history.plays[turn])
    assert history.games[-1] == game and game.over


def test_the_table_waits_until_a_round_is_dealt() -> None:
    history = HistoryState(Chance(CONFIGS[1]))
    assert history.game is None and history.dealing and not history.over
    rng = random.Random(3)
    while not history.games:
        history = play_on(history, rng)
    waiting = play_on(history, rng)
    assert waiting.dealing and waiting.game is history.game and len(waiting.plays) == 1
    assert history.plays == (), "what comes after leaves a history as it was"
    while waiting.dealing:
        waiting = play_on(waiting, rng)
    assert waiting.games[-1].round == 2 and waiting.games[0] is history.game


def test_copies_share_what_never_changes() -> None:
    history = random_history(Chance(CONFIGS[0]), seed=4)
    assert copy.deepcopy(history) is history
    again = pickle.loads(pickle.dumps(history))
    assert again.games == history.games and again.draws == history.draws


def test_text_and_vectors_recall_the_same() -> None:
    """They tell the same histories apart, for every seat, in many deals of a small deck."""
    deck = read_deck(f"{SIX_CARDS}/pink/blue+1/blue")
    config = GameConfig(num_players=2, num_rounds=2, hand_size=2, deck=deck)
    chance = Chance(config, (1, 2, 3, 4, 5))
    pairs, histories = set(), 0
    for begun, _ in dealt(HistoryState(chance, Draws((2, 5, 0)))):
        earlier = begun.games[-1]
        for cards in product(earlier.hand(0), earlier.hand(1)):
            for history, _ in dealt(begun.played(cards)):
                histories += 1
                for player in (0, 1):
                    vectors = player, information_state(history, player, BOTH).tobytes()
                    pairs.add((information_state_string(history, player, BOTH), vectors))
    assert len({text for text, _ in pairs}) == len({vectors for _, vectors in pairs}) == len(pairs)
    assert len(pairs) < 2 * histories, "some are the same for a seat"


def test_the_past_is_recalled_where_the_present_is_the_same() -> None:
    """Two ways to the same table: the vector of the moment does not tell them apart."""
    deck = read_deck("/".join(["orange"] * 12))
    config = GameConfig(num_players=2, num_rounds=1, hand_size=5, deck=deck)
    begun = HistoryState(Chance(config, (1, 2, 3, 4, 5)), Draws(tuple(range(11)))).drawn(11)
    ways = []
    for first, second in (((1, 6), (2, 7)), ((2, 7), (1, 6))):
        ways.append(begun.played(first).played(second).played((3, 8)))
    for player in (0, 1):
        now = [observation(history.games[-1], player, BOTH).tobytes() for history in ways]
        assert now[0] == now[1]
        assert len({information_state(history, player, BOTH).tobytes() for history in ways}) == 2
        assert len({information_state_string(history, player, BOTH) for history in ways}) == 2


def test_shares_are_the_hand_and_all_else() -> None:
    earlier = random_history(Chance(CONFIGS[0]), seed=6).games[9]
    hand, rest = (
        observation(earlier, 1, share)
        for share in (Visibility(public=False), Visibility(private=False))
    )
    np.testing.assert_array_equal(hand + rest, observation(earlier, 1, BOTH))
    assert sorted(np.flatnonzero(hand) + 1) == list(earlier.hand(1))


def test_the_text_of_a_seat_can_be_read() -> None:
    deck = read_deck(f"{SIX_CARDS}/pink/blue+1")
    config = GameConfig(num_players=2, num_rounds=2, hand_size=2, deck=deck)
    history = HistoryState(Chance(config, (2, 4, 1, 5, 3)), Draws((0, 3, 1, 4, 2))).drawn(5)
    history = history.played((1, 5)).drawn(6).drawn(7).played((3, 2))
    assert information_state_string(history, 1, BOTH).splitlines() == [
        "player 1",
        "round 1: score cards 2 4 1 5 3",
        "row 3 6",
        "hand 2 5",
        "turn 1 5",
        "round 2: score cards 2 4 1 5 3",
        "row 1 5",
        "known 0: 3 4",
        "known 1: 2 6",
        "hand 2 6 8",
        "turn 3 2",
    ]
