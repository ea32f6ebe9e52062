"""The linear bidder and its learner."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_agents.linear import FEATURES, play_against_random
from mindup_env import GameConfig, cli
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_training.cross_entropy import Settings, learn, play

QUICK = Settings(generations=2, population=24, games=120)


def test_learning_beats_random_players_by_far_and_repeats_exactly() -> None:
    start, *_, end = learn(QUICK, test_games=1200)
    again = list(learn(QUICK, test_games=1200))[-1]
    assert end.win_share - end.win_share_error > start.win_share + start.win_share_error + 0.2
    assert end.margin > start.margin + 5
    assert end.weights.tolist() == again.weights.tolist()
    assert (end.win_share, end.margin) == (again.win_share, again.margin)


def test_equal_players_share_the_victories_equally() -> None:
    # With no weight on anything it plays its lowest card; so do both, at two seats of a deal.
    config = GameConfig(2)
    shares, margins = play(config, np.zeros((1, len(FEATURES))), make_keys(0, 400))
    assert shares.shape == margins.shape == (1, 400)
    assert set(np.unique(shares)) <= {0, 0.5, 1}


def test_train_writes_the_weights_of_the_last_generation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "runs" / "linear.json"
    assert cli.main(["train", "--players", "3", "--generations", "1", "--out", str(file)]) == 0
    saved = json.loads(file.read_text())
    assert list(saved["weights"]) == list(FEATURES)
    assert saved["generation"] == saved["settings"]["generations"] == 1
    assert saved["settings"]["players"] == 3
    assert str(file) in capsys.readouterr().out


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**64 - 1), st.integers(0, 20), st.permutations([1, 2, 3]))
def test_the_bidder_does_not_see_what_is_hidden(seed: int, turns: int, others: list[int]) -> None:
    batch, keys = Batch(GameConfig(4), 1), make_keys(seed, 1)
    cards = np.zeros((1, 4), np.int8)
    kernels.deal_all(batch.table, keys)
    for _ in range(turns):
        kernels.play_at_random(batch.table, keys, cards)
    weights = np.array([[2.0, -0.5, -1.0, 1.0, 0.5]])
    seat = np.zeros(1, np.int8)
    play_against_random(batch.table, keys, seat, weights, cards)
    choice = cards[0, 0]
    batch.games.hands[0, 1:] = batch.games.hands[0, others]
    batch.games.deck[0] = batch.games.deck[0, ::-1]
    play_against_random(batch.table, keys, seat, weights, cards)
    assert cards[0, 0] == choice
