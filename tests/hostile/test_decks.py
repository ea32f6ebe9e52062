"""Configs, deals and deck files: any data makes one that can be played, or is refused in words."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import Deck, Game, GameConfig, mindup_v0
from mindup_env.game.deal import Deal
from tests.game_origins import play_randomly, through_json
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import ODD_VALUES, mutated, mutated_plain
from tests.hostile.random_games import random_config, random_deck
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile


def test_a_damaged_config_is_refused_or_can_be_played(attempts: Attempts) -> None:
    for random in attempts:
        plain = random_config(random).to_dict()
        for _ in range(50):
            attempts.inputs += 1
            damaged = mutated_plain(random, mutated_plain(random, plain))
            config = result_or_refusal(partial(GameConfig.from_dict, damaged))
            if config is not None:
                assert GameConfig.from_dict(through_json(config.to_dict())) == config
                if random.random() < 0.1:
                    check_playable(Game(config, seed=1), random)


def test_odd_arguments_of_a_config_are_refused(attempts: Attempts) -> None:
    names = ["num_players", "num_objectives", "num_rounds", "hand_size", "deck"]
    for random in attempts:
        for _ in range(50):
            attempts.inputs += 1
            chosen = random.choice(names, size=random.integers(1, 3), replace=False)
            given = {str(name): odd_value(random) for name in chosen}
            config = result_or_refusal(partial(GameConfig, **given))
            env = result_or_refusal(partial(mindup_v0.parallel_env, **given))
            assert (config is None) == (env is None)
            assert config is None or GameConfig.from_dict(through_json(config.to_dict())) == config


def test_a_damaged_deal_is_refused_or_can_be_played(attempts: Attempts) -> None:
    for random in attempts:
        config = random_config(random)
        plain = through_json(Game(config, seed=int(random.integers(2**63))).deal.to_dict())
        env = mindup_v0.parallel_env(num_players=config.num_players)
        for _ in range(50):
            attempts.inputs += 1
            damaged = damaged_deal(plain, random)
            deal = result_or_refusal(partial(Deal.from_dict, config, damaged))
            if deal is None:
                continue
            assert Deal.from_dict(config, through_json(deal.to_dict())) == deal
            game = Game.from_deal(config, deal.deck, deal.score_orders, deal.objectives)
            assert game.deal == deal
            check_playable(game, random)
            # The same deal does not fit every other config, and is refused there.
            result_or_refusal(partial(env.reset, options={"deal": damaged}))


def test_a_damaged_deck_file_is_refused_by_its_name(attempts: Attempts, tmp_path: Path) -> None:
    path = tmp_path / "deck.csv"
    for random in attempts:
        deck = random_deck(random, int(random.integers(1, 61)))
        rows = [f"{card.number},{card.colour},{card.points}\n" for card in deck]
        text = "number,colour,points\n" + "".join(rows)
        for _ in range(50):
            attempts.inputs += 1
            path.write_bytes(mutated(random, text.encode()))
            found = result_or_refusal(partial(Deck.from_csv, path), naming=str(path))
            if found is None:
                continue
            assert Deck(tuple(found)) == found
            config = result_or_refusal(partial(GameConfig, 2, 0, 1, 2, found))
            if config is not None:
                check_playable(Game(config, seed=1), random)


def odd_value(random: Generator) -> Any:
    kind = random.integers(0, 4)
    if kind == 0:
        return int(random.integers(-2, 10))
    if kind == 1:
        return random_deck(random, int(random.integers(1, 61)))
    if kind == 2:
        return np.array(random.integers(0, 7, size=random.integers(0, 3)))
    return ODD_VALUES[random.integers(0, len(ODD_VALUES))]


def damaged_deal(plain: dict[str, Any], random: Generator) -> Any:
    """Damaged data, or cards, score cards or objectives in another order."""
    if random.random() < 0.6:
        return mutated_plain(random, plain)
    part = str(random.choice(list(plain)))
    shuffled = [plain[part][place] for place in random.permutation(len(plain[part]))]
    if part != "deck":
        shuffled = [[each[place] for place in random.permutation(len(each))] for each in shuffled]
    return {**plain, part: shuffled}


def check_playable(game: Game, random: Generator) -> None:
    played = play_randomly(game, game.config.num_turns, random)
    assert played.over and str(played)
    assert Game.replay(through_json(played.record())) == played
