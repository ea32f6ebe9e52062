"""Tables at which several seats learn, as each of RLlib's workers has them."""

from typing import Any

import numpy as np
import pytest

from mindup_agents.features import make_encoder
from mindup_env import BatchEnv
from mindup_training.distributed import Rllib
from mindup_training.learner_rows import Tables
from mindup_training.opponent_mix import MixedOpponents, parse_share
from mindup_training.rllib.tables import SharedTables
from mindup_training.rllib.worker_envs import WorkerEnvs, WorkerShare
from mindup_training.settings import TrainSettings
from tests.envs.bots import Recorder
from tests.envs.playing import SHORT

TURNS = SHORT.num_turns
ENCODERS = make_encoder("plain-1", SHORT)
HANDS = ENCODERS.shape.hand_begins
REWARD = "0.1*margin+win"
MORE = TrainSettings(
    players=3,
    objectives=(0, 2),
    game={"num_rounds": 2, "hand_size": 3},
    opponents=("lowest",),
    rllib=Rllib(env_runners=2, learning_seats=2),
).changed({"ppo": {"num_envs": 10}})


def shared(num_games: int, learning: int) -> SharedTables:
    rows = np.zeros((num_games * learning, ENCODERS.shape.size), np.float32)
    mix = Tables((SHORT,), (parse_share("lowest"),), REWARD, "plain-1", num_games)
    return SharedTables(SHORT, mix, learning, rows)


def lowest(rows: np.ndarray[Any, np.dtype[np.float32]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The actions that play the lowest card of each row's hand."""
    return rows[:, HANDS].astype(np.int64)


def test_learners_sit_anywhere_and_elsewhere_in_the_next_deal() -> None:
    tables = shared(3000, 2)
    tables.deal(5, 0)
    first = tables.seats.copy()
    assert (first[:, 0] != first[:, 1]).all()
    pairs, counts = np.unique(first, axis=0, return_counts=True)
    assert len(pairs) == 6 and (np.abs(counts - 500) < 4 * np.sqrt(500)).all()
    tables.deal(5, 1)
    assert (tables.seats != first).any()


@pytest.mark.parametrize("learning", [1, 2, 3])
def test_learners_see_and_gain_what_their_seats_do(learning: int) -> None:
    tables, env = shared(6, learning), BatchEnv(SHORT, 6, reward=REWARD)
    tables.deal(5, 0)
    seats = np.arange(6)[:, None], tables.seats.copy()
    seen, _ = env.reset(5)
    for turn in range(TURNS):
        own = {name: array[seats].reshape(6 * learning, -1) for name, array in seen.items()}
        rows = np.zeros_like(tables._rows)
        no_words, episode_start = np.zeros(len(rows), np.uint64), np.full(len(rows), turn == 0)
        ENCODERS.fill(own["observation"], own["action_mask"], episode_start, no_words, rows)
        assert np.array_equal(tables._rows, rows)
        seen, rewards, over, _, info = env.step(seen["action_mask"].argmax(axis=2))
        played = tables.step(lowest(rows))
        assert np.array_equal(played.rewards, rewards[seats].astype(np.float32).ravel())
        shares = info["win_share"][seats].ravel() if over.all() else np.zeros(6 * learning)
        assert np.array_equal(played.win_shares, shares)


def test_a_deal_needs_none_before_it() -> None:
    again, anew = shared(6, 2), shared(6, 2)
    for episode in range(3):
        again.deal(5, episode)
        for _ in range(TURNS):
            again.step(lowest(again._rows))
    again.deal(5, 3)
    anew.deal(5, 3)
    assert np.array_equal(again._rows, anew._rows) and np.array_equal(again.seats, anew.seats)


@pytest.mark.parametrize("learning", [1, 2, 3])
def test_bots_take_the_seats_that_are_left(learning: int) -> None:
    bots = [Recorder(SHORT), Recorder(SHORT)]
    tables = shared(50, learning)
    tables._bots = MixedOpponents(SHORT, bots, [1.0, 1.0], 50)
    tables.deal(5, 0)
    left = np.ones((50, 3), np.bool_)
    np.put_along_axis(left, tables.seats, values=False, axis=1)
    hands = tables._env.seen["action_mask"][left]
    tables.step(lowest(tables._rows))
    asked = [hand for bot in bots for given in bot.asked for hand in given.action_mask]
    assert len(asked) == 50 * (3 - learning)
    assert sorted(map(bytes, asked)) == sorted(map(bytes, hands))


def test_workers_share_the_tables_and_have_cards_of_their_own() -> None:
    halls = [WorkerEnvs(MORE, WorkerShare(number, 2)) for number in range(2)]
    assert [len(worker_envs.rows) for worker_envs in halls] == [10, 10], "5 tables with 2 learners"
    assert WorkerShare(0, 2).of(5) + WorkerShare(1, 2).of(5) == 5
    for worker_envs in halls:
        worker_envs.deal(0)
    assert not np.array_equal(halls[0].rows, halls[1].rows)
    again = WorkerEnvs(MORE, WorkerShare(0, 2))
    again.deal(0)
    assert np.array_equal(again.rows, halls[0].rows) and np.array_equal(again.seats, halls[0].seats)


def test_the_tables_of_a_hall_have_all_configs() -> None:
    worker_envs = WorkerEnvs(MORE, WorkerShare(0, 2))
    worker_envs.deal(0)
    assert [group._config.num_objectives for group in worker_envs._groups] == [0, 2]
    assert [len(group.seats) for group in worker_envs._groups] == [3, 2]
    for _ in range(worker_envs.num_turns):
        played = worker_envs.step(lowest(worker_envs.rows))
    assert played.rewards.shape == played.win_shares.shape == (10,)
    assert played.win_shares.any()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rllib": {"learning_seats": 4}}, "learning_seats must be 1 to 3, not 4"),
        ({"rllib": {"learning_seats": 0}}, "learning_seats must be"),
        ({"rllib": {"env_runners": 0}}, "env_runners must be at least 1, not 0"),
        ({"rllib": {"workers": 2}}, "unknown: 'workers'"),
    ],
)
def test_a_wrong_section_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        MORE.changed(changes)


def test_a_worker_needs_a_table_of_each_config() -> None:
    few = MORE.changed({"ppo": {"num_envs": 3}})
    with pytest.raises(ValueError, match="num_envs must be at least 4, for 2 tables in each of 2"):
        WorkerEnvs(few, WorkerShare(1, 2))
