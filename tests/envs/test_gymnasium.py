"""Gymnasium's two APIs: one learner among bots, in one game or in many."""

from typing import Any

import gymnasium
import pytest
from gymnasium.spaces import Discrete, MultiDiscrete
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from mindup_env import GameConfig
from mindup_env.envs.single_agent import MindUpEnv
from mindup_env.envs.vector_env import MindUpVectorEnv
from tests.envs.bots import choose_all

ID = "MindUp-v0"

# Five turns, so that episodes end soon.
SHORT: dict[str, Any] = {"num_players": 3, "num_objectives": 1, "num_rounds": 2, "hand_size": 3}
CONFIG = GameConfig(**SHORT)


def vector(num_envs: int = 3, **arguments: Any) -> Any:
    return gymnasium.make_vec(ID, num_envs=num_envs, **{**SHORT, **arguments})


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.usefixtures("no_screen")
@pytest.mark.parametrize(
    "table",
    [{"num_players": 2, "num_rounds": 1}, {"num_players": 6, "num_objectives": 5, "seat": 5}],
    ids=str,
)
def test_both_are_made_by_name_and_have_the_spaces_of_gymnasium(table: dict[str, Any]) -> None:
    alone = gymnasium.make(ID, **table)
    check_env(alone.unwrapped)
    assert isinstance(alone.unwrapped, MindUpEnv)
    assert isinstance(alone.action_space, Discrete) and alone.action_space.n == 60
    for num_envs in (1, 5):
        env: Any = gymnasium.make_vec(ID, num_envs=num_envs, **table)
        assert isinstance(env, MindUpVectorEnv) and isinstance(env, VectorEnv)
        assert env.num_envs == num_envs
        assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        assert env.single_observation_space == alone.observation_space
        assert env.single_action_space == alone.action_space
        assert env.action_space == MultiDiscrete([60] * num_envs)
        seen, info = env.reset(seed=8)
        assert seen in env.observation_space
        assert (info["seat"] == table.get("seat", info["seat"])).all()


def test_what_is_told_at_the_end_of_a_game() -> None:
    env = RecordEpisodeStatistics(vector(4, reward="score"))
    seen, info = env.reset(seed=8)
    names, results = {"points_gained", "illegal_actions", "seat"}, {"score", "rank", "win_share"}
    final = {"final_obs", "_final_obs", "final_info", "_final_info", "episode", "_episode"}
    for turn in range(1, 2 * CONFIG.num_turns + 1):
        seats = info["seat"].tolist()
        seen, _, over, _, info = env.step(choose_all(seen["action_mask"]))
        assert over.tolist() == [turn % CONFIG.num_turns == 0] * 4
        assert set(info) == (names | results | final if over.all() else names)
        if over.all():
            assert info["_final_obs"].tolist() == info["_final_info"].tolist() == [True] * 4
            assert set(info["final_info"]) == names | results
            assert info["final_info"]["seat"].tolist() == seats
            assert info["episode"]["l"].tolist() == [CONFIG.num_turns] * 4
            assert info["episode"]["r"].tolist() == info["score"].tolist()


def test_it_resets_as_gymnasiums_own_vector_of_single_environments_does() -> None:
    same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
    envs = vector(1), vector(1, vectorization_mode="sync", vector_kwargs=same_step)
    (seen, info), (their_seen, their_info) = (env.reset(seed=8) for env in envs)
    for _ in range(2 * CONFIG.num_turns + 1):
        assert data_equivalence(seen, their_seen, exact=True)
        for name in ("seat", "final_obs", "_final_obs"):
            assert data_equivalence(info.get(name), their_info.get(name), exact=True)
        actions = choose_all(seen["action_mask"])
        (seen, paid, *ended, info), theirs = (env.step(actions) for env in envs)
        their_seen, their_paid, *their_ended, their_info = theirs
        assert paid.tolist() == their_paid.tolist()
        assert data_equivalence(ended, their_ended, exact=True)
