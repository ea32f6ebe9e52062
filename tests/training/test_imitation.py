"""A policy learns the cards of a bot from a dataset, the same in every fit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mindup_agents.policy import PolicyAgent, Widths, load_policy, save_policy
from mindup_arena.match import win_share_against
from mindup_env import GameConfig, cli
from mindup_training.dataset import DatasetSettings, read_dataset
from mindup_training.imitation.config import ImitationConfig
from mindup_training.imitation.fit import Epoch, Errors, Imitation, fit
from mindup_training.imitation.samples import load_samples
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.network import make_network
from mindup_training.run_folder import RunFolder
from tests.training.datasets import play_dataset
from tests.training.policies import NARROW, padded_policy, policy_file

GAME = GameConfig(3, num_rounds=1)
CONFIG = ImitationConfig(
    features="plain-1", widths=NARROW, epochs=2, batch_size=64, held_out=0.2, threads=1
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Decisions of greedy and of random."""
    path = tmp_path_factory.mktemp("dataset")
    play_dataset(DatasetSettings(("greedy", "random"), GAME, deals=20), path)
    return path


def test_an_imitation_of_greedy_beats_uniform_cards(folder: Path) -> None:
    config = replace(CONFIG, bots=("greedy",), features="forecast-1", epochs=8, learning_rate=5e-3)
    found: list[Epoch] = []
    policy = fit(config, [folder], on_epoch=found.append)
    hands = [
        chunk.action_mask[:, chunk.seats.bot == 0].sum(axis=-1)
        for chunk in read_dataset(folder).chunks()
    ]
    uniform = float(np.log(np.concatenate(hands, axis=1)).mean())
    assert found[0].held_out.policy_loss == pytest.approx(uniform, abs=0.1)
    assert found[-1].held_out.policy_loss < 0.8 * uniform
    assert found[-1].held_out.value_error < found[0].held_out.value_error
    assert [epoch.number for epoch in found] == list(range(9))
    agent = PolicyAgent.of(policy, GAME)
    assert win_share_against(agent, "random", GAME, 30).value > 0.45


def test_deals_are_held_out_as_a_whole_and_only_the_chosen_bots_are_imitated(folder: Path) -> None:
    dataset = read_dataset(folder)
    samples = load_samples(CONFIG, [dataset, dataset])
    assert len(samples.slots) == 2 * dataset.num_rows
    greedy = load_samples(replace(CONFIG, bots=("greedy",)), [dataset])
    assert 2 * len(greedy.slots) == dataset.num_rows
    deals = np.concatenate(
        [np.tile(chunk.seats.deal, len(chunk.action)) for chunk in dataset.chunks()] * 2
    )
    for deal in range(20):
        assert len(set(samples.held_out[deals == deal].tolist())) == 1
    assert 0 < samples.held_out.mean() < 0.5
    cards = np.take_along_axis(samples.rows[:, -7:], samples.slots[:, None], axis=1)[:, 0]
    actions = np.concatenate([chunk.action.ravel() for chunk in dataset.chunks()] * 2)
    assert (cards == actions).all()


def test_a_policy_starts_from_another(folder: Path, tmp_path: Path) -> None:
    """With hardly any learning it stays what it was; without a policy loss the values learn."""
    start = str(policy_file(tmp_path, GAME))
    config = replace(CONFIG, start=start, learning_rate=1e-9, epochs=1)
    before, after = load_policy(Path(start)), fit(config, [folder])
    for name, tensor in before.tensors.items():
        assert after.tensors[name] == pytest.approx(tensor, abs=1e-5)
    found: list[Epoch] = []
    fit(replace(config, policy_coef=0.0, learning_rate=1e-3), [folder], on_epoch=found.append)
    assert found[-1].held_out.value_error < found[0].held_out.value_error
    with pytest.raises(ValueError, match="it has widths 24 16 8, not 64 64 64"):
        fit(replace(config, widths=Widths()), [folder])
    save_policy(padded_policy(GAME, pad_to_players=4), Path(start))
    with pytest.raises(ValueError, match="it has pad_to_players 4, not None; rows"):
        fit(config, [folder])


def test_policy_and_values_are_fitted_to_the_win_probabilities_of_a_bot(
    folder: Path, tmp_path: Path
) -> None:
    """The regret of the policy falls below that of random cards."""
    play_dataset(DatasetSettings(("search:simulations=8",), GAME, deals=20), tmp_path)
    dataset = read_dataset(tmp_path)
    (chunk,) = dataset.chunks()
    best, mean = (find(chunk.card_values, axis=-1).ravel() for find in (np.nanmax, np.nanmean))
    to_values = replace(CONFIG, value_target="card-values")
    config = replace(CONFIG, features="position-1", learning_rate=1e-2, epochs=8)
    config = replace(config, policy_target="card-values", policy_coef=20.0)
    assert load_samples(to_values, [dataset]).values == pytest.approx(best - 1 / 3)
    samples = load_samples(config, [dataset])
    assert samples.slot_values.max(axis=1) == pytest.approx(best)
    assert samples.values == pytest.approx(chunk.returns.ravel())
    found: list[Epoch] = []
    fit(config, [tmp_path], on_epoch=found.append)
    uniform = (best - mean)[samples.held_out].mean()
    assert found[0].held_out.policy_loss == pytest.approx(uniform, rel=0.2)
    assert found[-1].held_out.policy_loss < 0.8 * uniform
    for wrong in (config, to_values):
        with pytest.raises(ValueError, match="needs bots whose card_values are win probabilities"):
            load_samples(wrong, [read_dataset(folder)])


def test_the_network_bidding_1_learns_from_the_cards_of_the_opponents(
    folder: Path, tmp_path: Path
) -> None:
    """And a fit that starts from its policy has the same network."""
    config = replace(CONFIG, imitate=(str(folder),), bots=("greedy",), epochs=6)
    config = replace(config, features="raw-1", network="bidding-1", learning_rate=1e-2)
    dataset, found = read_dataset(folder), list[Epoch]()
    samples = load_samples(config, [dataset], make_network(config.describe_policy()))
    deals = [chunk for chunk in dataset.chunks() for _ in chunk.action]
    expected = [
        [
            chunk.action[turn % GAME.num_turns, 3 * (seat // 3) + (seat + step) % 3]
            for step in (1, 2)
        ]
        for turn, chunk in enumerate(deals)
        for seat in np.flatnonzero(chunk.seats.bot == 0)
    ]
    assert samples.targets["opponent_cards"].tolist() == np.array(expected).tolist()
    policy = fit(config, [folder], on_epoch=found.append)
    _, first, *_, last = (epoch.learned for epoch in found)
    assert first is not None and last is not None
    assert last.auxiliary_loss < first.auxiliary_loss - 0.05
    assert found[-1].held_out.policy_loss < found[0].held_out.policy_loss
    save_policy(policy, path := tmp_path / "policy.safetensors")
    assert load_policy(path).description.network == "bidding-1"
    again = ImitationConfig().changed({"start": str(path), "imitate": [str(folder)]})
    assert (again.network, again.features, again.widths) == ("bidding-1", "raw-1", NARROW)


def test_datasets_of_different_games_are_refused(folder: Path, tmp_path: Path) -> None:
    for name, game in (("players", GameConfig(4, num_rounds=1)), ("rounds", GameConfig(3))):
        play_dataset(DatasetSettings(("greedy",), game, deals=1), tmp_path / name)
        with pytest.raises(ValueError, match="may differ in the number of objectives alone"):
            fit(CONFIG, [folder, tmp_path / name])
    shown = DatasetSettings(("greedy",), replace(GAME, num_objectives=2), deals=1)
    play_dataset(shown, tmp_path / "shown")
    policy = fit(replace(CONFIG, epochs=1), [tmp_path / "shown", folder])
    assert [config.num_objectives for config in policy.description.configs] == [0, 2]
    with pytest.raises(ValueError, match="must have at least 2 deals"):
        fit(CONFIG, [tmp_path / "shown"])


def test_the_command_fits_a_policy_and_resumes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interruption changes nothing: the policy is that of a fit in one go."""
    out, learn, calls = tmp_path / "run", Imitation.learn_epoch, iter(range(9))
    words = ["train", "--imitate", str(folder), "--features", "plain-1", "--bots", "greedy"]
    words += ["--epochs", "2", "--widths", "24", "16", "8", "--out", str(out)]

    def interrupt(self: Imitation) -> Errors:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return learn(self)

    with monkeypatch.context() as patch:
        patch.setattr(Imitation, "learn_epoch", interrupt)
        assert cli.main(words) == cli.INTERRUPTED
    assert cli.main(["train", "--resume", str(out)]) == 0
    settings = RunFolder.open(out).settings
    assert isinstance(settings, ImitationConfig)
    assert (settings.imitate, settings.bots) == ((str(folder),), ("greedy",))
    policy, one_go = load_policy(out / "policy.safetensors"), fit(settings, [folder])
    assert policy.description.widths == NARROW
    for name, tensor in one_go.tensors.items():
        assert (policy.tensors[name] == tensor).all()
    rows = read_csv_log(out / "metrics.csv")
    assert len(rows) == 2 and float(rows[-1]["held_out_policy_loss"]) > 0
    assert (out / "learning_curve.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--imitate DIR --policy-coef 0 --vf-coef 0", "must not both be 0"),
        ("--imitate DIR --policy-target card-values", "card_values are win probabilities"),
        (
            "--imitate DIR --network bidding-1 --features memory-1",
            "remember what the network itself",
        ),
        (
            "--imitate DIR --network tests.training.own_parts:WithTargets",
            "datasets do not have the target 'final_scores'",
        ),
        ("--imitate DIR --bots gredy", "no dataset has the bot 'gredy'; did you mean greedy?"),
    ],
)
def test_the_command_refuses_what_means_nothing_to_it(
    words: str, error: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", *words.replace("DIR", str(folder)).split()]) == 2
    assert error in capsys.readouterr().err
