"""The network as a policy of sb3-contrib: all methods agree on the probabilities."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
import torch
from gymnasium import spaces
from torch import Tensor

from mindup_agents.features import make_encoder
from mindup_agents.policy import Description
from mindup_training.network import log_probs
from mindup_training.sb3 import CardPolicy
from tests.agents.positions import joined, whole_games
from tests.envs.playing import SHORT
from tests.training.policies import NARROW, odds_of, random_network

FEATURES = make_encoder("raw-1", SHORT)


class Positions(NamedTuple):
    rows: Tensor
    masks: npt.NDArray[np.bool_]


@pytest.fixture(scope="module")
def positions() -> Positions:
    asked = joined(whole_games(SHORT, 60))
    rows = torch.zeros(len(asked.random_bits), FEATURES.shape.size)
    FEATURES.fill(*asked, rows.numpy())
    return Positions(rows, asked.action_mask.astype(np.bool_))


@pytest.fixture
def policy() -> CardPolicy:
    torch.manual_seed(0)
    made = CardPolicy(
        spaces.Box(-np.inf, np.inf, (FEATURES.shape.size,), np.float32),
        spaces.Discrete(SHORT.num_cards),
        lambda _: 1e-3,
        description=Description((SHORT,), "raw-1", NARROW),
    )
    made.network.load_state_dict(random_network(SHORT).state_dict())
    return made


def test_actions_are_sampled_from_the_network(policy: CardPolicy, positions: Positions) -> None:
    rows, masks = positions
    one, mask = rows[70:71].expand(20_000, -1), masks[70:71].repeat(20_000, axis=0)
    with torch.no_grad():
        actions, values, logprobs = policy(one, action_masks=mask)
        odds = odds_of(policy.network, rows[70:71].numpy())[0]
    for slot, card in enumerate(np.flatnonzero(masks[70])):
        share = float(odds[slot])
        spread = (share * (1 - share) / 20_000) ** 0.5
        assert abs(float((actions == card).float().mean()) - share) < 4 * spread + 1e-4
        if (actions == card).any():
            assert logprobs[actions == card][0].exp() == pytest.approx(share, abs=1e-5)
    assert values.shape == (20_000, 1) and actions.shape == logprobs.shape == (20_000,)


def test_evaluations_of_actions_agree_with_the_forward_pass(
    policy: CardPolicy, positions: Positions
) -> None:
    rows, masks = positions
    with torch.no_grad():
        actions, values, logprobs = policy(rows, action_masks=masks)
    again, same_logprobs, entropy = policy.evaluate_actions(
        rows, actions, torch.from_numpy(masks.astype(np.float32))
    )
    torch.testing.assert_close(again, values)
    torch.testing.assert_close(same_logprobs, logprobs)
    torch.testing.assert_close(policy.predict_values(rows), values)
    output = policy.network(rows)
    distribution: Any = torch.distributions.Categorical(logits=log_probs(output))
    slots = (output.cards == actions.unsqueeze(1)).int().argmax(dim=1)
    torch.testing.assert_close(distribution.log_prob(slots), logprobs, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(distribution.entropy(), entropy, atol=1e-3, rtol=1e-3)
    assert masks[np.arange(len(rows)), actions.numpy()].all()


def test_a_mask_forbids_what_the_hand_would_allow(policy: CardPolicy, positions: Positions) -> None:
    rows, masks = positions
    highest_only = masks & (masks.cumsum(axis=1) == masks.sum(axis=1, keepdims=True))
    with torch.no_grad():
        actions, _, logprobs = policy(rows, action_masks=highest_only)
    assert highest_only[np.arange(len(rows)), actions.numpy()].all()
    assert torch.equal(logprobs.exp(), torch.ones(len(rows)))


def test_gradients_reach_every_parameter(policy: CardPolicy, positions: Positions) -> None:
    rows, masks = positions
    with torch.no_grad():
        actions, *_ = policy(rows, action_masks=masks)
    values, logprobs, entropy = policy.evaluate_actions(rows, actions, torch.from_numpy(masks))
    torch.autograd.backward(values.mean() + (logprobs * rows[:, 0]).mean() + entropy.mean())
    for name, parameter in policy.named_parameters():
        assert parameter.grad is not None and parameter.grad.isfinite().all(), name
        assert parameter.grad.abs().sum() > 0, name
