"""Configs, deals, games and records: any data can be played, or are refused in words."""

from functools import partial

import pytest
from hypothesis import strategies as st
from numpy.random import Generator

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.game.deal import Deal
from tests.envs.strategies import games, randoms, tables
from tests.game_origins import play_randomly, record_bytes, through_json
from tests.hostile.strategies import attack, damaged_part, damaged_plain, result_or_refusal

pytestmark = pytest.mark.slow


def check_playable(game: Game, random: Generator) -> None:
    """It is shown, and its records give it again, now and when it is over."""
    assert Game.replay(through_json(game.record())) == game
    env = BatchEnv(game.config, autoreset=False)
    env.reset(seed=1)
    seen = env.set_game(0, game)["observation"]
    assert (seen >= env.layout.low).all() and (seen <= env.layout.high).all()
    played = play_randomly(game.copy(), game.config.num_turns, random)
    assert played.over and str(played)
    record = played.record()
    assert record_bytes(Game.replay(through_json(record))) == record_bytes(played)


@attack(300, config=tables(), data=st.data(), random=randoms)
def test_a_damaged_config(config: GameConfig, data: st.DataObject, random: Generator) -> None:
    plain = data.draw(damaged_plain(data.draw(damaged_plain(config.to_dict()))))
    found = result_or_refusal(partial(GameConfig.from_dict, plain))
    if found is not None:
        assert GameConfig.from_dict(through_json(found.to_dict())) == found
        check_playable(Game(found, seed=1), random)


@attack(300, config=tables(), data=st.data(), random=randoms)
def test_a_damaged_deal(config: GameConfig, data: st.DataObject, random: Generator) -> None:
    """Damaged data, or cards, score cards or objectives in another order."""
    plain = through_json(Game(config, seed=int(random.integers(2**63))).deal.to_dict())
    reordered = {
        **plain,
        "deck": data.draw(st.permutations(plain["deck"])),
        "score_orders": [data.draw(st.permutations(order)) for order in plain["score_orders"]],
        "objectives": data.draw(st.permutations(plain["objectives"])),
    }
    part = data.draw(st.sampled_from(list(plain)))
    changed = data.draw(damaged_plain(plain) | st.just({**plain, part: reordered[part]}))
    deal = result_or_refusal(partial(Deal.from_dict, changed))
    if deal is None:
        return
    assert Deal.from_dict(through_json(deal.to_dict())) == deal
    game = result_or_refusal(partial(Game.from_deal, config, deal))
    if game is not None:
        assert game.deal == deal
        check_playable(game, random)


@attack(500, game=games, data=st.data(), random=randoms)
def test_a_damaged_record(game: Game, data: st.DataObject, random: Generator) -> None:
    record = through_json(game.record())
    changed = data.draw(damaged_part(record) | damaged_plain(record))
    replayed = result_or_refusal(partial(Game.replay, changed))
    if replayed is not None:
        check_playable(replayed, random)
