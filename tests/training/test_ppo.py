"""The learner in one file: repeatable, it gets better, and its policies are played."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch import Tensor

from mindup_agents.features import make_encoder
from mindup_agents.policy import PolicyAgent, load_policy
from mindup_agents.policy.network import Tensors
from mindup_arena.match import win_share_against
from mindup_env import BatchEnv, GameConfig, cli, make_agent
from mindup_env.batch_env import Arrays
from mindup_env.engine.state import Int8Array
from mindup_env.envs.opponents import draw_random_bits
from mindup_training import bench, ppo
from mindup_training.network import log_odds
from mindup_training.ppo import Learner, PPOConfig, advantages
from tests.training.policies import NARROW

SHORT = GameConfig(num_players=3, num_rounds=1, hand_size=5)
SMALL = PPOConfig(SHORT, widths=NARROW, seed=5, num_games=64, batch_size=128, learning_rate=0.01)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def weights_after(rollouts: int, settings: PPOConfig) -> Tensors:
    learner = Learner(settings)
    for _ in range(rollouts):
        learner.learn(1.0)
    return learner.policy().tensors


def by_row(seen: Arrays) -> tuple[Int8Array, Int8Array]:
    """The observation and the mask of every seat in a row of its own."""
    observation, mask = seen["observation"], seen["action_mask"]
    return observation.reshape(-1, observation.shape[2]), mask.reshape(-1, mask.shape[2])


@pytest.mark.parametrize("features", ["plain-1", "forecast-1"])
def test_equal_seeds_give_equal_weights(features: str) -> None:
    settings = replace(SMALL, features=features)
    first, second = weights_after(3, settings), weights_after(3, settings)
    for name, tensor in first.items():
        assert_array_equal(tensor, second[name])
    other = weights_after(3, replace(settings, seed=6))
    assert any((tensor != other[name]).any() for name, tensor in first.items())


@pytest.mark.parametrize("features", ["plain-1", "forecast-1"])
def test_a_rollout_is_a_whole_game_as_it_was_played(features: str) -> None:
    """The second one: what is dealt after a game is played from its beginning."""
    learner = Learner(replace(SMALL, features=features))
    learner.learn(1.0)
    played = learner.play()
    env = BatchEnv(SHORT, 64, reward=SMALL.reward, illegal_action="raise")
    env.reset(seed=5)
    seen, _ = env.reset()
    reader = make_encoder(features, SHORT)
    seats, random_bits = np.arange(64 * 3), np.zeros(64 * 3, np.uint64)
    filled = np.zeros(played.rows.shape[1:], np.float32)
    assert len(played.rows) == SHORT.num_turns
    for turn, rows in enumerate(played.rows):
        observation, mask = by_row(seen)
        draw_random_bits(env.keys, seats, 3, turn, random_bits)
        reader.fill(observation, mask, np.full(64 * 3, turn == 0), random_bits, filled)
        assert_array_equal(rows.numpy(), filled)
        with torch.no_grad():
            judged = learner.network(rows)
        slots = played.slots[turn].unsqueeze(1)
        odds = log_odds(judged).gather(1, slots).squeeze(1)
        assert_allclose(played.log_odds[turn], odds, atol=1e-5)
        assert_allclose(played.values[turn], judged.values, atol=1e-5)
        cards = judged.cards.gather(1, slots).view(64, 3)
        seen, rewards, over, *_ = env.step(cards.numpy())
        assert_array_equal(played.rewards[turn].view(64, 3), rewards)
    assert over.all()


def test_advantages_are_those_counted_by_hand() -> None:
    rewards = torch.tensor([[1.0, 0.0], [0.0, 4.0], [2.0, -1.0]])
    values = torch.tensor([[0.5, 2.0], [1.0, 1.0], [0.5, 3.0]])
    # Surprises: 1 + 1 - 0.5, 0 + 0.5 - 1, 2 - 0.5 in the one, -1, 6, -4 in the other; then
    # each has half of what comes after it added.
    expected = [[1.625, 1.0], [0.25, 4.0], [1.5, -4.0]]
    assert_allclose(advantages(rewards, values, 0.5), expected)
    assert_allclose(advantages(rewards, values, 0.0), [[1.5, -1.0], [-0.5, 6.0], [1.5, -4.0]])
    left = rewards.flip(0).cumsum(0).flip(0)  # the points still to come
    assert_allclose(advantages(rewards, values, 1.0), left - values)


def odds_of_lowest(learner: Learner, rows: Tensor) -> Tensor:
    with torch.no_grad():
        return log_odds(learner.network(rows.flatten(0, 1)))[:, 0].exp()


def praised(learner: Learner) -> ppo.Decisions:
    """A rollout in which whoever plays the lowest card is paid for it at once."""
    played = learner.play()
    return played._replace(rewards=(played.slots == 0).float())


def test_what_is_paid_for_becomes_likelier_and_is_expected() -> None:
    learner = Learner(replace(SMALL, epochs=5, entropy_weight=0.0))
    first = praised(learner)
    before = odds_of_lowest(learner, first.rows)
    for _ in range(8):
        last = praised(learner)
        learner.improve(last)
    after = odds_of_lowest(learner, last.rows)
    assert before.mean() < 0.35
    assert after.mean() > 0.9
    # Whoever is paid in every turn is paid as often as there are turns to come.
    expected = torch.arange(len(last.values), 0, -1)
    assert_allclose(last.values.mean(dim=1), expected, atol=0.6)


def test_the_clip_keeps_the_odds_near_to_what_they_were() -> None:
    moved = []
    for clip_range in (0.1, 10.0):
        learner = Learner(replace(SMALL, epochs=20, clip_range=clip_range, entropy_weight=0.0))
        played = praised(learner)
        before = odds_of_lowest(learner, played.rows)
        learner.improve(played)
        moved.append(float((odds_of_lowest(learner, played.rows) / before).mean()))
    assert moved[0] < 1.5
    assert moved[1] > 2


def test_entropy_holds_the_odds_apart() -> None:
    entropies = []
    for weight in (0.0, 3.0):
        learner = Learner(replace(SMALL, epochs=5, entropy_weight=weight))
        for _ in range(8):
            last = praised(learner)
            learner.improve(last)
        with torch.no_grad():
            odds = log_odds(learner.network(last.rows[0]))
        entropies.append(float(-(odds.exp() * odds).sum(dim=1).mean()))
    assert entropies[0] < 0.5 * np.log(5)
    assert entropies[1] > 0.9 * np.log(5)


def test_a_short_training_improves_on_its_start() -> None:
    learner = Learner(replace(SMALL, num_games=128, reward="0.1*margin"))
    shares = []
    for rollouts in (0, 40):
        for rollout in range(rollouts):
            learner.learn(1 - rollout / rollouts)
        agent = PolicyAgent.of(learner.policy(), SHORT)
        shares.append(win_share_against(agent, "random", SHORT, 300, seed=2**40))
    assert shares[1].low > shares[0].high + 0.1
    assert shares[1].low > 0.4


def test_the_learning_rate_falls_to_nothing() -> None:
    learner = Learner(SMALL)
    learner.learn(0.5)
    before = learner.policy().tensors
    learner.learn(0.0)
    for name, tensor in learner.policy().tensors.items():
        assert_array_equal(tensor, before[name])


def test_bfloat16_learns_much_the_same() -> None:
    exact, rounded = (weights_after(1, replace(SMALL, bfloat16=each)) for each in (False, True))
    start = weights_after(0, SMALL)
    for name, tensor in exact.items():
        step, off = np.abs(tensor - start[name]).mean(), np.abs(rounded[name] - tensor).mean()
        assert 0 < off < 0.3 * step


def test_the_command_trains_a_policy_that_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "policy.safetensors"
    ppo.main(["--players", "2", "--decisions", "10000", "--out", str(path)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["0", "10,752"]
    assert f"policy:{path}" in lines[-1]
    config = GameConfig(num_players=2)
    assert load_policy(path).description.about["decisions"] == "10752"
    agent = make_agent(f"policy:{path}", config)
    env = BatchEnv(config, 4, illegal_action="raise")
    seen, _ = env.reset(seed=1)
    random_bits = np.zeros(8, np.uint64)
    for turn in range(config.num_turns):
        observation, mask = by_row(seen)
        cards = agent.act(observation, mask, np.full(8, turn == 0), random_bits)
        seen, _, over, *_ = env.step(cards.reshape(4, 2))
    assert over.all()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "9"], "num_players"),
        (["--seed", "-1"], "seed"),
        (["--minutes", "0"], "minutes"),
        (["--decisions", "-5"], "decisions"),
    ],
)
def test_what_cannot_be_trained_is_refused(
    random_bits: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "policy.safetensors"
    with pytest.raises(SystemExit, match="2"):
        ppo.main([*random_bits, "--out", str(path)])
    assert message in capsys.readouterr().err
    assert not path.exists()


def test_bench_train_compares_both_learners(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.json"
    random_bits = ["--players", "2", "--num-envs", "8", "--seconds", "0.01", "--json", str(file)]
    assert cli.main(["bench", "train", *random_bits]) == 0
    rows = json.loads(file.read_text())
    assert [(row["bench"], row["num_envs"], row["threads"]) for row in rows] == [
        ("sb3", 8, 1),
        ("ppo", 8, 1),
    ]
    speeds = [row["decisions_per_second"] for row in rows]
    assert min(speeds) > 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert f"ppo is {speeds[1] / speeds[0]:.1f} times" in last


def test_bench_train_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "find_spec", lambda _: None)
    assert cli.main(["bench", "train"]) == 2
    assert "mindup-env[train]" in capsys.readouterr().err


def test_the_other_benchmarks_do_not_wait_for_pytorch() -> None:
    script = "import mindup_training.bench, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "mindup_training.bench" in loaded and "torch" not in loaded
