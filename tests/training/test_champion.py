"""``mindup train champion``: the recipe makes a champion that plays, and resumes where it ended."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt
import pytest
import torch

import mindup_cli
from mindup_agents.champion.feature_shape import Float32Array
from mindup_agents.champion.network import (
    Activations,
    Weights,
    expected_value,
    make_activations,
    stack_networks,
    write_card_probabilities,
)
from mindup_agents.champion.network_file import read_networks
from mindup_agents.champion.position import position_shape, read_positions
from mindup_agents.simple import HighestAgent
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Float64Array, Int64Array
from mindup_training import champion, champion_fit
from mindup_training.champion import ChampionSettings, make_champion
from mindup_training.champion_games import Decisions, Games, load, load_expected, play
from tests.agents.positions import stages

SETTINGS = ChampionSettings(num_players=3, decisions=1, own_decisions=1, epochs=1)
SHORT = GameConfig(3, num_rounds=2, hand_size=3)


class Sure(HighestAgent):
    """Values the cards of its hand alike, and all others higher."""

    def act(self, observation: Any, action_mask: Any, *others: Any) -> Int64Array:
        self.values = np.where(action_mask, 0.6, 0.9)
        return super().act(observation, action_mask, *others)

    def evaluate_cards(self) -> tuple[str, Float64Array]:
        return "", self.values


class KilledError(Exception):
    """Ends the recipe at some step."""


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(champion, "PANEL", ("planner", "lowest"))
    monkeypatch.setattr(champion, "IMITATED", ("lowest",))
    monkeypatch.setattr(champion, "PLAYED_AGAINST", ("planner", "lowest"))
    monkeypatch.setattr(champion, "OBJECTIVES", range(1))
    monkeypatch.setattr(champion, "OWN_WORLDS", 2)
    monkeypatch.setattr(champion, "SHOWN_WORLDS", 3)
    monkeypatch.setattr(champion, "CALIBRATION_DECISIONS", 1)


def test_an_interrupted_recipe_makes_the_same_champion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    networks = make_champion(SETTINGS, tmp_path / "unbroken")
    assert networks == tmp_path / "unbroken" / "networks.npz"
    with ZipFile(networks) as members:
        assert members.comment == networks.with_name("run.json").read_bytes()
        assert b'"commit"' in members.comment
    found, fitted = map(read_networks, (networks, networks.with_name("fitted.npz")))
    assert found.keys() == {"value", "lowest", "champion", "calibration"}
    calibration = networks.with_name("calibration")
    played = load([Games(calibration / "0_objectives", GameConfig(3), 11, (), (), ())])
    odds = found.pop("calibration")["odds"]
    np.testing.assert_equal(found, fitted)
    shown = played.best_values + 1 / 3
    assert (odds * shown / (1 - shown + odds * shown)).mean() == pytest.approx(1 / 3, abs=1e-4)
    said = f"{calibration}: games of champion:worlds=3,networks={tmp_path}/unbroken/fitted.npz\n"
    assert said in capsys.readouterr().out
    agent = make_agent(f"champion:worlds=4,networks={networks}", GameConfig(3))
    arguments = stages(GameConfig(3))
    chosen = agent.act(*arguments)
    assert arguments.action_mask[range(len(chosen)), chosen].all()

    fit, fits = champion_fit.fit, list[Any]()

    def fit_or_end(*given: Any, **named: Any) -> Any:
        fits.append((*given, named["start"]))
        if len(fits) in (2, 4):
            raise KilledError
        return fit(*given, **named)

    monkeypatch.setattr(champion_fit, "fit", fit_or_end)
    for _ in range(2):
        with pytest.raises(KilledError):
            make_champion(SETTINGS, tmp_path / "broken")
    again = make_champion(SETTINGS, tmp_path / "broken")
    imitation, values = champion_fit.IMITATION, champion_fit.VALUES
    _, learned, losses, starts = zip(*fits, strict=True)
    assert losses == (imitation, *[values] * 4, imitation), "what was done is left out"
    assert [start is not None for start in starts] == [False, False, False, True, True, False]
    assert len(np.unique(learned[4].returns)) > 99, "expected returns, not results"
    assert again.read_bytes() == networks.read_bytes()
    with pytest.raises(ValueError, match="has other settings"):
        make_champion(replace(SETTINGS, seed=1), tmp_path / "broken")


def test_files_have_what_bots_see_choose_and_win(tmp_path: Path) -> None:
    sure = f"{__name__}:Sure"
    games = Games(tmp_path, SHORT, 5, (1, 2), ("lowest", sure), (sure,))
    play([games], workers=1)
    found, turns = load([games]), SHORT.num_turns
    assert len(found.rows) == 5 * 3 * turns
    assert found.games.tolist().count(4) == 3 * turns
    alone = np.bincount(found.games[found.bots == 0], minlength=5)
    assert {*alone.tolist()} == {0, turns}, "at one seat of some games"
    shape = position_shape(SHORT)
    assert found.rows.shape[1] == shape.size
    assert not found.slots[found.bots == 0].any()
    assert (
        np.take_along_axis(found.rows[:, shape.hand_begins :], found.slots[:, None], 1) >= 0
    ).all()
    for game in range(5):
        assert found.returns[found.games == game].sum() == pytest.approx(0, abs=1e-5)
    assert (found.best_values[found.bots == 0] == 0).all(), "lowest has no evaluations"
    assert found.best_values[found.bots == 1] == pytest.approx(0.6 - 1 / 3)
    only = load([games], sure)
    assert np.array_equal(only.rows, found.rows[found.bots == 1])
    with pytest.raises(ValueError, match="not in list"):
        load([games], "planner")


@kernel
def evaluate(
    weights_: tuple[Any, ...],
    activations: tuple[Any, ...],
    rows: Float32Array,
    cards: npt.NDArray[np.int64],
    probabilities: Float64Array,
    values: Float64Array,
) -> None:
    """Fills the probabilities (B, slots) and values (B,) of rows with so many cards (B,)."""
    weights, at = Weights(*weights_), Activations(*activations)
    for row in range(len(rows)):
        for place in range(len(at.row)):
            at.row[place] = rows[row, place]
        write_card_probabilities(weights, 1, at, probabilities[row, : cards[row]])
        values[row] = expected_value(weights, 1, cards[row], at)


def test_the_bot_computes_the_network_that_is_fitted() -> None:
    shape, asked = position_shape(SHORT), stages(SHORT)
    nets = [champion_fit.CardsNetwork(shape) for _ in range(2)]
    for parameter in nets[1].parameters():
        torch.nn.init.normal_(parameter, 0, 0.3)
    tensors = [{name: each.numpy() for name, each in net.state_dict().items()} for net in nets]
    rows, cards = read_positions(SHORT, asked.observation), asked.action_mask.sum(1, np.int64)
    probabilities, values = np.zeros((len(rows), shape.slots)), np.zeros(len(rows))
    arrays = tuple(stack_networks(tensors, shape)), tuple(make_activations(shape))
    evaluate(*arrays, rows, cards, probabilities, values)
    with torch.no_grad():
        logprobs, expected = nets[1](torch.from_numpy(rows))
    np.testing.assert_allclose(values, expected, atol=1e-5)
    np.testing.assert_allclose(probabilities, logprobs.exp(), atol=1e-5)


def test_expected_returns_are_centred(tmp_path: Path) -> None:
    """Over the seats of each turn in games of copies, and on the results against others."""
    own, against = (
        Games(tmp_path / other, SHORT, 40, (1,), ("greedy",), (other,))
        for other in ("greedy", "lowest")
    )
    play([own, against], workers=1)
    found, ours, theirs = load_expected([own], [against]), load([own]), load([against])
    assert (np.ptp(ours.games.reshape(-1, 3), axis=1) == 0).all()
    centred, others = np.split(found.returns, [len(ours.returns)])
    assert centred.reshape(-1, 3).sum(axis=1) == pytest.approx(0, abs=1e-4)
    moved = (ours.best_values - centred).reshape(-1, 3)
    assert np.ptp(moved, axis=1) == pytest.approx(0, abs=1e-4)
    assert others.mean() == pytest.approx(theirs.returns.mean(), abs=1e-4)
    assert np.ptp(theirs.best_values - others) == pytest.approx(0, abs=1e-4)


def test_a_fit_goes_on_from_a_start_to_other_returns() -> None:
    rows = read_positions(SHORT, stages(SHORT).observation)
    none, numbers = np.zeros(len(rows), np.int64), np.arange(len(rows))
    ones, fitted = np.ones(len(rows), np.float32), None
    network = champion_fit.CardsNetwork(position_shape(SHORT))
    for expected, epochs in ((-1, 150), (1, 150), (1, 1)):
        decisions = Decisions(rows, none, expected * ones, 9 * ones, none, numbers)
        fitted = champion_fit.fit(
            network.shape, decisions, champion_fit.VALUES, epochs=epochs, seed=0, start=fitted
        )
        network.load_state_dict({name: torch.tensor(each) for name, each in fitted.items()})
        found = network(torch.from_numpy(rows))[1].detach()
        assert found.numpy() == pytest.approx(expected, abs=0.5)


def test_any_number_of_workers_writes_the_same_files(tmp_path: Path) -> None:
    alone, shared = (
        Games(tmp_path / name, SHORT, 70, (3,), ("lowest",), ("random",), 0.5)
        for name in ("alone", "shared")
    )
    play([alone], workers=1)
    play([shared], workers=1)
    shared.files[1].unlink()
    play([shared], workers=2)
    assert len(alone.files) == 3
    for one, other in zip(alone.files, shared.files, strict=True):
        with np.load(one) as ours, np.load(other) as theirs:
            assert all(np.array_equal(ours[name], theirs[name]) for name in ours.files)


def test_random_cards_are_played_and_not_imitated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played, step = [], BatchEnv.step

    def remember(env: BatchEnv, actions: Any) -> Any:
        played.append(actions == env.seen["action_mask"].argmax(axis=2))
        return step(env, actions)

    monkeypatch.setattr(BatchEnv, "step", remember)
    games = Games(tmp_path, SHORT, 64, (0,), ("lowest",), ("lowest",), 0.5)
    play([games], workers=1)
    assert 0.6 < np.mean([each.mean() for each in played]) < 0.8, "some random cards are the lowest"
    assert (load([games]).slots == 0).all()


@pytest.mark.slow
@pytest.mark.parametrize(("players", "objectives"), [(3, 0), (4, 5), (5, 0), (6, 5)])
def test_the_chances_of_a_table_add_up_to_one(
    tmp_path: Path, players: int, objectives: int
) -> None:
    """On average: those that the champion of the package gives itself, in games of copies."""
    config = GameConfig(players, objectives)
    games = Games(tmp_path, config, 12, (2,), ("champion",), ("champion",))
    play([games], workers=1)
    above_equal = load([games]).best_values.mean()
    assert abs(above_equal) < 0.03


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "2"], "players must be 3 to 6, not 2"),
        (["--workers", "0"], "workers must be at least 1, not 0"),
    ],
)
def test_wrong_options_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mindup_cli.main(["train", "champion", *words]) == 2
    assert message in capsys.readouterr().err
