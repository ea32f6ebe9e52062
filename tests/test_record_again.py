"""Record, replay and record again: the same bytes for every config and every way to a game."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from tests.envs.strategies import tables
from tests.game_origins import (
    ORIGINS,
    PATHS,
    play_randomly,
    record_bytes,
    sampled_from,
    through_json,
)
from tests.rules.strategies import rules_settings

few_examples = settings(rules_settings, max_examples=min(8, rules_settings.max_examples))
origins = st.sampled_from(list(ORIGINS))
seeds = st.integers(0, 2**32 - 1)

ROUNDS_OF_ONE_TURN = GameConfig(2, num_rounds=1, hand_size=2), GameConfig(3, hand_size=2)
one_turn, one_turn_first = ROUNDS_OF_ONE_TURN


@few_examples
@given(origins, tables(), seeds)
@example("sampled", one_turn, 0)
@example("sampled and played", one_turn_first, 2)
def test_the_record_is_the_same_after_every_way(origin: str, config: GameConfig, seed: int) -> None:
    game = ORIGINS[origin](config, np.random.default_rng(seed))
    turns = len(game.record()["plays"])
    for name, path in PATHS.items():
        again = path(game)
        assert again == game and str(again) == str(game), name
        assert record_bytes(again) == record_bytes(game), name
        play_randomly(again, config.num_turns, np.random.default_rng(seed))
        assert Game.replay(through_json(again.record()), turns=turns) == game, name


@few_examples
@given(origins, tables(), seeds)
def test_a_record_replays_every_turn(origin: str, config: GameConfig, seed: int) -> None:
    random = np.random.default_rng(seed)
    games = [ORIGINS[origin](config, random)]
    while not games[-1].over:
        games.append(play_randomly(games[-1].copy(), 1, random))
    record = through_json(games[-1].record())
    before = len(record["plays"]) - len(games) + 1
    for turns, game in enumerate(games, start=before):
        assert Game.replay(record, turns=turns) == game


@pytest.mark.parametrize("config", ROUNDS_OF_ONE_TURN, ids=str)
def test_the_turn_that_ends_a_round_is_no_known_past(config: GameConfig) -> None:
    """The cards left over are among the prizes taken, so the record begins after that turn."""
    for seed in range(20):
        random = np.random.default_rng(seed)
        game = play_randomly(Game(config, seed), 1, random)
        record = sampled_from(game, seed % config.num_players, random).record()
        assert record["start"]["turns_played"] == 1 and record["plays"] == []
        assert Game.replay(through_json(record)).record() == record
        assert "start" not in game.record()
