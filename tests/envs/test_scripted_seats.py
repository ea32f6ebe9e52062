"""Bots at seats of a BatchEnv in a loop of one's own: what they see, draw and play."""

import re
from typing import Any

import gymnasium
import numpy as np
import pytest

from mindup_env import BatchEnv, GameConfig, ScriptedSeats
from mindup_env.envs.seat_inputs import SeatInputs
from tests.envs.bots import Recorder, choose_all
from tests.envs.playing import SHORT, advance, deals, lowest_legal, random_legal

GAMES = 4


def batch(num_envs: int = GAMES, seed: int = 6) -> BatchEnv:
    env = BatchEnv(SHORT, num_envs)
    env.reset(seed=seed)
    return env


@pytest.mark.parametrize("bots", [["random"], ["random", "predictor"]], ids=str)
def test_they_play_as_in_the_vector_environment(bots: list[str]) -> None:
    """The same cards, so also the same random bits and the same memory, in several episodes."""
    table = {name: getattr(SHORT, name) for name in ("num_objectives", "num_rounds", "hand_size")}
    vector: Any = gymnasium.make_vec(
        "MindUp-v0", num_envs=GAMES, num_players=3, opponents=bots, seat=0, **table
    )
    seen, _ = vector.reset(seed=6)
    env = batch()
    seats = ScriptedSeats(env, {1: bots[0], 2: bots[-1]})
    assert (seats.seats, seats.free_seats) == ([1, 2], [0])
    actions = np.full((GAMES, 3), -7)
    for _ in range(3 * SHORT.num_turns):
        assert np.array_equal(seen["observation"], env.seen["observation"][:, 0])
        own = choose_all(seen["action_mask"])
        seats.act(actions)
        actions[:, 0] = own
        env.step(actions)
        seen, *_ = vector.step(own)


def test_a_bot_sees_its_own_seats_and_writes_no_other() -> None:
    env, one, other = batch(), Recorder(SHORT), Recorder(SHORT)
    seats = ScriptedSeats(env, {2: one, 0: one, 1: other})
    assert (seats.seats, seats.free_seats) == ([0, 1, 2], [])
    alone = ScriptedSeats(env, {2: Recorder(SHORT)})
    for _ in range(SHORT.num_turns):
        actions, by_one = np.full((GAMES, 3), -7), np.full((GAMES, 3), -7)
        seats.act(actions)
        alone.act(by_one)
        assert (by_one[:, :2] == -7).all() and np.array_equal(by_one[:, 2], actions[:, 2])
        for bot, own in ((one, [2, 0]), (other, [1])):
            for name in ("observation", "action_mask"):
                expected = env.seen[name][:, own].reshape(GAMES * len(own), -1)
                assert np.array_equal(getattr(bot.asked[-1], name), expected)
        env.step(actions)
    assert len(one.asked) == len(other.asked) == SHORT.num_turns, "each acts once per turn"


def test_a_game_is_new_where_its_last_turn_was_not_read() -> None:
    env = batch()
    inputs, begun = SeatInputs(env, [1]), []

    def read() -> None:
        begun.append(inputs.read().episode_start.astype(int).tolist())

    for _ in range(SHORT.num_turns + 2):  # the last two in the next episode
        read()
        env.step(lowest_legal(env.seen))
    new, known = [1] * GAMES, [0] * GAMES
    assert begun == [new, *[known] * (SHORT.num_turns - 1), new, known]
    env.reset(seed=6)
    read()
    env.step(lowest_legal(env.seen))
    env.step(lowest_legal(env.seen))
    read()
    env.step(lowest_legal(env.seen))
    env.set_game(2, deals(SHORT, 9, 1)[0])
    read()
    assert begun[-3:] == [new, new, [0, 0, 1, 0]]
    other = batch(seed=9)
    for each in (env, other):
        each.reset()
    read()
    for each in (env, other):
        each.step(lowest_legal(each.seen))
    env.set_state([2], other.get_state([2]))  # another game, at the turn that would come next
    read()
    assert begun[-1] == [0, 0, 1, 0]


def test_games_with_different_turns_draw_the_bits_of_their_own_turns() -> None:
    env, drawn = batch(), []
    for _ in range(3):
        drawn.append(SeatInputs(env, [2, 0]).read().random_bits.reshape(GAMES, 2).copy())
        saved = env.get_state([0])
        env.step(lowest_legal(env.seen))
    env.set_state([0], saved)  # one turn behind the others
    mixed = SeatInputs(env, [2, 0]).read().random_bits.reshape(GAMES, 2)
    assert np.array_equal(mixed[0], drawn[2][0])
    later = np.concatenate([*drawn, mixed[1:]]).ravel()
    assert len({*later.tolist()}) == later.size
    inputs = SeatInputs(env, [0, 1, 2])
    assert all(map(np.shares_memory, inputs.read(), inputs.read())), "the arrays are written over"


class Lazy:
    def act(self, *_: Any) -> Any:
        return np.zeros(1, np.int64)


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (["greedy"], "bots must be a dict such as {1: 'greedy'}, not ['greedy']"),
        ({3: "greedy"}, "a seat must be 0 to 2, not 3"),
        ({"1": "greedy"}, "a seat must be a whole number, not '1'"),
        ({1: "gredy"}, "unknown agent 'gredy'; did you mean greedy?"),
        ({1: 5}, "an agent is named by a text such as 'greedy', not 5"),
        ({1: Lazy()}, "act() of a bot must be integers of shape (4,), not int64 of shape"),
    ],
)
def test_wrong_bots_are_refused(bots: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        ScriptedSeats(batch(), bots).act(np.zeros((GAMES, 3), np.int64))


def test_other_games_seats_and_actions_are_refused() -> None:
    with pytest.raises(ValueError, match="env must be a BatchEnv, not"):
        ScriptedSeats(gymnasium.make("MindUp-v0"), {1: "greedy"})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=re.escape("each seat can be given once, not [1, 1]")):
        SeatInputs(batch(), [1, 1])
    with pytest.raises(ValueError, match=r"reset\(\) deals the first games"):
        ScriptedSeats(BatchEnv(SHORT, 2), {1: "lowest"}).act(np.zeros((2, 3), np.int64))
    said = r"actions must be (integers of shape \(4, 3\) \(games, players\), not|an array, which)"
    for actions in (np.zeros((GAMES, 2), int), np.zeros((GAMES, 3)), [[0] * 3] * GAMES):
        with pytest.raises(ValueError, match=said):
            ScriptedSeats(batch(), {}).act(actions)  # type: ignore[arg-type]


def test_finished_games_do_not_disturb_the_bots() -> None:
    env = BatchEnv(GameConfig(num_players=3, num_rounds=1, hand_size=2), 2, autoreset=False)
    seats = ScriptedSeats(env, {1: "greedy", 2: "random"})
    env.reset(seed=1)
    actions = np.zeros((2, 3), np.int64)
    for _ in range(3):
        seats.act(actions)
        actions[:, 0] = random_legal(env.seen, np.random.default_rng(1))[:, 0]
        env.step(actions)
    env.reset()
    assert advance(env, 1, seed=1)
