"""``mindup champion``: the recipe makes a champion that plays, and continues where it ended."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from safetensors.numpy import load_file

from examples.studies import feature_ablation
from mindup_agents.features.position import PositionFeatures
from mindup_env import GameConfig, cli, make_agent
from mindup_training.champion import recipe, settings
from mindup_training.champion.recipe import make_champion
from mindup_training.champion.settings import ChampionSettings
from mindup_training.dataset import DatasetSettings
from tests.agents.positions import stages
from tests.training.datasets import play_dataset

SETTINGS = ChampionSettings(players=3, decisions=1, own_decisions=1, epochs=1)
NETWORKS = "models/lowest.safetensors", "value.safetensors", "policy.safetensors"


class KilledError(Exception):
    """Ends the recipe at some step."""


def play(games: DatasetSettings, folder: Path, **_: object) -> None:
    if not folder.exists():
        play_dataset(games, folder)


@pytest.fixture(autouse=True, scope="module")
def _small() -> Iterator[None]:
    """Quick bots, two numbers of objectives, and games in the process of the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "PANEL", ("planner", "lowest"))
        patch.setattr(settings, "OBJECTIVES", range(2))
        patch.setattr(settings, "OWN_WORLDS", 2)
        patch.setattr(recipe, "IMITATED", ("lowest",))
        patch.setattr(recipe, "make_dataset", play)
        yield


@pytest.fixture(scope="module")
def champion(_small: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a champion, which is only read."""
    folder = tmp_path_factory.mktemp("champions") / "whole"
    make_champion(SETTINGS, folder)
    return folder


def test_an_interrupted_recipe_makes_the_same_champion(
    champion: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = champion / "networks"
    assert {str(path.relative_to(whole)) for path in whole.rglob("*.safetensors")} == {*NETWORKS}
    agent = make_agent(f"champion-2:worlds=4,networks={whole}", GameConfig(3, 1))
    arguments = stages(GameConfig(3, 1))
    chosen = agent.act(*arguments)
    assert arguments.action_mask[range(len(chosen)), chosen].all()

    keep, calls = recipe.Recipe.keep, iter(range(100))

    def keep_or_end(self: recipe.Recipe, made: Path, network: Path) -> None:
        if next(calls) in (1, 4):
            raise KilledError
        keep(self, made, network)

    monkeypatch.setattr(recipe.Recipe, "keep", keep_or_end)
    for _ in range(2):
        with pytest.raises(KilledError):
            make_champion(SETTINGS, tmp_path / "interrupted")
    interrupted = make_champion(SETTINGS, tmp_path / "interrupted")
    with pytest.raises(ValueError, match="with other settings"):
        make_champion(replace(SETTINGS, seed=1), tmp_path / "interrupted")
    for name in NETWORKS:
        assert (interrupted / name).read_bytes() == (whole / name).read_bytes()


def test_networks_without_some_features_play_and_ignore_them(
    champion: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feature_ablation, "IMITATED", ("lowest",))
    feature_ablation.ablate(champion, ["opponents:", "card:"], tmp_path / "ablated")
    agent = make_agent(f"champion-2:worlds=4,networks={tmp_path / 'ablated'}", GameConfig(3, 1))
    arguments = stages(GameConfig(3, 1))
    chosen = agent.act(*arguments)
    assert arguments.action_mask[range(len(chosen)), chosen].all()
    value, fitted = (
        load_file(tmp_path / "ablated" / name / "value.safetensors") for name in ("", "draft")
    )
    # Both began with the same weights, which learning changes only where features are not 0.
    model = load_file(tmp_path / "ablated" / "draft" / "models" / "lowest.safetensors")
    names = PositionFeatures(GameConfig(3)).names
    for layer, features in zip(("table.weight", "card.weight"), names, strict=True):
        assert (model[layer] != fitted[layer]).any()
        for place, name in enumerate(features):
            is_ignored = name.startswith(("opponents:", "card:"))
            assert (not value[layer][:, place].any()) == is_ignored, name
            assert not is_ignored or (model[layer] == fitted[layer])[:, place].all(), name
            assert (value[layer] != fitted[layer])[:, place].any() == is_ignored, name
    with pytest.raises(ValueError, match=r"no feature begins with 'oponents:'; there are .*own"):
        feature_ablation.ablate(champion, ["own:", "oponents:"], tmp_path / "other")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "2"], "players must be 3 to 6, not 2"),
        (["--seed", "1", "--resume", "x"], "--resume can only be combined with --workers"),
        (["--workers", "0"], "--workers must be 1 to"),
    ],
)
def test_wrong_options_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["champion", *words]) == 2
    assert message in capsys.readouterr().err
