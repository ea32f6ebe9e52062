"""The bot ``mixture`` plays each game as one of its bots, as often as the weights say."""

from typing import Any

import numpy as np
import pytest

from mindup_agents.random_numbers import uniform_numbers
from mindup_agents.simple import LowestAgent
from mindup_env import BatchEnv, make_agent
from mindup_env.engine.state import Int8Array, Int64Array
from tests.agents.bots import choose_in_turn
from tests.agents.positions import ActArguments, whole_games
from tests.envs.playing import SHORT

GAMES = 400


def first_turn() -> ActArguments:
    """Many seats before the first turn, each with random bits of its own."""
    env = BatchEnv(SHORT, GAMES)
    env.reset(seed=0)
    bits = np.random.default_rng(0).integers(0, 2**64, GAMES, np.uint64)
    observation, mask = (env.seen[name][:, 0].copy() for name in ("observation", "action_mask"))
    return ActArguments(observation, mask, np.ones(GAMES, np.bool_), bits)


def test_the_random_numbers_are_the_published_ones_of_splitmix64() -> None:
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    numbers = uniform_numbers(np.array([1234567], np.uint64), range(1, 4))
    assert numbers[0] == pytest.approx(np.array(published) / 2**64, rel=1e-12)


def test_bots_are_drawn_by_their_weights() -> None:
    given = first_turn()
    ends = [make_agent(bot, SHORT).act(*given) for bot in ("lowest", "highest")]
    chosen = make_agent("mixture:lowest+3:highest", SHORT).act(*given)
    is_low, is_high = (chosen == end for end in ends)
    assert (is_low | is_high).all() and 0.2 < is_low.mean() < 0.3


def test_a_game_is_played_by_one_bot_which_remembers_it() -> None:
    turns = whole_games(SHORT, 5)
    bots = "predictor", "lowest"
    alone = [choose_in_turn(make_agent(bot, SHORT), turns) for bot in bots]
    chosen = choose_in_turn(make_agent("mixture:predictor+lowest", SHORT), turns)
    begins = np.array([turn.episode_start for turn in turns]).cumsum(axis=0)
    for row in range(chosen.shape[1]):
        for game in set(begins[:, row].tolist()):
            now = begins[:, row] == game
            assert any((chosen[now, row] == each[now, row]).all() for each in alone)
    assert not any((chosen == each).all() for each in alone)


def test_a_bot_sees_only_the_games_that_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a search takes little time for those of others."""
    given, act = first_turn(), LowestAgent.act
    seen = []

    def asked(bot: LowestAgent, observation: Int8Array, *others: Any) -> Int64Array:
        seen.extend((observation == given.observation).all(axis=1))
        return act(bot, observation, *others)

    monkeypatch.setattr(LowestAgent, "act", asked)
    chosen = make_agent("mixture:lowest+greedy", SHORT).act(*given)
    lowest = given.action_mask.argmax(axis=1)
    assert (chosen == lowest)[seen].all() and 0.4 < np.mean(seen) < 0.6


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mixture:greedi+random", "unknown agent 'greedi'"),
        ("mixture:0:greedy+random", "the weight in '0:greedy' must be above 0"),
    ],
)
def test_wrong_bots_are_refused(spec: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make_agent(spec, SHORT)
