"""``mindup train distil``: labels are what search says, fits learn them, and a run goes on."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_array_equal
from torch import Tensor, nn

from mindup_env import Layout
from mindup_env.engine.state import Int64Array
from mindup_training import distil
from mindup_training.any_network import empty_state
from mindup_training.distil import Decisions, DistilSettings, load, play_file
from mindup_training.head import MASKED
from mindup_training.torch_setup import prepare_torch

SETTINGS = DistilSettings(num_players=3, decisions=1, worlds=2, epochs=3)
CONFIG = SETTINGS.config()
LAYOUT = Layout(CONFIG)


class Preference:
    """In the place of search: the lower a card, the better."""

    def __init__(self, *_: Any, worlds: int) -> None:
        assert worlds == SETTINGS.worlds

    def act(self, *_: Any) -> None:
        pass

    def evaluate_cards(self) -> tuple[str, Any]:
        return "", 0.7 - 0.02 * np.arange(CONFIG.num_cards)


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distil, "OPPONENTS", ("lowest", "highest"))
    monkeypatch.setattr(distil, "Search", Preference)
    prepare_torch(1)


def row_of(observations: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The prizes (N, P) of observations, and who played them."""
    views = LAYOUT.views(observations)
    return np.argsort(views["row"])[:, -CONFIG.num_players :], views["row_players"]


def test_labels_are_values_of_the_hand_and_the_cards_of_that_turn(tmp_path: Path) -> None:
    play_file(SETTINGS, tmp_path / "0.npz", 0)
    games = load([tmp_path / "0.npz"])
    own = []
    for turn in range(CONFIG.num_turns):
        held = games.masks[turn] != 0
        assert (games.values[turn] == -torch.inf).equal(~held)
        value_of = 0.7 - 0.02 * torch.arange(CONFIG.num_cards)
        assert games.values[turn][held].allclose(value_of.expand_as(held)[held])
        if (turn + 1) % (CONFIG.num_turns // CONFIG.num_rounds) == 0:
            continue  # the next row is dealt, or the game is over
        row, by = row_of(games.observations[turn + 1].numpy())
        for number in range(2, CONFIG.num_players + 1):
            assert_array_equal(row[by == number], games.played[turn, :, number - 2])
        lowest = held.numpy().argmax(axis=1)
        own.append(row[by == 1] == lowest)
        assert held.numpy()[range(len(held)), row[by == 1]].all()
    assert 0.9 < np.mean(own) < 1, "the best cards, and a few others"


def test_a_fit_learns_which_cards_are_better_and_what_the_best_is_worth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distil, "GAMES_PER_BATCH", 4)
    files = [tmp_path / f"{number}.npz" for number in range(4)]
    for number, file in enumerate(files):
        play_file(SETTINGS, file, number)
    assert len({file.read_bytes() for file in files}) == len(files), "other deals"
    network = distil.fit(SETTINGS, load(files[:-1]))
    games = load(files[-1:])
    state = empty_state(network, games.masks.shape[1])
    chosen, errors = [], []
    for observation, mask, values in zip(*games[:3], strict=True):
        with torch.no_grad():
            logits, expected, *state = network(observation, mask, *state)
        chosen.append(logits.argmax(1) == values.argmax(1))
        errors.append(expected - (values.amax(1) - 1 / CONFIG.num_players))
    assert torch.cat(chosen).float().mean() > 0.8
    best = games.values.amax(2)
    assert torch.cat(errors).square().mean() < 0.5 * best.var()


def test_an_interrupted_recipe_makes_the_same_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = []
    monkeypatch.setattr(distil, "save_policy", lambda *given, **_: saved.append(given))
    settings = replace(SETTINGS, decisions=1 + distil.GAMES_PER_FILE * CONFIG.num_turns)
    distil.distil(settings, tmp_path / "unbroken")
    broken = tmp_path / "broken"
    played = list[Path]()

    def play_or_end(*given: Any) -> None:
        played.append(given[1])
        if len(played) == 2:
            raise KeyboardInterrupt
        play_file(*given)

    monkeypatch.setattr(distil, "play_file", play_or_end)
    with pytest.raises(KeyboardInterrupt):
        distil.distil(settings, broken)
    distil.distil(settings, broken)
    assert [file.name for file in played] == ["00000.npz", "00001.npz", "00001.npz"]
    networks, configs, paths = zip(*saved, strict=True)
    assert configs == (CONFIG, CONFIG)
    assert paths == (tmp_path / "unbroken" / "policy.onnx", broken / "policy.onnx")
    for one, other in zip(*(each.parameters() for each in networks), strict=True):
        assert one.equal(other)
    with pytest.raises(ValueError, match="has other settings"):
        distil.distil(SETTINGS, broken)


class Counting(nn.Module):
    """Its state is the number of the turn, and its logits are the observation."""

    config = CONFIG
    state_shapes = (1,), (1,)

    def __init__(self) -> None:
        super().__init__()
        self.unused = nn.Parameter(torch.zeros(1))  # has the device

    def forward(self, observation: Tensor, mask: Tensor, turn: Tensor, other: Tensor) -> Any:
        self.turns = turn.flatten()
        logits = observation.float().masked_fill(mask == 0, MASKED)
        return logits, torch.full((len(mask),), 0.25), turn + 1, other

    def auxiliary_loss(self, *_: Tensor) -> Tensor:
        return torch.tensor(3.0)


def test_the_loss_is_that_of_all_decisions_with_the_state_of_their_turn() -> None:
    rng = np.random.default_rng(0)
    shape = 5, 2, CONFIG.num_cards
    held = rng.random(shape) < 0.2
    held[..., 0] = True  # at times, this is the only card
    values = np.where(held, 0.1 * rng.random(shape), -np.inf)
    seen = rng.integers(0, 9, shape, np.int8)
    games = Decisions(*map(torch.tensor, (seen, held.astype(np.int8), values, seen[..., :2])))
    network: Any = Counting()
    found = distil.loss(network, games)
    assert_array_equal(network.turns, np.repeat(np.arange(5), 2))
    losses = []
    for row, hand, worth in zip(
        *(each.reshape(10, -1) for each in (seen, held, values)), strict=True
    ):
        wanted = np.exp(worth[hand] / distil.TEMPERATURE)
        probabilities = np.exp(row[hand].astype(float))
        logs = np.log(probabilities / probabilities.sum())
        error = 0.25 - (worth.max() - 1 / CONFIG.num_players)
        losses.append(-wanted @ logs / wanted.sum() + 0.5 * error**2 + 0.5 * 3)
    assert float(found) == pytest.approx(np.mean(losses), rel=1e-5)
