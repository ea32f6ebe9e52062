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


def uniform_log_loss(folder: Path, bot: int) -> float:
    """The log loss of uniformly random cards."""
    hands = [
        chunk.action_mask[:, chunk.seats.bot == bot].sum(axis=-1)
        for chunk in read_dataset(folder).chunks()
    ]
    return float(np.log(np.concatenate(hands, axis=1)).mean())


def test_an_imitation_of_greedy_beats_uniform_cards(folder: Path) -> None:
    config = replace(CONFIG, bots=("greedy",), features="forecast-1", epochs=8, learning_rate=5e-3)
    found: list[Epoch] = []
    policy = fit(config, [folder], on_epoch=found.append)
    uniform = uniform_log_loss(folder, bot=0)
    assert found[0].held_out.policy_loss == pytest.approx(uniform, abs=0.1)
    assert found[-1].held_out.policy_loss < 0.8 * uniform
    assert found[-1].held_out.value_error < found[0].held_out.value_error
    assert [epoch.number for epoch in found] == list(range(9))
    agent = PolicyAgent.of(policy, GAME)
    assert win_share_against(agent, "random", GAME, 30).value > 0.45


def test_the_same_seed_gives_the_same_file(folder: Path, tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        save_policy(fit(replace(CONFIG, seed=seed, epochs=1), [folder]), tmp_path / name)
    one, again, other = ((tmp_path / name).read_bytes() for name in ("one", "again", "other"))
    assert one == again != other


def test_deals_are_held_out_as_a_whole(folder: Path) -> None:
    dataset = read_dataset(folder)
    samples = load_samples(CONFIG, [dataset, dataset])
    assert len(samples.slots) == 2 * dataset.num_rows
    deals = np.concatenate(
        [np.tile(chunk.seats.deal, len(chunk.action)) for chunk in dataset.chunks()] * 2
    )
    for deal in range(20):
        assert len(set(samples.held_out[deals == deal].tolist())) == 1
    assert 0 < samples.held_out.mean() < 0.5
    cards = np.take_along_axis(samples.rows[:, -7:], samples.slots[:, None], axis=1)[:, 0]
    actions = np.concatenate([chunk.action.ravel() for chunk in dataset.chunks()] * 2)
    assert (cards == actions).all()


def test_only_the_chosen_bots_are_imitated(folder: Path) -> None:
    dataset = read_dataset(folder)
    (greedy, everyone) = (
        load_samples(replace(CONFIG, bots=bots), [dataset]) for bots in (("greedy",), ())
    )
    assert 2 * len(greedy.slots) == len(everyone.slots)


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
    with pytest.raises(ValueError, match="has the features plain-1 and the widths 24 16 8, not"):
        fit(replace(config, widths=Widths()), [folder])
    save_policy(padded_policy(GAME, pad_to_players=4), Path(start))
    with pytest.raises(ValueError, match="padded to 4 players, but an imitation has features with"):
        fit(config, [folder])


def test_values_are_fitted_to_the_win_probabilities_of_a_bot(folder: Path, tmp_path: Path) -> None:
    play_dataset(DatasetSettings(("search:simulations=2",), GAME, deals=2), tmp_path / "search")
    dataset = read_dataset(tmp_path / "search")
    (chunk,) = dataset.chunks()
    best = np.nanmax(chunk.card_values, axis=-1).ravel()
    config = replace(CONFIG, value_target="card-values")
    assert load_samples(config, [dataset]).values == pytest.approx(best - 1 / 3)
    assert load_samples(CONFIG, [dataset]).values == pytest.approx(chunk.returns.ravel())
    with pytest.raises(ValueError, match="needs bots whose card_values are win probabilities"):
        fit(config, [folder])
    with pytest.raises(ValueError, match="value_target must be return or card-values, not 'wins'"):
        replace(CONFIG, value_target="wins")


def test_a_policy_is_fitted_to_the_values_of_all_cards(folder: Path, tmp_path: Path) -> None:
    """Its regret falls below that of random cards."""
    play_dataset(DatasetSettings(("search:simulations=8",), GAME, deals=20), tmp_path / "search")
    config = replace(CONFIG, features="position-1", learning_rate=1e-2)
    config = replace(config, policy_target="card-values", policy_coef=20.0)
    (chunk,) = read_dataset(tmp_path / "search").chunks()
    best, mean = (find(chunk.card_values, axis=-1).ravel() for find in (np.nanmax, np.nanmean))
    samples = load_samples(config, [read_dataset(tmp_path / "search")])
    assert samples.slot_values.max(axis=1) == pytest.approx(best)
    assert samples.values == pytest.approx(chunk.returns.ravel())
    found: list[Epoch] = []
    fit(replace(config, epochs=8), [tmp_path / "search"], on_epoch=found.append)
    uniform = (best - mean)[samples.held_out].mean()
    assert found[0].held_out.policy_loss == pytest.approx(uniform, rel=0.2)
    assert found[-1].held_out.policy_loss < 0.8 * uniform
    with pytest.raises(ValueError, match="needs bots whose card_values are win probabilities"):
        fit(config, [folder])
    with pytest.raises(ValueError, match="policy_target must be cards or card-values, not 'wins'"):
        replace(CONFIG, policy_target="wins")


def test_datasets_of_different_games_are_refused(folder: Path, tmp_path: Path) -> None:
    for name, game, error in (
        ("players", GameConfig(4, num_rounds=1), "may differ in the number of objectives"),
        ("rounds", GameConfig(3, num_rounds=2), "may differ in the number of objectives"),
    ):
        play_dataset(DatasetSettings(("greedy",), game, deals=1), tmp_path / name)
        with pytest.raises(ValueError, match=error):
            fit(CONFIG, [folder, tmp_path / name])
    play_dataset(
        DatasetSettings(("greedy",), replace(GAME, num_objectives=2), deals=1), tmp_path / "shown"
    )
    policy = fit(CONFIG, [tmp_path / "shown", folder])
    assert [config.num_objectives for config in policy.description.configs] == [0, 2]
    with pytest.raises(ValueError, match="must have at least 2 deals"):
        fit(CONFIG, [tmp_path / "shown"])


def test_the_command_fits_a_policy_and_resumes(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, broken = tmp_path / "run", tmp_path / "broken"
    words = ["train", "--imitate", str(folder), "--features", "plain-1", "--bots", "greedy"]
    words += ["--epochs", "2", "--widths", "24", "16", "8"]
    assert cli.main([*words, "--out", str(out)]) == 0
    assert "held_out_policy_loss" in capsys.readouterr().out
    rows = read_csv_log(out / "metrics.csv")
    assert len(rows) == 2 and float(rows[-1]["held_out_policy_loss"]) > 0
    assert (out / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    policy = load_policy(out / "policy.safetensors")
    assert policy.description.widths == NARROW
    settings = RunFolder.open(out).settings
    assert isinstance(settings, ImitationConfig)
    assert (settings.imitate, settings.bots) == ((str(folder),), ("greedy",))

    learn, calls = Imitation.learn_epoch, iter(range(9))

    def interrupt(self: Imitation) -> Errors:
        if next(calls) == 1:
            raise KeyboardInterrupt
        return learn(self)

    with monkeypatch.context() as patch:
        patch.setattr(Imitation, "learn_epoch", interrupt)
        assert cli.main([*words, "--out", str(broken)]) == cli.INTERRUPTED
    assert cli.main(["train", "--resume", str(broken)]) == 0
    for name in ("policy.safetensors", "evaluations.csv"):
        if (out / name).exists():
            assert (broken / name).read_bytes() == (out / name).read_bytes()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--players 3 --imitate DIR", "--imitate DIR must come first"),
        ("--imitate DIR --held-out 0.9", "held_out must be above 0 and at most 0.5, not 0.9"),
        ("--imitate DIR --policy-coef 0 --vf-coef 0", "must not both be 0"),
        ("--imitate DIR --bots gredy", "no dataset has the bot 'gredy'; did you mean greedy?"),
        ("--imitate nothing", "no run of mindup dataset in nothing"),
        ("--learner imitation", "an imitation needs at least one dataset"),
    ],
)
def test_the_command_refuses_what_means_nothing_to_it(
    words: str, error: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", *words.replace("DIR", str(folder)).split()]) == 2
    assert error in capsys.readouterr().err
