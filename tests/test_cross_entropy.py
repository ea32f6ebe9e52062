"""Learning the weights of the linear bidder."""

import json
from pathlib import Path

import numpy as np
import pytest

from mindup_agents.linear import FEATURES
from mindup_env import GameConfig, cli
from mindup_env.engine.batch import make_keys
from mindup_training.cross_entropy import Settings, learn, play

QUICK = Settings(generations=2, population=24, games=120)


def test_learning_beats_random_players_by_far_and_repeats_exactly() -> None:
    start, *_, end = learn(QUICK, test_games=1200)
    again = list(learn(QUICK, test_games=1200))[-1]
    assert end.win_share - end.win_share_error > start.win_share + start.win_share_error + 0.2
    assert end.margin > start.margin + 5
    assert end.weights.tolist() == again.weights.tolist()
    assert (end.win_share, end.margin) == (again.win_share, again.margin)


def test_shares_and_margins_are_those_of_the_learners_seat() -> None:
    config = GameConfig(2)
    shares, margins = play(config, np.zeros((3, len(FEATURES))), make_keys(0, 400))
    assert shares.shape == margins.shape == (3, 400)
    assert set(np.unique(shares)) <= {0, 0.5, 1}
    # Of two players the one with more points wins; equal candidates fare equally on equal deals.
    decided = margins != 0
    assert (shares[decided] == (margins > 0)[decided]).all()
    assert (shares == shares[0]).all()


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
