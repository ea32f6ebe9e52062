"""PPO in one file: its games, updates and figures are right."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch import Tensor

from mindup_agents.features import make_encoder
from mindup_agents.policy.network import Tensors
from mindup_env import BatchEnv, GameConfig, cli
from mindup_env.batch_env import Arrays
from mindup_env.engine.state import Int8Array
from mindup_env.envs.random_bits import draw_random_bits
from mindup_training.network import log_probs
from mindup_training.ppo import CRITICS, PPO, PPOConfig, Rollout, compute_gae
from tests.training.policies import NARROW

SHORT = GameConfig(num_players=3, num_rounds=1, hand_size=5)
SMALL = PPOConfig(
    game=SHORT, widths=NARROW, seed=5, num_envs=64, batch_size=128, learning_rate=0.01
)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def weights_after(rollouts: int, settings: PPOConfig) -> Tensors:
    learner = PPO(settings)
    for _ in range(rollouts):
        learner.learn(1.0)
    return learner.policy().tensors


def by_row(seen: Arrays) -> tuple[Int8Array, Int8Array]:
    """The observation and the mask of every seat in a row of its own."""
    observation, mask = seen["observation"], seen["action_mask"]
    return observation.reshape(-1, observation.shape[2]), mask.reshape(-1, mask.shape[2])


def test_a_rollout_is_a_whole_game_as_it_was_played() -> None:
    """The second one: what is dealt after a game is played from its beginning."""
    learner = PPO(SMALL)
    learner.learn(1.0)
    played, (games, players) = learner.collect_rollout(), (64, SHORT.num_players)
    env = BatchEnv(SHORT, games, reward=SMALL.reward, illegal_action="raise")
    env.reset(seed=5)
    seen, _ = env.reset()
    reader = make_encoder(SMALL.features, SHORT)
    seats, random_bits = np.arange(games * players), np.zeros(games * players, np.uint64)
    filled = np.zeros((len(seats), reader.shape.size), np.float32)
    assert len(played.obs) == SHORT.num_turns and played.obs.shape[1] == len(seats)
    for turn, rows in enumerate(played.obs):
        observation, mask = by_row(seen)
        draw_random_bits(env.keys, seats, players, turn, random_bits)
        reader.fill(observation, mask, np.full(len(seats), turn == 0), random_bits, filled)
        assert_array_equal(rows.numpy(), filled)
        with torch.no_grad():
            output = learner.network(rows)
        slots = played.actions[turn].unsqueeze(1)
        logprobs = log_probs(output).gather(1, slots).squeeze(1)
        assert_allclose(played.logprobs[turn], logprobs, atol=1e-5)
        assert_allclose(played.values[turn], output.values, atol=1e-5)
        cards = output.cards.gather(1, slots).view(games, players)
        seen, rewards, over, *_ = env.step(cards.numpy())
        assert_array_equal(played.rewards[turn].view(games, players), rewards)
    assert over.all()


def test_advantages_are_those_computed_by_hand() -> None:
    rewards = torch.tensor([[1.0, 0.0], [0.0, 4.0], [2.0, -1.0]])
    values = torch.tensor([[0.5, 2.0], [1.0, 1.0], [0.5, 3.0]])
    # TD errors: 1 + 1 - 0.5, 0 + 0.5 - 1, 2 - 0.5 in one seat, -1, 6, -4 in the other.
    assert_allclose(compute_gae(rewards, values, 1.0, 0.0), [[1.5, -1.0], [-0.5, 6.0], [1.5, -4.0]])
    # With lambda 0.5, half of the next advantage is added to each.
    expected = [[1.625, 1.0], [0.25, 4.0], [1.5, -4.0]]
    assert_allclose(compute_gae(rewards, values, 1.0, 0.5), expected)
    # With gamma 0.5, half of the next value and a quarter of the next advantage.
    expected = [[1 - 0.375 / 4, -1.5 + 3.5 / 4], [-0.75 + 1.5 / 4, 4.5 - 4 / 4], [1.5, -4.0]]
    assert_allclose(compute_gae(rewards, values, 0.5, 0.5), expected)
    returns = rewards.flip(0).cumsum(0).flip(0)
    assert_allclose(compute_gae(rewards, values, 1.0, 1.0), returns - values)


def probability_of_lowest(learner: PPO, rows: Tensor) -> Tensor:
    with torch.no_grad():
        return log_probs(learner.network(rows.flatten(0, 1)))[:, 0].exp()


def rewarded_for_lowest(learner: PPO) -> Rollout:
    """A rollout with a reward of 1 for each lowest card."""
    played = learner.collect_rollout()
    return played._replace(rewards=(played.actions == 0).float())


def test_rewarded_actions_become_likelier_and_their_rewards_expected() -> None:
    learner = PPO(replace(SMALL, epochs=5, ent_coef=0.0))
    first = rewarded_for_lowest(learner)
    before = probability_of_lowest(learner, first.obs)
    for _ in range(8):
        last = rewarded_for_lowest(learner)
        learner.update(last)
    after = probability_of_lowest(learner, last.obs)
    assert before.mean() < 0.35
    assert after.mean() > 0.9
    # A reward in every turn adds up to the number of turns to come.
    expected = torch.arange(len(last.values), 0, -1)
    assert_allclose(last.values.mean(dim=1), expected, atol=0.6)


def test_the_clip_limits_how_far_probabilities_move() -> None:
    moved = []
    for clip_range in (0.1, 10.0):
        learner = PPO(replace(SMALL, epochs=20, clip_range=clip_range, ent_coef=0.0))
        played = rewarded_for_lowest(learner)
        before = probability_of_lowest(learner, played.obs)
        learner.update(played)
        moved.append(float((probability_of_lowest(learner, played.obs) / before).mean()))
    assert moved[0] < 1.5
    assert moved[1] > 2


def test_the_divergence_from_the_old_policy_limits_how_far_probabilities_move() -> None:
    """That is the step of mirror descent: it needs no clip."""
    moved = []
    for weight in (0.0, 5.0):
        settings = replace(SMALL, epochs=20, clip_range=10.0, ent_coef=0.0, kl_coef=weight)
        learner = PPO(settings)
        played = rewarded_for_lowest(learner)
        assert played.policies.shape[2] == (SHORT.hand_size if weight else 0)
        before = probability_of_lowest(learner, played.obs)
        learner.update(played)
        moved.append(float((probability_of_lowest(learner, played.obs) / before).mean()))
    assert moved[0] > 2
    assert 1 < moved[1] < 1.5


def test_the_entropy_bonus_keeps_probabilities_even() -> None:
    entropies = []
    for weight in (0.0, 3.0):
        learner = PPO(replace(SMALL, epochs=5, ent_coef=weight))
        for _ in range(8):
            last = rewarded_for_lowest(learner)
            learner.update(last)
        with torch.no_grad():
            logprobs = log_probs(learner.network(last.obs[0]))
        entropies.append(float(-(logprobs.exp() * logprobs).sum(dim=1).mean()))
    assert entropies[0] < 0.5 * np.log(5)
    assert entropies[1] > 0.9 * np.log(5)


def test_a_central_critic_reads_the_states_and_the_policy_does_not() -> None:
    learner = PPO(replace(SMALL, critic="state"))
    rollout = learner.collect_rollout()
    env = BatchEnv(SHORT, 64)
    env.reset(seed=5)
    assert_array_equal(rollout.states[0], env.state(per_seat=True).reshape(64 * 3, -1))
    alone = PPO(SMALL).collect_rollout()
    assert alone.states.shape[2] == 0
    for one, other in ((rollout.obs, alone.obs), (rollout.actions, alone.actions)):
        assert_array_equal(one, other)
    assert not np.allclose(rollout.values, alone.values)
    assert learner.policy().tensors.keys() == PPO(SMALL).policy().tensors.keys()


def test_a_central_critic_expects_what_features_do_not_show() -> None:
    """The return is the highest card of the next seat, which is hidden in the first round."""
    explained = []
    for critic in CRITICS:
        learner = PPO(replace(SMALL, critic=critic, epochs=4, gae_lambda=1.0, gamma=1.0))
        hidden = slice(learner.games.shape.hand_begins, None)
        for _ in range(18):
            played = learner.collect_rollout()
            highest = played.obs[..., hidden].amax(dim=2).view(-1, 64, 3)
            rewards = torch.zeros_like(played.rewards)
            rewards[-1] = highest[0].roll(-1, dims=1).flatten() / SHORT.num_cards
            metrics = learner.update(played._replace(rewards=rewards))
        explained.append(metrics["explained_variance"])
    assert explained[0] < 0.15 and explained[1] > 0.3


def test_metrics_describe_the_update() -> None:
    learner = PPO(replace(SMALL, clip_range=0.01))
    rollout = learner.collect_rollout()
    with torch.no_grad():
        logprobs = log_probs(learner.network(rollout.obs.flatten(0, 1)))
        entropy = float(-(logprobs.exp() * logprobs).sum(dim=1).mean())
    metrics = learner.update(rollout)
    assert list(metrics) == [
        "pg_loss", "v_loss", "entropy", "approx_kl", "clipfrac", "explained_variance"
    ]  # fmt: skip
    assert metrics["entropy"] == pytest.approx(entropy, rel=0.05)
    assert 0 < metrics["approx_kl"] < 0.1
    assert 0.05 < metrics["clipfrac"] < 1, "with so small a clip range"
    returns = rollout.rewards.flip(0).cumsum(0).flip(0)
    exact = rollout._replace(values=returns)
    assert learner.update(exact)["explained_variance"] == pytest.approx(1)
    unmoved = PPO(replace(SMALL, learning_rate=1e-12))
    metrics = unmoved.update(unmoved.collect_rollout())
    assert metrics["approx_kl"] == pytest.approx(0, abs=1e-5) and metrics["clipfrac"] == 0
    assert metrics["pg_loss"] == pytest.approx(0, abs=1e-5), "advantages are normalized"


def test_bench_train_compares_both_learners(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.json"
    words = ["--players", "2", "--num-envs", "8", "--seconds", "0.01", "--json", str(file)]
    assert cli.main(["bench", "train", *words]) == 0
    rows = json.loads(file.read_text())
    assert [row["bench"] for row in rows] == ["sb3", "ppo"]
    assert {row["num_envs"] for row in rows} == {8}
    speeds = [row["decisions_per_second"] for row in rows]
    assert min(speeds) > 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert f"ppo is {speeds[1] / speeds[0]:.1f} times" in last
