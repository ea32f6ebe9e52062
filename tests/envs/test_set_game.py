"""A game from elsewhere is put into a place of a batch."""

from dataclasses import replace

import pytest

from mindup_env import BatchEnv, Game
from tests.envs.expected import assert_seen
from tests.envs.playing import SHORT, advance_lowest, deals, games_of, lowest_legal, ranks, started
from tests.rules.strategies import plays


def test_a_game_is_put_into_a_place_as_a_copy() -> None:
    env = started(3, turns=1)
    game, beside = Game(SHORT, seed=50), env.game(0)
    game.play([game.hand(player)[-1] for player in range(3)])
    untouched = game.copy()
    seen = env.set_game(1, game)
    assert [env.game(0), env.game(1)] == [beside, game]
    for index in range(3):
        assert_seen(
            env.layout, seen["observation"][index], seen["action_mask"][index], env.game(index)
        )
    advance_lowest(env, SHORT.num_turns - 1)
    assert game == untouched
    # The games after it are those of its place, whatever was put there.
    assert games_of(env) == deals(SHORT, 2, 3, episode=1)


def test_a_game_of_another_config_is_refused_and_so_is_a_place_that_is_not_there() -> None:
    env = started(2, turns=1)
    before = games_of(env)
    with pytest.raises(ValueError, match=r"played by GameConfig\(num_players=4.*num_players=3"):
        env.set_game(0, Game(replace(SHORT, num_players=4), seed=1))
    with pytest.raises(ValueError, match="index must be 0 to 1, not 2"):
        env.set_game(2, Game(SHORT, seed=1))
    assert games_of(env) == before


def test_a_batch_of_given_games_needs_no_reset() -> None:
    env, game = BatchEnv(SHORT, 1), Game(SHORT, seed=3)
    seen = env.set_game(0, game)
    game.play([game.hand(player)[0] for player in range(3)])
    env.step(lowest_legal(seen))
    assert env.game(0) == game


def test_a_place_where_nothing_was_dealt_is_not_played() -> None:
    env = BatchEnv(SHORT, 2)

    def play_half_a_batch() -> None:
        env.set_game(0, Game(SHORT, seed=3))
        env.step(lowest_legal(env.seen))

    with pytest.raises(ValueError, match="reset"):
        play_half_a_batch()


@pytest.mark.parametrize("autoreset", [True, False])
def test_a_finished_game_that_is_put_in_keeps_its_result(*, autoreset: bool) -> None:
    env, game = BatchEnv(SHORT, 2, autoreset=autoreset), Game(SHORT, seed=3)
    for _ in plays(game, 4):
        pass
    env.reset(seed=2)
    seen = env.set_game(0, game)
    assert not seen["action_mask"][0].any()
    _, rewards, over, _, info = env.step(lowest_legal(seen))
    assert over.tolist() == [True, False]
    assert not rewards[0].any()
    assert info["scores"][0].tolist() == list(game.scores)
    assert info["ranks"][0].tolist() == ranks(game)
    assert env.game(0) == (Game(SHORT, 2, episode=1) if autoreset else game)
