"""The seats of Gymnasium's learners, and the bots around them."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from mindup_env import BatchEnv, IllegalActionWarning, SeatedBots
from mindup_env.agent import ActArguments
from tests.envs.bots import ByHand, Recorder, choose_all
from tests.envs.playing import SHORT, SHORT_TABLE, Int64Array, assert_even

TURNS, PLAYERS = SHORT.num_turns, SHORT.num_players


def vector(opponents: Any, num_envs: int = 3, **arguments: Any) -> Any:
    table = {**SHORT_TABLE, **arguments}
    return gymnasium.make_vec("MindUp-v0", num_envs=num_envs, opponents=opponents, **table)


def play(env: Any, decisions: int = 2 * TURNS) -> Int64Array:
    """Plays from a reset on; returns where the learners sat (decisions, N)."""
    seen, info = env.reset(seed=6)
    seats = []
    for _ in range(decisions):
        seats.append(info["seat"])
        seen, _, _, _, info = env.step(choose_all(seen["action_mask"]))
    return np.array(seats)


def rows_of(asked: ActArguments) -> list[tuple[bytes, ...]]:
    return [tuple(part.tobytes() for part in row) for row in zip(*asked, strict=True)]


@pytest.mark.parametrize("seat", [2, "random"])
def test_bots_sit_after_the_learner_in_order_and_see_their_own_seats(seat: int | str) -> None:
    """One bot for all of them, alone or in a list, is given the same."""
    one, listed, *bots = (Recorder(SHORT) for _ in range(PLAYERS + 1))
    seats = play(vector(bots, seat=seat))
    play(vector(one, seat=seat))
    play(vector([listed], seat=seat))
    batch = BatchEnv(SHORT, 3)
    seen, _ = batch.reset(seed=6)
    for decision in range(2 * TURNS):
        for after, bot in enumerate(bots, start=1):
            own = range(3), (seats[decision] + after) % PLAYERS
            asked = bot.asked[decision]
            assert np.array_equal(asked.observation, seen["observation"][own])
            assert np.array_equal(asked.action_mask, seen["action_mask"][own])
        each = sorted(row for bot in bots for row in rows_of(bot.asked[decision]))
        for bot in (one, listed):
            assert sorted(rows_of(bot.asked[decision])) == each
        seen, *_ = batch.step(choose_all(seen["action_mask"]))


@pytest.mark.parametrize("bots", [["random"], ["random", "predictor"]], ids=str)
def test_bots_play_as_at_the_seats_of_a_batch(bots: list[str]) -> None:
    """The same cards, so also the same random bits and the same memory, in several episodes."""
    env, learner = BatchEnv(SHORT, 4), vector(bots, 4, seat=0)
    env.reset(seed=6)
    seen, _ = learner.reset(seed=6)
    seated, actions = SeatedBots(env, {1: bots[0], 2: bots[-1]}), np.zeros((4, 3), np.int64)
    for _ in range(3 * TURNS):
        assert np.array_equal(seen["observation"], env.seen["observation"][:, 0])
        own = choose_all(seen["action_mask"])
        seated.act(actions)
        actions[:, 0] = own
        env.step(actions)
        seen, *_ = learner.step(own)


def seats_of(num_envs: int, *, opponents: Any = "random", seed: Any = 6) -> list[list[int]]:
    """In the first three episodes."""
    env = vector(opponents, num_envs, seat="random")
    answers = [env.reset(seed=seed), env.reset(), env.reset()]
    return [info["seat"].tolist() for _, info in answers]


def test_random_seats_depend_on_seed_slot_and_episode_alone() -> None:
    seats = seats_of(20)
    assert len(set(map(tuple, seats))) == 3, "every episode draws anew"
    assert seats_of(20, seed=7) != seats
    assert [row[:7] for row in seats] == seats_of(7, opponents=ByHand(SHORT))
    played = play(vector("random", 20), decisions=3 * TURNS)
    assert played[::TURNS].tolist() == seats
    assert (played[1:TURNS] == played[0]).all(), "it is the same for a whole game"
    alone = [seats_of(1, seed=seed) for seed in (7, 6)]
    assert np.array_equal(seats_of(2, seed=[7, 6]), np.hstack(alone))


def test_after_an_error_in_a_last_turn_learners_sit_where_the_next_games_have_them() -> None:
    def reward(_: Any, over: Any, win_shares: Any) -> Any:
        if over.any():
            raise ZeroDivisionError
        return win_shares

    env = vector("random", 20, seat="random", reward=reward)
    with pytest.raises(ZeroDivisionError):
        play(env)
    with pytest.warns(IllegalActionWarning):
        _, _, _, _, info = env.step(np.full(20, -1))
    assert info["seat"].tolist() == seats_of(20)[1]


def test_random_seats_are_even() -> None:
    seats = np.array(seats_of(8000))
    for row in (*seats, (seats[0] - seats[1]) % PLAYERS):  # a seat tells nothing of the next one
        assert_even(row, range(PLAYERS))


def test_the_learners_mask_is_that_of_its_observation() -> None:
    env = gymnasium.make("MindUp-v0", **SHORT_TABLE)
    masks = env.get_wrapper_attr("action_masks")
    seen, _ = env.reset(seed=6)
    for turn in range(TURNS):
        assert masks().dtype == bool and np.array_equal(masks(), seen["action_mask"])
        assert masks().any(), turn
        seen, *_ = env.step(int(masks().argmax()))
    assert not masks().any()


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"opponents": []}, "1 bot for all other seats or 3 bots in seat order, .*, not 0"),
        ({"opponents": ["random"] * 4}, "3 bots in seat order, for 4 players, not 4"),
        ({"opponents": ["random", "randon", "random"]}, "unknown agent 'randon'"),
        ({"opponents": 3}, "opponents must be a list, not 3"),
        ({"seat": 4}, "seat, if not 'random', must be 0 to 3, not 4"),
        ({"seat": None}, "seat, if not 'random', must be a whole number, not None"),
    ],
    ids=str,
)
def test_other_bots_and_seats_are_refused(make: Any, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make("MindUp-v0", **given)
