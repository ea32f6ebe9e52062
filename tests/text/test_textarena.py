"""The game in TextArena: the same games, text for text, as in this project's environments."""

import random
import warnings
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.text import game_reward, rules_text, seat_prompt

pytestmark = pytest.mark.slow


@pytest.fixture
def textarena() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own business
        found = pytest.importorskip("textarena", reason="textarena is not installed")
    import mindup_env.textarena  # noqa: F401, PLC0415  # registers the game

    return found


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_game_is_played_by_text(textarena: Any, players: int) -> None:
    config = GameConfig(players, num_objectives=2)
    env = textarena.make("MindUp-v0", num_objectives=2, reward="margin+win")
    env.reset(num_players=players, seed=7)
    batch, chance = BatchEnv(config, autoreset=False), random.Random(1)
    batch.reset(seed=7)
    done, state = False, random.getstate()
    while not done:
        cards = []
        for seat in range(players):
            player, text = env.get_observation()
            assert player == seat
            prompt = seat_prompt(batch.seen["observation"][0, seat], config)
            assert text == f"{rules_text(config)}\n\n{prompt}"
            cards.append(chance.choice(batch.game(0).hand(seat)))
            done, _ = env.step(f"Let me see.\ncard {cards[-1]}")
        batch.step(np.array([cards]) - 1)
    game = batch.game(0)
    rewards, infos = env.close()
    assert game.over and Game(config, 7).deal == game.deal
    assert rewards == {
        seat: pytest.approx(game_reward(game, seat, "margin+win")) for seat in range(players)
    }
    for seat in range(players):
        assert infos[seat]["turn_count"] == config.num_turns and not infos[seat]["invalid_move"]
        assert f"player {seat}: {game.scores[seat]}" in infos[seat]["reason"]
    assert random.getstate() == state, "the random numbers of the process are its own"


def test_a_wrong_answer_is_asked_for_again_and_then_costs(textarena: Any) -> None:
    env = textarena.make("MindUp-v0", num_rounds=1, hand_size=2, retries=2, reward="score")
    env.reset(num_players=2, seed=3)
    game = Game(GameConfig(2, num_rounds=1, hand_size=2), seed=3)
    for answer in ("pass", "card 61"):
        assert env.step(answer) == (False, {})
        player, text = env.get_observation()
        assert player == 0 and "Your previous answer was not valid: " in text
    assert "card 61 is not in your hand" in text and "'pass'" not in text
    assert env.step("pass") == (False, {})
    assert env.get_observation()[0] == 1, "the lowest card of player 0 is played"
    done, _ = env.step(f"card {game.hand(1)[1]}")
    game.play([game.hand(0)[0], game.hand(1)[1]])
    rewards, infos = env.close()
    assert done and rewards == {0: game.scores[0] - 1, 1: game.scores[1]}
    assert infos[0]["invalid_move"] and not infos[1]["invalid_move"]


def test_games_without_a_seed_differ(textarena: Any) -> None:
    env, texts = textarena.make("MindUp-v0").env, set()
    for _ in range(3):
        env.reset(num_players=4)
        texts.add(env.get_observation()[1][1][1])
    assert len(texts) == 3


def test_wrong_options_are_refused(textarena: Any) -> None:
    with pytest.raises(ValueError, match="reward must be a sum"):
        textarena.make("MindUp-v0", reward="points")
    with pytest.raises(ValueError, match="num_players must be 2 to 6"):
        textarena.make("MindUp-v0").reset(num_players=9)
