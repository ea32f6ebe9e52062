"""An action that is not a card of the hand changes the meaning of no game in silence."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from mindup_env import BatchEnv, Game, GameConfig, IllegalActionWarning
from tests.envs.apis import OF_PETTINGZOO, choices, dealt, play_turn
from tests.envs.playing import SHORT, everything, games_of, lowest_legal, started

ignored = pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")


def reward_by_function(gained: Any, over: Any, win_share: Any) -> Any:
    return gained * np.float64(0.5) + over[:, None] * win_share


@ignored
@pytest.mark.parametrize("turns", [0, SHORT.num_turns - 1])
@pytest.mark.parametrize("reward", ["margin+win", reward_by_function])
@pytest.mark.parametrize("no_card", [-1, -(2**63), 60, 256, 2**63 - 1])
def test_the_lowest_card_is_played_and_1_is_lost(reward: Any, turns: int, no_card: int) -> None:
    env, legal_env = (BatchEnv(SHORT, 3, reward=reward) for _ in range(2))
    env.reset(seed=1)
    legal_env.reset(seed=1)
    for _ in range(turns):
        actions = env.random_actions()
        legal_env.step(actions)
        env.step(actions)
    games, legal = games_of(env), env.random_actions().copy()
    wrong = np.zeros((3, 3), np.bool_)
    wrong[0, 2] = wrong[2, 0] = wrong[2, 1] = True
    asked = legal.copy()
    # A card of somebody else, a card of the row, and no card at all.
    asked[0, 2], asked[2, 0], asked[2, 1] = legal[0, 1], games[2].row[0] - 1, no_card
    legal[wrong] = lowest_legal(env.seen)[wrong]
    _, expected, _, _, expected_info = legal_env.step(legal)
    _, rewards, _, _, info = env.step(asked)
    np.testing.assert_allclose(rewards, expected - wrong, atol=1e-6)
    np.testing.assert_array_equal(info["points_gained"], expected_info["points_gained"])
    np.testing.assert_array_equal(info["illegal_actions"], wrong)
    assert games_of(env) == games_of(legal_env)
    last = lowest_legal(env.seen)
    assert everything(env.step(last)) == everything(legal_env.step(last)), "in that turn alone"


@ignored
@pytest.mark.parametrize("dtype", [np.uint64, np.int32, np.uint8], ids=lambda t: t.__name__)
def test_whole_numbers_of_any_size_are_understood(dtype: type[np.integer]) -> None:
    env = started(1, 0)
    asked = lowest_legal(env.seen).astype(dtype)
    assert not env.step(asked)[4]["illegal_actions"].any()
    asked[...] = np.iinfo(dtype).max
    assert env.step(asked)[4]["illegal_actions"].all()


def test_one_warning_for_each_environment() -> None:
    for _ in range(2):
        env = started(3, 0)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(SHORT.num_turns):
                asked = lowest_legal(env.seen)
                asked[1, 2] = asked[2, 0] = -7
                env.step(asked)
            env.reset()
            env.step(lowest_legal(env.seen) * 0 - 1)
        (warning,) = caught
        assert warning.category is IllegalActionWarning
        assert "in game 1, player 2 took action -7, which is not 0 to" in str(warning.message)
        assert warning.filename == __file__, "it points at the call of step"


def test_the_warning_names_the_line_of_the_user_in_every_api() -> None:
    parallel, turn_based = (dealt(make) for make in OF_PETTINGZOO)
    single: Any = gymnasium.make("MindUp-v0")
    vector: Any = gymnasium.make_vec("MindUp-v0", num_envs=2)
    single.reset(seed=1)
    vector.reset(seed=1)
    turn_based.step(99)
    turn_based.step(99)
    for step, actions in (
        (parallel.step, dict.fromkeys(parallel.agents, 99)),
        (turn_based.step, 99),
        (single.step, -1),
        (vector.step, np.array([99, 99])),
    ):
        with pytest.warns(IllegalActionWarning) as caught:
            step(actions)
        assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    "actions",
    [[[0, 1, 2]], 5, [[0.0] * 3] * 2, [[True] * 3] * 2, [[0, 1, 2], [3, 4, None]], [[0], 1], "012"],
    ids=repr,
)
def test_other_shapes_and_types_are_refused(actions: Any) -> None:
    env = started(2, 0)
    before = games_of(env)
    with pytest.raises(ValueError, match=r"integers of shape \(2, 3\) \(games, players\)"):
        env.step(actions)
    assert games_of(env) == before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"num_envs": 0}, "num_envs must be 1 to 4294967295, not 0"),
        ({"num_envs": 2**32}, "num_envs must be 1 to 4294967295, not 4294967296"),
        ({"config": 0}, "config must be a GameConfig, such as GameConfig.4., not 0"),
        ({"config": {}}, "config must be a GameConfig, such as GameConfig.4., not {}"),
        ({"autoreset": AutoresetMode.DISABLED}, "autoreset must be a bool, not"),
    ],
)
def test_other_arguments_of_a_batch_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        BatchEnv(**given)


# In the environments of PettingZoo and Gymnasium

apis = pytest.mark.parametrize("make", OF_PETTINGZOO)


@apis
@pytest.mark.parametrize("action", [1.0, True, None, np.array([3]), -(2**70)], ids=repr)
def test_what_is_no_action_is_refused_with_its_agent(make: Any, action: Any) -> None:
    env = dealt(make)
    first, _, last = choices(env)
    with pytest.raises(ValueError, match="the action of player_1 must be"):
        play_turn(env, [first, action, last])
    assert env.unwrapped.game == Game(GameConfig(num_players=3), 7)


@apis
@pytest.mark.parametrize("action", [None, 60, -(2**63) + 1], ids=repr)
def test_illegal_actions_are_penalised_and_told(make: Any, action: int | None) -> None:
    env = dealt(make, reward="score")
    # None for a card that another hand holds.
    chosen = env.observe("player_2")["action_mask"].argmin() if action is None else action
    for turn in range(3):
        before = env.unwrapped.game
        first, second, _ = choices(env)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            rewards, infos = play_turn(env, [first, second, chosen])
        assert len(caught) == (turn == 0)
        assert env.unwrapped.game.plays[-1] == (first + 1, second + 1, before.hand(2)[0])
        assert [info["illegal_actions"] for info in infos.values()] == [False, False, True]
        paid = [rewards[agent] - infos[agent]["points_gained"] for agent in infos]
        assert paid == [0, 0, -1]
    _, infos = play_turn(env, choices(env))
    assert infos["player_2"]["illegal_actions"] is False, "of this turn alone"


def test_a_filter_of_warnings_makes_it_an_error_of_every_environment() -> None:
    env = started(3, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", IllegalActionWarning)
        with pytest.raises(IllegalActionWarning, match="in game 0, player 0 took action -1"):
            env.step(lowest_legal(env.seen) * 0 - 1)
    assert [len(game.plays) for game in games_of(env)] == [1, 1, 1], "the turn is complete"


def test_a_learner_is_warned_of_and_charged_for_its_own_illegal_action() -> None:
    env: Any = gymnasium.make_vec("MindUp-v0", num_envs=2, num_players=3, seat=1)
    seen, _ = env.reset(seed=7)
    actions = seen["action_mask"].argmax(axis=1)
    actions[1] = 60
    with pytest.warns(IllegalActionWarning, match="in game 1, player 1 took action 60"):
        _, rewards, _, _, info = env.step(actions)
    assert rewards.tolist() == [0, -1] and info["illegal_actions"].tolist() == [False, True]
    for wrong in ([1.5, 2], [True] * 2, 5, [5]):
        with pytest.raises(ValueError, match="actions must be integers of shape"):
            env.step(wrong)
