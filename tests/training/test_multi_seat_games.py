"""Games in which several seats learn, as each worker of RLlib plays them."""

from typing import Any

import numpy as np
import pytest

from mindup_agents.features import make_encoder
from mindup_env import BatchEnv
from mindup_training.envs import EnvConfig
from mindup_training.learners.rllib.multi_seat_games import MultiSeatGames
from mindup_training.learners.rllib.worker_envs import WorkerEnvs, WorkerShare
from mindup_training.opponent_mix import MixedOpponents, parse_share
from mindup_training.settings import RllibSettings, TrainSettings
from tests.envs.bots import Recorder
from tests.envs.playing import SHORT

TURNS = SHORT.num_turns
ENCODER = make_encoder("plain-1", SHORT)
HANDS = ENCODER.shape.hand_begins
REWARD = "0.1*margin+win"
SETTINGS = TrainSettings(
    players=(3,),
    objectives=(0, 2),
    game={"num_rounds": 2, "hand_size": 3},
    opponents=("lowest",),
    rllib=RllibSettings(env_runners=2, learning_seats=2),
).changed({"ppo": {"num_envs": 10}})


def make_games(num_games: int, learning: int) -> MultiSeatGames:
    rows = np.zeros((num_games * learning, ENCODER.shape.size), np.float32)
    env_config = EnvConfig((SHORT,), (parse_share("lowest"),), REWARD, "plain-1", num_games)
    return MultiSeatGames(SHORT, env_config, learning, rows)


def lowest(rows: np.ndarray[Any, np.dtype[np.float32]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The actions that play the lowest card of each row's hand."""
    return rows[:, HANDS].astype(np.int64)


def test_learning_seats_are_drawn_anew_for_each_deal() -> None:
    games = make_games(3000, 2)
    games.reset(5, 0)
    first = games.seats.copy()
    assert (first[:, 0] != first[:, 1]).all()
    pairs, counts = np.unique(first, axis=0, return_counts=True)
    assert len(pairs) == 6 and (np.abs(counts - 500) < 4 * np.sqrt(500)).all()
    games.reset(5, 1)
    assert (games.seats != first).any()


@pytest.mark.parametrize("learning", [1, 2, 3])
def test_learners_get_the_features_and_rewards_of_their_seats(learning: int) -> None:
    games, env = make_games(6, learning), BatchEnv(SHORT, 6, reward=REWARD)
    games.reset(5, 0)
    seats = np.arange(6)[:, None], games.seats.copy()
    seen, _ = env.reset(5)
    for turn in range(TURNS):
        own = {name: array[seats].reshape(6 * learning, -1) for name, array in seen.items()}
        rows = np.zeros_like(games.rows)
        random_bits, episode_start = np.zeros(len(rows), np.uint64), np.full(len(rows), turn == 0)
        ENCODER.fill(own["observation"], own["action_mask"], episode_start, random_bits, rows)
        assert np.array_equal(games.rows, rows)
        seen, rewards, over, _, info = env.step(seen["action_mask"].argmax(axis=2))
        results = games.step(lowest(rows))
        assert np.array_equal(results.rewards, rewards[seats].astype(np.float32).ravel())
        shares = info["win_share"][seats].ravel() if over.all() else np.zeros(6 * learning)
        assert np.array_equal(results.win_shares, shares)


def test_an_episode_can_be_dealt_without_those_before_it() -> None:
    again, anew = make_games(6, 2), make_games(6, 2)
    for episode in range(3):
        again.reset(5, episode)
        for _ in range(TURNS):
            again.step(lowest(again.rows))
    again.reset(5, 3)
    anew.reset(5, 3)
    assert np.array_equal(again.rows, anew.rows) and np.array_equal(again.seats, anew.seats)


@pytest.mark.parametrize("learning", [1, 2, 3])
def test_opponents_play_all_other_seats(learning: int) -> None:
    bots = [Recorder(SHORT), Recorder(SHORT)]
    games = make_games(50, learning)
    games._opponents = MixedOpponents(SHORT, bots, [1.0, 1.0], 50)
    games.reset(5, 0)
    left = np.ones((50, 3), np.bool_)
    np.put_along_axis(left, games.seats, values=False, axis=1)
    hands = games._env.seen["action_mask"][left]
    games.step(lowest(games.rows))
    asked = [hand for bot in bots for given in bot.asked for hand in given.action_mask]
    assert len(asked) == 50 * (3 - learning)
    assert sorted(map(bytes, asked)) == sorted(map(bytes, hands))


def test_workers_share_the_games_and_have_different_deals() -> None:
    workers = [WorkerEnvs(SETTINGS, WorkerShare(number, 2)) for number in range(2)]
    assert [len(worker_envs.rows) for worker_envs in workers] == [10, 10], "5 games with 2 learners"
    assert WorkerShare(0, 2).of(5) + WorkerShare(1, 2).of(5) == 5
    for worker_envs in workers:
        worker_envs.reset(0)
    assert not np.array_equal(workers[0].rows, workers[1].rows)
    again = WorkerEnvs(SETTINGS, WorkerShare(0, 2))
    again.reset(0)
    assert np.array_equal(again.rows, workers[0].rows) and np.array_equal(
        again.seats, workers[0].seats
    )


def test_a_worker_plays_all_configs() -> None:
    worker_envs = WorkerEnvs(SETTINGS, WorkerShare(0, 2))
    worker_envs.reset(0)
    assert [group.config.num_objectives for group in worker_envs._groups] == [0, 2]
    assert [len(group.seats) for group in worker_envs._groups] == [3, 2]
    for _ in range(worker_envs.num_turns):
        results = worker_envs.step(lowest(worker_envs.rows))
    assert results.rewards.shape == results.win_shares.shape == (10,)
    assert results.win_shares.any()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rllib": {"learning_seats": 4}}, "learning_seats must be 1 to 3, not 4"),
        ({"rllib": {"learning_seats": 0}}, "learning_seats must be"),
        ({"rllib": {"env_runners": 0}}, "env_runners must be 1 to 1024, not 0"),
        ({"rllib": {"workers": 2}}, "unknown setting 'rllib.workers'"),
    ],
)
def test_a_wrong_section_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        SETTINGS.changed(changes)


def test_a_worker_needs_a_game_of_each_config() -> None:
    few = SETTINGS.changed({"ppo": {"num_envs": 3}})
    with pytest.raises(ValueError, match="num_envs must be at least 4, for 2 configs in each of 2"):
        WorkerEnvs(few, WorkerShare(1, 2))
