"""Libraries of reinforcement learning take the environments as they are.

None of them is needed by the package or its other tests: where one is missing, its test is skipped.
"""

import warnings
from typing import Any

import gymnasium
import pytest

from mindup_env import GameConfig, mindup_v0
from tests.envs.bots import choose_all, choose_by

pytestmark = pytest.mark.libraries

TABLE: dict[str, Any] = {"num_players": 3, "num_objectives": 2}
CONFIG = GameConfig(**TABLE)
AGENTS = [f"player_{player}" for player in range(CONFIG.num_players)]

torchrl_knows_an_older_pettingzoo = pytest.mark.filterwarnings(
    "ignore:PettingZoo in TorchRL is tested using version:UserWarning"
)


def library(module: str) -> Any:
    """What a library warns of while it is imported is its own business."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(module, reason=f"{module} is not installed")


def final_shares() -> list[float]:
    """Of the first game of seed 3, as the bots of these tests play it."""
    env = mindup_v0.parallel_env(**TABLE)
    seen, _ = env.reset(seed=3)
    while env.agents:
        actions = {agent: choose_by(seen[agent]["action_mask"]) for agent in env.agents}
        seen, rewards, *_ = env.step(actions)
    return list(rewards.values())


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.parametrize("seat", [2, "random"])
def test_stable_baselines3_checks_the_single_form(seat: int | str) -> None:
    checker = library("stable_baselines3.common.env_checker")
    checker.check_env(gymnasium.make("MindUp-v0", seat=seat, **TABLE))


def test_maskable_ppo_learns_in_the_single_form_as_it_is() -> None:
    learner = library("sb3_contrib").MaskablePPO
    env = gymnasium.make("MindUp-v0", **TABLE)
    model = learner("MultiInputPolicy", env, n_steps=32, batch_size=32, device="cpu")
    assert model.learn(64).num_timesteps == 64


def test_supersuit_makes_a_vector_of_the_agents() -> None:
    supersuit = library("supersuit")
    make = supersuit.pettingzoo_env_to_vec_env_v1
    env, both = make(mindup_v0.parallel_env(**TABLE)), make(mindup_v0.parallel_env(**TABLE))
    assert supersuit.concat_vec_envs_v1(both, 2, num_cpus=0).num_envs == 6
    seen, _ = env.reset(seed=3)
    for turn in range(1, CONFIG.num_turns + 1):
        assert seen["action_mask"].shape == (3, 60)
        seen, rewards, terminations, truncations, infos = env.step(choose_all(seen["action_mask"]))
        assert terminations.tolist() == [turn == CONFIG.num_turns] * 3 and not truncations.any()
    assert rewards.tolist() == pytest.approx(final_shares())
    for player, info in enumerate(infos):
        assert info["rank"] == 0 or rewards[player] < 0
        assert not info["terminal_observation"]["action_mask"].any()
    assert (seen["action_mask"].sum(axis=1) == CONFIG.hand_size).all(), "the next game is dealt"


def test_tianshou_collects_episodes_of_masked_random_players() -> None:
    data, envs = library("tianshou.data"), library("tianshou.env")
    algorithms = library("tianshou.algorithm")
    random = library("tianshou.algorithm.random")
    env = envs.PettingZooEnv(mindup_v0.env(**TABLE))
    players = [random.MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space)] * 3
    policy = algorithms.MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
    collector = data.Collector(policy, envs.DummyVectorEnv([lambda: env]))
    collected = collector.collect(n_episode=2, reset_before_collect=True)
    assert collected.lens.tolist() == [3 * CONFIG.num_turns] * 2
    assert collected.returns.sum(axis=1) == pytest.approx([0, 0], abs=1e-6)
    seen, _ = envs.PettingZooEnv(mindup_v0.env(**TABLE)).reset(seed=3)
    assert seen["agent_id"] == AGENTS[0] and sum(seen["mask"]) == CONFIG.hand_size


@torchrl_knows_an_older_pettingzoo
def test_torchrl_plays_both_forms() -> None:
    pettingzoo, utils = library("torchrl.envs.libs.pettingzoo"), library("torchrl.envs.utils")
    table = mindup_v0.parallel_env(**TABLE)
    env = pettingzoo.PettingZooWrapper(table, return_state=True, seed=3)
    played = env.rollout(100)
    assert played.batch_size == (CONFIG.num_turns,)
    assert played["next", "done"][:, 0].tolist() == [False] * (CONFIG.num_turns - 1) + [True]
    assert played["player", "action_mask"].shape == (CONFIG.num_turns, 3, 60)
    assert played["state"].shape[1:] == table.state_space.shape
    rewards = played["next", "player", "reward"]
    assert rewards[-1].sum().item() == pytest.approx(0, abs=1e-6) and rewards[-1].any()
    utils.check_env_specs(env)
    turn_based = mindup_v0.env(**TABLE)
    played = pettingzoo.PettingZooWrapper(turn_based, use_mask=True, seed=3).rollout(1000)
    assert played.batch_size == (3 * CONFIG.num_turns,)
    acting = [played[agent, "mask"][:, 0].tolist() for agent in AGENTS]
    assert acting == [[step % 3 == player for step in range(len(played))] for player in range(3)]


def test_torchrl_masks_the_actions_of_the_single_form() -> None:
    envs = library("torchrl.envs")
    env = envs.GymEnv("MindUp-v0", **TABLE)
    played = envs.TransformedEnv(env, envs.ActionMask()).rollout(100)
    assert played.batch_size == (CONFIG.num_turns,) and played["next", "done"][-1].all()
