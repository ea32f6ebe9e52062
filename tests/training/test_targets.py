"""Auxiliary targets: what learners hand a network, and what its loss changes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from mindup_env import BatchEnv, GameConfig, cli
from mindup_training.envs import LearnerGames
from mindup_training.ppo import PPO, PPOConfig
from mindup_training.sb3 import Sb3Learner
from mindup_training.settings import TrainSettings
from mindup_training.targets import TARGETS, TargetRecorder
from tests.training.own_parts import WithTargets

PARTS = "tests.training.own_parts"
SHORT = GameConfig(3, num_rounds=2, hand_size=3)


def test_targets_are_what_the_others_play_hold_and_score() -> None:
    """Of two games that are replayed here by hand, with other seats that decide."""
    env, rng = BatchEnv(SHORT, 2, autoreset=False), np.random.default_rng(1)
    env.reset(seed=4)
    seats = np.array([[2, 0], [1, 2]])
    network = WithTargets(LearnerGames(TrainSettings(), 1).shape)
    recorder = TargetRecorder(network, 4, SHORT)
    expected: dict[str, list[Any]] = {name: [] for name in TARGETS}
    for _ in range(SHORT.num_turns):
        masks = env.seen["action_mask"].copy()
        actions = np.where(masks > 0, rng.random(masks.shape), -1).argmax(axis=2)
        recorder.record(seats, actions, masks)
        for game, own in ((0, 2), (0, 0), (1, 1), (1, 2)):
            following = [(own + 1) % 3, (own + 2) % 3]
            expected["opponent_cards"].append(actions[game, following])
            expected["hidden_hands"].append([masks[game, seat] > 0 for seat in following])
        *_, over, _, info = env.step(actions)
        recorder.end_turn(seats, info["scores"] if over.all() else None)
    for game, own in ((0, 2), (0, 0), (1, 1), (1, 2)):
        scores = [env.game(game).scores[(own + place) % 3] for place in range(3)]
        expected["final_scores"].append(scores)
    found = {name: each.numpy() for name, each in recorder.recorded.items()}
    for name in ("opponent_cards", "hidden_hands"):
        wanted = np.array(expected[name]).reshape(found[name].shape)
        np.testing.assert_array_equal(found[name], wanted)
    for of_turn in found["final_scores"]:
        np.testing.assert_array_equal(of_turn, expected["final_scores"])


def sb3(**changed: Any) -> Sb3Learner:
    plain = {
        "game": SHORT.to_dict(), "features": "raw-1", "network": f"{PARTS}:WithTargets",
        "opponents": ["lowest"], "threads": 1, "num_envs": 8, "batch_size": 16, **changed,
    }  # fmt: skip
    return Sb3Learner(TrainSettings.from_dict(plain))


def ppo(**changed: Any) -> PPO:
    network = f"{PARTS}:WithTargets"
    return PPO(PPOConfig(game=SHORT, num_envs=8, batch_size=16, network=network, **changed))


@pytest.mark.parametrize("make", [sb3, ppo])
def test_the_auxiliary_loss_is_learned_with_its_weight(make: Any) -> None:
    for weight in (0.0, 1.0):
        learner = make(aux_coef=weight, learning_rate=1e-2)
        before = learner.network.head.weight.detach().clone()
        for _ in range(3):
            learner.learn(1.0)
        assert torch.equal(learner.network.head.weight, before) == (weight == 0)


@pytest.mark.parametrize("make", [sb3, ppo])
def test_a_minibatch_has_the_targets_of_its_decisions(
    make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that an opponent plays is in the hand that is recorded with it."""
    compared = 0

    def check(_: Any, output: Any, targets: Any) -> Any:
        nonlocal compared
        cards, hands = targets["opponent_cards"], targets["hidden_hands"]
        at_table = cards >= 0
        assert torch.equal(at_table, hands.any(dim=2))
        assert hands.gather(2, cards.clamp(min=0).unsqueeze(2)).squeeze(2)[at_table].all()
        # The decisions of a row are those of the targets: no card is in two hands.
        own = output.cards.unsqueeze(1).clamp(min=0).expand(-1, hands.shape[1], -1)
        assert not (hands.gather(2, own) & (output.cards >= 0).unsqueeze(1)).any()
        compared += len(cards)
        return output.auxiliary.mean()

    monkeypatch.setattr(WithTargets, "auxiliary_loss", check)
    learner = make(epochs=1)
    learner.learn(1.0)
    assert compared == learner.rollout_size


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (f"--network {PARTS}:UnknownTarget", "has the target 'winner'; available: opponent_cards,"),
        (f"--network {PARTS}:NoLoss", "has targets and must have a method auxiliary_loss"),
        (f"--network {PARTS}:InfiniteLoss", "the auxiliary loss of network InfiniteLoss must be a"),
    ],
)
def test_what_cannot_be_learned_is_refused(
    options: str, said: str, preset: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = f"train --preset {preset} --timesteps 100 {options} --out {tmp_path / 'run'}"
    assert cli.main(words.split()) == 2
    assert said in capsys.readouterr().err


def test_a_seed_learns_the_same_with_targets() -> None:
    first, second = ppo(), ppo()
    for learner in (first, second):
        learner.learn(1.0)
    for one, other in zip(first.network.parameters(), second.network.parameters(), strict=True):
        assert torch.equal(one, other)
    assert replace(first.config) == second.config
