"""The network bidding-1: in PyTorch and compiled, and what its predictions must be."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch

from mindup_agents.features.memory import MEMORY_MODELS
from mindup_agents.policy import Description, Policy, PolicyEvaluator, Widths, load_policy
from mindup_agents.policy.evaluator import BiddingEvaluator
from mindup_agents.policy.file import save_policy
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.observation import layout_of
from mindup_training import from_torch, to_torch
from mindup_training.bidding import BiddingNetwork, place_probabilities
from mindup_training.bidding_rows import read_rows
from mindup_training.ppo import PPO, PPOConfig
from mindup_training.sb3 import Sb3Learner
from mindup_training.settings import TrainSettings
from mindup_training.torch_policy import make_network, tensors_of

CONFIGS = [
    GameConfig(3, 5),
    GameConfig(4),
    GameConfig(5, 1),
    GameConfig(6),
    GameConfig(3, num_rounds=2, hand_size=3, num_cards=25),
]
FEATURES = {
    GameConfig(3, 5): "memory-1",
    GameConfig(5, 1): "memory-1",
    GameConfig(3, num_rounds=2, hand_size=3, num_cards=25): "memory-1",
}
"""What the network reads in games in whose tests this is not raw-1."""

WIDTHS = Widths(24, 16, 8)


def described(config: GameConfig) -> Description:
    features = FEATURES.get(config, "raw-1")
    return Description((config,), features, WIDTHS, network="bidding-1")


def network_of(description: Description) -> BiddingNetwork:
    """With other weights than the first, which predict nearly the same for all cards."""
    torch.manual_seed(1)
    network = make_network(description)
    assert isinstance(network, BiddingNetwork)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
        network.bid_score.weight.mul_(4)  # some cards are nearly never played
    return network


def evaluated(config: GameConfig) -> Iterator[tuple[BatchEnv, PolicyEvaluator, BiddingNetwork]]:
    """All turns of random games, with what every seat reads."""
    description = described(config)
    network = network_of(description)
    evaluator = PolicyEvaluator(description, tensors_of(network), config)
    env, rng = BatchEnv(config, 3), np.random.default_rng(0)
    env.reset(seed=5)
    for turn in range(config.num_turns):
        observations, masks = env.seen["observation"], env.seen["action_mask"]
        rows = 3 * config.num_players
        seen = observations.reshape(rows, -1), masks.reshape(rows, -1)
        evaluator.read(*seen, np.full(rows, turn == 0), np.zeros(rows, np.uint64))
        yield env, evaluator, network
        env.step(np.where(masks > 0, rng.random(masks.shape), -1).argmax(axis=2))


def plays_of(evaluator: PolicyEvaluator) -> npt.NDArray[np.float32]:
    assert isinstance(evaluator.row_evaluator, BiddingEvaluator)
    return evaluator.row_evaluator.plays(evaluator.rows)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_compiled_code_computes_what_pytorch_does(config: GameConfig) -> None:
    for _, evaluator, network in evaluated(config):
        with torch.no_grad():
            output = network(torch.from_numpy(evaluator.rows.copy()))
        assert output.auxiliary is not None
        held = evaluator.cards >= 0
        np.testing.assert_allclose(
            evaluator.logits[held], output.logits.numpy()[held], rtol=1e-4, atol=1e-4
        )
        assert (evaluator.logits[~held] == -np.inf).all()
        np.testing.assert_allclose(evaluator.values(), output.values.numpy(), rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(plays_of(evaluator), output.auxiliary.numpy(), atol=1e-4)
        assert (output.remembered is not None) == ("memory-1" in evaluator.encoder.name)
        if output.remembered is not None:
            _, by_models = evaluator.row_evaluator.logits_and_plays(evaluator.rows)
            assert by_models is not None
            np.testing.assert_allclose(by_models, output.remembered.numpy(), atol=1e-4)


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_only_cards_that_an_opponent_can_hold_are_predicted(config: GameConfig) -> None:
    players = config.num_players
    for env, evaluator, _ in evaluated(config):
        plays = plays_of(evaluator).reshape(env.num_envs, players, -1, config.num_cards)
        np.testing.assert_allclose(plays[:, :, : players - 1].sum(axis=3), 1, atol=1e-4)
        views = layout_of(config).views(env.seen["observation"])
        public = (views["row"] > 0) | views["tableaux"].any(axis=2)
        for opponent in range(1, players):
            of_others = np.delete(views["known"], opponent, axis=2).any(axis=2)
            cannot = public | of_others | (views["hand"] > 0)
            assert not plays[:, :, opponent - 1][cannot].any()
            drawn = views["unknown"][:, :, opponent] > 0
            only_known = ~drawn[..., None] & (views["known"][:, :, opponent] == 0)
            assert not plays[:, :, opponent - 1][only_known].any()


def test_one_hidden_card_is_averaged_over_exactly() -> None:
    """Brute force: the softmax over each hand that the opponent may have."""
    network = network_of(described(GameConfig()))
    scores = 12 * torch.randn(1, 3, 60, 1, generator=torch.Generator().manual_seed(2))
    compared = 0
    for env, evaluator, _ in evaluated(GameConfig()):
        rows = torch.from_numpy(evaluator.rows[:1].copy())
        seen = read_rows(network.facts, rows, network.card_is_colour, network.card_bonus)
        network._bid_scores = lambda *_: scores  # type: ignore[method-assign]
        with torch.no_grad():
            predicted = network._predict(seen, rows, rows)[0, :, 0]
        unseen = (seen.hidden - seen.hand).clamp(min=0)[0].nonzero().flatten().tolist()
        assert env.num_envs == 3
        for opponent in range(3):
            if round(float(seen.unknown[0, opponent + 1])) != 1:
                continue
            known = seen.known[0, opponent + 1].nonzero().flatten().tolist()
            expected = torch.zeros(60)
            for drawn in unseen:
                hand = [*known, drawn]
                expected[hand] += scores[0, opponent, hand, 0].softmax(0) / len(unseen)
            torch.testing.assert_close(predicted[opponent], expected, atol=1e-4, rtol=1e-3)
            compared += 1
    assert compared > 10


def test_everything_is_computed_on_the_device_of_the_rows() -> None:
    description = described(GameConfig())
    network = network_of(description)
    with torch.device("meta"):  # of every tensor that is made without a device
        output = network(torch.zeros(2, description.feature_shape().size, device="cpu"))
    assert {each.device.type for each in output if each is not None} == {"cpu"}


def test_a_policy_reads_in_play_what_it_read_in_training() -> None:
    """Also what it remembers of the plays."""
    game = GameConfig(3, num_rounds=2, hand_size=3)
    learner = PPO(PPOConfig(features="memory-1", network="bidding-1", game=game, num_envs=4))
    policy = learner.policy()
    evaluator = PolicyEvaluator(*policy, game)
    rollout = learner.collect_rollout()
    env = BatchEnv(game, 4)
    env.reset(seed=0)
    for turn, rows in enumerate(rollout.obs.numpy()):
        observations, masks = (each.reshape(12, -1) for each in env.seen.values())
        evaluator.read(observations, masks, np.full(12, turn == 0), np.zeros(12, np.uint64))
        np.testing.assert_allclose(evaluator.rows, rows, atol=1e-5)
        slots = rollout.actions[turn].numpy()[:, None]
        env.step(np.take_along_axis(evaluator.cards, slots, axis=1).reshape(4, 3))


def test_stable_baselines_remembers_what_was_predicted() -> None:
    plain = {"features": "memory-1", "network": "bidding-1", "opponents": ["lowest"], "threads": 1}
    learner = Sb3Learner(TrainSettings.from_dict({**plain, "num_envs": 4}))
    learner.learn(1.0)
    end = learner._env.games.shape.table
    rows = learner._model.rollout_buffer.observations  # of all turns of a game, then of the next
    models = rows.reshape(4, -1, rows.shape[-1])[..., end - 3 * MEMORY_MODELS : end]
    assert models[:, 0] == pytest.approx(1 / MEMORY_MODELS)
    assert (np.ptp(models[:, 1:], axis=2) > 1e-4).all()


def test_place_probabilities_are_those_of_all_outcomes() -> None:
    lower = torch.rand(4, 7, generator=torch.Generator().manual_seed(3))
    expected = torch.zeros(7, 5)
    for outcome in product((False, True), repeat=4):
        chances = [each if is_lower else 1 - each for each, is_lower in zip(lower, outcome)]  # noqa: B905
        expected[:, sum(outcome)] += torch.stack(chances).prod(dim=0)
    torch.testing.assert_close(place_probabilities(lower.unsqueeze(0))[0], expected)


def test_a_row_has_the_same_result_in_every_batch() -> None:
    for _, evaluator, _ in evaluated(GameConfig()):
        rows = evaluator.rows
        for name in ("logits", "values", "plays"):
            one = getattr(evaluator.row_evaluator, name)
            np.testing.assert_array_equal(one(rows[7:8]), one(rows)[7:8])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30, -5.0])
def test_impossible_rows_stay_inside_the_arrays(value: float) -> None:
    evaluator = next(evaluated(GameConfig(3, 5)))[1].row_evaluator
    assert isinstance(evaluator, BiddingEvaluator)
    rows = np.full((2, described(GameConfig(3, 5)).feature_shape().size), value, np.float32)
    assert evaluator.logits(rows).shape == (2, 9)
    assert evaluator.plays(rows).shape == (2, 2, 60)


def test_a_policy_file_plays_and_goes_to_pytorch_and_back(tmp_path: Path) -> None:
    description = described(GameConfig())
    policy = Policy(description, tensors_of(network_of(description)))
    path = tmp_path / "policy.safetensors"
    save_policy(policy, path)
    found = load_policy(path)
    assert found.description == description
    make_agent(f"policy:{path}", GameConfig())
    again = from_torch(to_torch(found), description)
    assert all(np.array_equal(again.tensors[name], each) for name, each in policy.tensors.items())


@pytest.mark.parametrize(
    ("network", "features", "said"),
    [
        (
            "bidding-2",
            "raw-1",
            "unknown network 'bidding-2'; available: cards-1, bidding-1, or module:Class",
        ),
        (None, "memory-1", "network must be bidding-1 or module:Class, not cards-1"),
        (
            "bidding-1",
            "position-1",
            "reads the features raw-1 or memory-1, not position-1",
        ),
    ],
)
def test_a_file_with_another_network_is_refused(
    network: str | None, features: str, said: str
) -> None:
    plain = described(GameConfig()).to_dict()
    with pytest.raises(ValueError, match=said):
        Description.from_dict({**plain, "network": network, "inputs": features})
