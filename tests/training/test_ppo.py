"""PPO in one file: its games, updates and runs are right, and it learns."""

import importlib.util
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch import Tensor

import mindup_cli
from mindup_arena import win_share_against
from mindup_env import BatchEnv
from mindup_env.config import VARIANTS
from mindup_training import ppo
from mindup_training.policy_file import NetworkBot
from mindup_training.ppo import PPO, Settings, compute_gae
from mindup_training.run import read_run
from tests.training.test_policy_file import Flat

SMALL = Settings(
    game="2p-2r", reward="win", models=2, widths=(16, 12, 8), num_envs=32, batch_size=64, seed=5
)
CONFIG = VARIANTS["2p-2r"]
LEARNING_RATE = 0.01


def test_a_rollout_is_a_whole_game_as_it_was_played() -> None:
    """The second one: each has other games."""
    learner = PPO(replace(SMALL, critic="state"))
    first = learner.collect_rollout()
    learner.rollouts = 1
    played = learner.collect_rollout()
    assert not torch.equal(first.observations[0], played.observations[0])
    seeds = np.random.SeedSequence([SMALL.seed, 1]).generate_state(1, np.uint64)
    env = BatchEnv(CONFIG, 32, autoreset=False)
    env.reset(seed=int(seeds[0]))
    state = [torch.zeros(64, *shape) for shape in learner.network.state_shapes]
    assert learner.critic is not None and len(played.actions) == CONFIG.num_turns
    for turn, actions in enumerate(played.actions):
        observations, masks = (each.reshape(64, -1) for each in env.seen.values())
        assert_array_equal(played.observations[turn], observations)
        assert_array_equal(played.masks[turn], masks)
        assert_array_equal(played.full_states[turn], env.state(per_seat=True).reshape(64, -1))
        for one, other in zip(played.states, state, strict=True):
            assert_array_equal(one[turn], other)
        with torch.no_grad():
            logits, _, *state = learner.network(
                played.observations[turn], played.masks[turn], *state
            )
            values = learner.critic(played.full_states[turn])
        assert_array_equal(played.logprobs[turn], logits.log_softmax(1))
        assert_array_equal(played.values[turn], values)
        table = actions.view(32, 2).numpy()
        assert_array_equal(played.played[turn].view(32, 2), table[:, ::-1])
        _, rewards, over, *_ = env.step(table)
        assert_array_equal(played.rewards[turn].view(32, 2), rewards)
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


@pytest.mark.parametrize("critic", ["policy", "state"])
def test_an_update_is_that_computed_by_hand(critic: Any) -> None:
    """By the formulas of the papers, decision by decision: one step of Adam on a whole rollout."""
    settings = replace(SMALL, critic=critic, batch_size=10**6, clip_range=0.1, max_grad_norm=1e9)
    settings = replace(settings, vf_coef=0.7, ent_coef=0.3, aux_coef=0.4, kl_coef=0.2)
    learner, own = PPO(settings), PPO(settings)
    learner.optimizer.param_groups[0]["lr"] = LEARNING_RATE
    rollout = learner.collect_rollout()
    # The rollout is of an older policy: some ratios are outside the clip range.
    other = (rollout.logprobs + 0.3 * torch.randn(rollout.logprobs.shape)).log_softmax(2)
    rollout = rollout._replace(logprobs=other)
    metrics = learner.update(rollout)

    advantages = compute_gae(rollout.rewards, rollout.values, 1.0, settings.gae_lambda)
    returns, mean, std = advantages + rollout.values, advantages.mean(), advantages.std()
    losses, is_clipped = list[Tensor](), []
    for turn, seat in np.ndindex(*rollout.actions.shape):
        one = slice(seat, seat + 1)
        state = [each[turn, one] for each in rollout.states]
        logits, value, models, predicted = own.network(
            rollout.observations[turn, one], rollout.masks[turn, one], *state
        )
        new = torch.distributions.Categorical(logits=logits[0])
        old = torch.distributions.Categorical(logits=rollout.logprobs[turn, seat])
        action, expected = rollout.actions[turn, seat], returns[turn, seat]
        ratio = new.probs[action] / old.probs[action]
        advantage = (advantages[turn, seat] - mean) / std
        is_clipped.append(not 0.9 <= ratio <= 1.1)
        gain = torch.minimum(ratio * advantage, ratio.clamp(0.9, 1.1) * advantage)
        error = (value[0] - expected) ** 2
        if own.critic is not None:
            error = error + (own.critic(rollout.full_states[turn, one])[0] - expected) ** 2
        card = rollout.played[turn, seat, 0]
        guess = -torch.log((models[0, 0] @ predicted[0, 0])[card])
        divergence = torch.distributions.kl_divergence(new, old)
        entropy = -(new.probs * new.probs.clamp(min=1e-30).log()).sum()
        parts = -gain, 0.7 * error, -0.3 * entropy, 0.4 * guess, 0.2 * divergence
        losses.append(torch.stack(parts).sum())
    loss = torch.stack(losses).mean()
    loss.backward()  # type: ignore[no-untyped-call]
    assert metrics["loss"] == pytest.approx(float(loss.detach()), rel=1e-3)
    assert metrics["clipfrac"] == pytest.approx(np.mean(is_clipped))
    assert 0.1 < metrics["clipfrac"] < 0.9
    for updated, module in zip(learner.modules, own.modules, strict=True):
        for after, before in zip(updated.parameters(), module.parameters(), strict=True):
            assert before.grad is not None
            # The first step of Adam is the learning rate, in the direction of the gradient.
            step = LEARNING_RATE * before.grad / (before.grad.abs() + 1e-5)
            assert_allclose(after.detach(), (before - step).detach(), atol=0.1 * LEARNING_RATE)


class Own(Flat):
    """A network without a state or an auxiliary loss, which remembers its modes."""

    modes: ClassVar[list[bool]] = []

    def forward(self, *given: Tensor) -> tuple[Tensor, Tensor]:
        self.modes.append(self.training)
        return super().forward(*given)


def test_a_network_of_ones_own_learns_and_is_in_training_mode_in_updates_only() -> None:
    settings = replace(SMALL, batch_size=10**6, timesteps=1000)
    learner = PPO(settings, Own(CONFIG))
    before = learner.network.layer.weight.clone()
    assert learner.learn()["aux_loss"] == 0
    assert (learner.network.layer.weight != before).any()
    checked, *played, updated = Own.modes
    assert updated and not checked and played == [False] * CONFIG.num_turns
    assert not learner.network.training


def test_a_checkpoint_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    unbroken, resumed = (PPO(replace(SMALL, critic="state", timesteps=1000)) for _ in range(2))
    unbroken.learn()
    unbroken.save(tmp_path)
    drawn = torch.rand(9)
    resumed.restore(tmp_path)
    assert torch.equal(torch.rand(9), drawn), "as dropout would"
    assert resumed.remaining == unbroken.remaining == 1 - 32 * 2 * CONFIG.num_turns / 1000
    metrics = [learner.learn() for learner in (unbroken, resumed)]
    for name in metrics[0].keys() - {"decisions_per_second"}:
        assert metrics[0][name] == metrics[1][name]
    for one, other in zip(unbroken.modules, resumed.modules, strict=True):
        for before, after in zip(one.parameters(), other.parameters(), strict=True):
            assert_array_equal(before.detach(), after.detach())


# Runs


@pytest.fixture
def exported(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The policies that were written, which takes seconds of each run."""
    written = list[Path]()
    monkeypatch.setattr(ppo, "save_policy", lambda _, __, path, **___: written.append(path))
    return written


def test_a_copy_of_the_file_learns_in_a_short_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copied = shutil.copy(ppo.__file__, tmp_path / "my_ppo.py")
    spec = importlib.util.spec_from_file_location("my_ppo", copied)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "my_ppo", module)
    spec.loader.exec_module(module)
    learned = list[NetworkBot]()  # instead of the file, which takes seconds
    monkeypatch.setattr(module, "save_policy", lambda *it, **_: learned.append(NetworkBot(it[0])))
    words = "--players 3 --timesteps 25000 --evaluations 1 --evaluation-deals 100 --opponent greedy"
    module.main([*words.split(), "--out", str(tmp_path / "run")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"run folder: {tmp_path / 'run'}"
    assert lines[1] == "win share in % against copies, 95 % interval; equal play is 33.3"
    assert lines[2].split() == ["decisions", "time", "left", "greedy"]
    assert lines[3].split()[0] == "0" and lines[4].split()[:3] == ["28,224", "0", "s"]
    assert lines[5] == f"policy: {tmp_path / 'run' / 'policy.onnx'}" and len(lines) == 8
    config = module.Settings(num_players=3).config()
    final = win_share_against(learned[0], "greedy", config, 100, seed=2**40)
    assert f" {100 * final.value:.1f} (" in lines[4]
    assert (tmp_path / "run" / "curve.png").exists()
    rows = (tmp_path / "run" / "evaluations.csv").read_text().splitlines()
    assert rows[-1] == ",".join(map(str, (28224, "greedy", *final)))
    shares = [
        win_share_against(bot, "greedy", config, 100, seed=2**41) for bot in ("random", learned[0])
    ]
    assert shares[1].low > shares[0].high + 0.1


def test_training_lowers_the_exploitability_of_a_small_game(
    tmp_path: Path, exported: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    words = "--game 2p-2t --reward win --num-envs 128 --timesteps 12000 --evaluations 1 --epochs 2"
    ppo.main([*words.split(), "--kl-coef", "0.5", "--out", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"watch it play: mindup watch bots {tmp_path} planner"
    found = [float(line.split()[-1]) for line in lines[3:5]]
    assert found[0] == pytest.approx(30.3, abs=1), "as the bot random"
    assert found[1] < 20
    assert exported == [tmp_path / "policy.onnx"]


def test_a_run_that_is_interrupted_goes_on_from_its_last_evaluation(
    tmp_path: Path,
    exported: list[Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    learn: Callable[[PPO], dict[str, float]] = PPO.learn
    begun = []

    def learn_or_end(learner: PPO) -> dict[str, float]:
        begun.append(learner.timesteps)
        if len(begun) == 5:
            raise KeyboardInterrupt
        return learn(learner)

    monkeypatch.setattr(PPO, "learn", learn_or_end)
    words = "--game 2p-1t --num-envs 50 --timesteps 600 --evaluations 2 --evaluation-deals 2"
    run = str(tmp_path / "run")
    assert mindup_cli.reported(ppo.main, [*words.split(), "--out", run]) == 130
    assert capsys.readouterr().err.endswith(f" --resume {run}\n") and not exported
    assert read_run(Path(run), Settings)[0].num_envs == 50
    for wrong, said in {"--out": "has a run already", "--models 2 --resume": "cannot be c"}.items():
        with pytest.raises(ValueError, match=said):
            ppo.main([*wrong.split(), run])
    ppo.main(["--resume", run])
    assert begun == [0, 100, 200, 300, 400, 300, 400, 500]
    rows = (tmp_path / "run" / "evaluations.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["timesteps", "0", "300", "600"]
    assert exported == [tmp_path / "run" / "policy.onnx"]


def test_wrong_settings_are_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^unknown agent 'plannr'; did you mean planner\?[^\n]*$"):
        ppo.main(["--opponent", "plannr", "--out", str(tmp_path / "run")])
    assert not [*tmp_path.iterdir()]


def test_a_loss_that_diverges_ends_the_run_in_one_line(
    tmp_path: Path, exported: list[Path]
) -> None:
    words = "--game 2p-1t --learning-rate 1e30 --timesteps 5000 --evaluation-deals 2"
    with pytest.raises(ValueError, match=r"^the training diverged: .* use a lower learning rate"):
        ppo.main([*words.split(), "--out", str(tmp_path)])
    assert (tmp_path / "checkpoint.pt").exists() and not exported
