"""The example of PPO with a memory: it keeps and clears its states, and learns from whole games."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from mindup_agents.policy import save_policy
from mindup_arena import win_share_against
from mindup_env import BatchEnv, GameConfig
from tests.test_examples import load
from tests.training.policies import NARROW

SHORT = GameConfig(num_players=3, num_rounds=1, hand_size=5)
SEATS = 6
"""Of two games."""


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    torch.set_num_threads(1)
    return load("memory_bot", monkeypatch)


def learner_of(example: Any, **changes: Any) -> Any:
    return example.RecurrentPPO(example.RecurrentConfig(game=SHORT, widths=NARROW, **changes))


def with_memory(example: Any, **changes: Any) -> Any:
    """A learner in whose choices the memory counts; it does not in those of the first weights."""
    learner = learner_of(example, **changes)
    chance = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name in ("recall", "logit"):
            weight = getattr(learner.network, name).weight
            weight.copy_(torch.randn(weight.shape, generator=chance))
    return learner


def bot_of(example: Any, learner: Any, path: Path) -> Any:
    save_policy(learner.policy(), path)
    return example.Bot(SHORT, str(path))


def test_the_bot_plays_row_by_row_as_the_network_over_whole_games(
    example: Any, tmp_path: Path
) -> None:
    """In the second games too: a state is kept in a game, and cleared where one begins."""
    learner = with_memory(example)
    bot = bot_of(example, learner, tmp_path / "policy.safetensors")
    env = BatchEnv(SHORT, SEATS // 3)
    env.reset(seed=5)
    for _ in range(2):
        rows, cards = [], []
        for turn in range(SHORT.num_turns):
            seen = (array.reshape(SEATS, -1) for array in env.seen.values())
            starts, bits = np.full(SEATS, turn == 0), np.zeros(SEATS, np.uint64)
            cards.append(bot.act(*seen, starts, bits))
            rows.append(torch.from_numpy(bot.evaluator.rows.copy()))
            env.step(cards[-1].reshape(-1, 3))
        games = torch.stack(rows)
        states = games[:, :, : example.STATE]
        assert not states[0].any() and states[1:].any(dim=2).all()
        assert_network_plays(learner.network, games, cards)
        states[1:] = 0  # the network has them from the turns before
        assert_network_plays(learner.network, games, cards)
        with torch.no_grad():
            alone = torch.cat([learner.network(turn).logits for turn in games])
            together = learner.network(games).logits
        assert not torch.allclose(alone, together, atol=0.01), "the memory counts"


def assert_network_plays(network: Any, games: torch.Tensor, cards: list[Any]) -> None:
    """The cards are those of the network in whole games (T, B, size)."""
    with torch.no_grad():
        output = network(games)
    slots = output.logits.masked_fill(output.cards < 0, -torch.inf).argmax(dim=1, keepdim=True)
    assert_array_equal(output.cards.gather(1, slots).flatten(), np.concatenate(cards))


def test_a_row_does_not_depend_on_the_games_of_others(example: Any) -> None:
    """A game can begin in a row where those of other rows go on."""
    features = example.Features(SHORT)
    env = BatchEnv(SHORT, 1)
    env.reset(seed=5)
    seen = [array.reshape(3, -1) for array in env.seen.values()]
    out, bits = np.zeros((3, features.shape.size), np.float32), np.zeros(3, np.uint64)
    features.fill(*seen, np.ones(3, bool), bits, out)
    features.remember(np.full((3, example.STATE), 0.5, np.float32))
    features.fill(*seen, np.array([False, True, False]), bits, out)
    assert out[:, : example.STATE].mean(axis=1).tolist() == [0.5, 0, 0.5]


def test_a_minibatch_has_whole_games_as_they_were_played(example: Any) -> None:
    learner = with_memory(example, num_envs=7, batch_size=20)
    for _ in range(2):
        played = learner.collect_rollout()
    batches = learner.minibatches()
    assert [each.shape for each in batches] == [(4, 5)] * 4 + [(4, 1)]
    together = torch.cat(batches, dim=1)
    assert together.flatten().sort().values.tolist() == [*range(4 * 21)]
    assert (together // 21 == torch.arange(4).unsqueeze(1)).all(), "the turns are in their order"
    assert (together % 21 == together[0] % 21).all(), "a column is one seat"
    with torch.no_grad():
        values = learner.network(played.obs.flatten(0, 1)[batches[0]]).values
    assert_allclose(values, played.values.flatten()[batches[0].flatten()], rtol=1e-4, atol=1e-5)


def test_the_last_turn_teaches_what_to_remember_of_the_first(example: Any) -> None:
    learner = with_memory(example, num_envs=2)
    games = learner.collect_rollout().obs.clone().requires_grad_()
    learner.network(games).values[-SEATS:].sum().backward()
    observed = games.grad[0, :, example.STATE : learner.games.shape.table]
    assert observed.any(dim=1).all()


def test_it_learns(example: Any, tmp_path: Path) -> None:
    learner = learner_of(example, num_envs=64, batch_size=160, learning_rate=0.01)
    first = bot_of(example, learner, tmp_path / "first.safetensors")
    for _ in range(30):
        learner.learn(1.0)
    last = bot_of(example, learner, tmp_path / "last.safetensors")
    before, after = (win_share_against(bot, "random", SHORT, 100).value for bot in (first, last))
    assert before < 0.40 and after > 0.45, (before, after)
    assert learner.network.recall.weight.any(), "it is 0 at first"
