"""Odd arguments of games, of reset options and of OpenSpiel's parameters are refused in words."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import BatchEnv, Game, GameConfig, mindup_v0
from mindup_env.open_spiel.parameters import DEFAULTS, Parameters, deck_text, read_deck
from tests.game_origins import played, record_bytes, through_json
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import ODD_VALUES, mutated, mutated_plain
from tests.hostile.random_games import random_config, random_deck
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile


def test_odd_arguments_of_a_game_change_nothing(attempts: Attempts) -> None:
    for random in attempts:
        game = played(random_config(random), random)
        before = record_bytes(game)
        cards = [max(game.hand(player), default=1) for player in range(game.config.num_players)]
        for _ in range(50):
            attempts.inputs += 1
            odd = odd_value(random)
            result_or_refusal(partial(Game, game.config, odd))
            result_or_refusal(partial(Game, odd))
            result_or_refusal(partial(Game, game.config, 1, slot=odd, episode=odd_value(random)))
            result_or_refusal(partial(game.hand, odd))
            result_or_refusal(partial(Game.replay, through_json(game.record()), turns=odd))
            check_turn(game, mutated_plain(random, cards))
            check_turn(game, odd)
            assert record_bytes(game) == before


def test_odd_reset_options_change_nothing(attempts: Attempts) -> None:
    for random in attempts:
        env = mindup_v0.parallel_env(num_players=3)
        env.reset(seed=1)
        before = record_bytes(env.unwrapped.game)
        record = through_json(Game(GameConfig(3), seed=2).record())
        options = {"record": record} if random.random() < 0.5 else {"deal": record["deal"]}
        for _ in range(50):
            attempts.inputs += 1
            damaged = mutated_plain(random, options)
            if not isinstance(damaged, dict):
                continue
            found = result_or_refusal(partial(env.reset, seed=1, options=damaged))
            if found is None:
                assert record_bytes(env.unwrapped.game) == before
            env.reset(seed=1)


def test_a_game_put_into_another_environment_is_refused(attempts: Attempts) -> None:
    for random in attempts:
        attempts.inputs += 1
        game = played(random_config(random), random)
        env = BatchEnv(random_config(random), 2)
        env.reset(seed=1)
        before = env.seen["observation"].tobytes()
        if result_or_refusal(partial(env.set_game, 1, game)) is None:
            assert env.seen["observation"].tobytes() == before
        else:
            assert env.game(1) == game and env.config == game.config


def test_damaged_openspiel_parameters_are_refused_or_read_back(attempts: Attempts) -> None:
    for random in attempts:
        deck = deck_text(random_deck(random, int(random.integers(1, 20)))).encode()
        for _ in range(50):
            attempts.inputs += 1
            text = mutated(random, random.choice([deck, b"official:30"])).decode("utf-8", "replace")
            found = result_or_refusal(partial(read_deck, text))
            assert found is None or read_deck(deck_text(found)) == found
            orders = mutated(random, b"2/4/1/5/3").decode("utf-8", "replace")
            given = {**DEFAULTS, "deck": text, "score_cards": orders, "players": 2, "rounds": 1}
            result_or_refusal(partial(Parameters.read, {**given, "hand_size": 2}))


def check_turn(game: Game, cards: Any) -> None:
    """Refused, and nothing changes; or played."""
    after = game.copy()
    result_or_refusal(partial(after.play, cards))
    if after != game:
        assert after.plays == (*game.plays, tuple(cards))
        assert Game.replay(through_json(after.record())) == after


def odd_value(random: Generator) -> Any:
    if random.random() < 0.3:
        return np.array(random.integers(0, 70, size=random.integers(0, 4)))
    return ODD_VALUES[random.integers(0, len(ODD_VALUES))]
