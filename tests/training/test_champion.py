"""``mindup train champion``: the recipe makes a champion that plays, and resumes where it ended."""

from dataclasses import replace
from pathlib import Path

import pytest
from safetensors.numpy import load_file

from examples.studies import feature_ablation
from mindup_agents.features.position import PositionFeatures
from mindup_env import GameConfig, cli, make_agent
from mindup_training import champion
from mindup_training.champion import ChampionSettings, Recipe, make_champion
from mindup_training.dataset import DatasetSettings
from mindup_training.imitation.fit import fit
from tests.agents.positions import stages
from tests.training.datasets import play_dataset

SETTINGS = ChampionSettings(players=3, decisions=1, own_decisions=1, ppo_decisions=1, epochs=1)
NETWORKS = {"models/champion-3", "models/lowest", "value", "policy"}


class KilledError(Exception):
    """Ends the recipe at some step."""


def play(games: DatasetSettings, folder: Path, **_: object) -> None:
    if not folder.exists():
        play_dataset(games, folder)


def assert_plays(networks: Path) -> None:
    agent = make_agent(f"champion-3:worlds=4,networks={networks}", GameConfig(3, 1))
    arguments = stages(GameConfig(3, 1))
    chosen = agent.act(*arguments)
    assert arguments.action_mask[range(len(chosen)), chosen].all()


def test_the_recipe_and_its_ablation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With quick bots, two numbers of objectives, and games in the process of the test."""
    monkeypatch.setattr(champion, "PANEL", ("planner", "lowest"))
    monkeypatch.setattr(champion, "PLAYED_AGAINST", ("planner", "lowest"))
    monkeypatch.setattr(champion, "OPPONENTS_OF_PPO", ("lowest",))
    monkeypatch.setattr(champion, "OBJECTIVES", range(2))
    monkeypatch.setattr(champion, "OWN_WORLDS", 2)
    monkeypatch.setattr(champion, "make_dataset", play)
    for module in (champion, feature_ablation):
        monkeypatch.setattr(module, "IMITATED", ("lowest",))
    folder, keep, ends = tmp_path / "champion", Recipe.keep, {1, 3}
    kept: list[Path] = []

    def keep_or_end(self: Recipe, made: Path, network: Path) -> None:
        if len(kept) in ends:
            ends.remove(len(kept))
            raise KilledError
        keep(self, made, network)
        kept.append(network)

    monkeypatch.setattr(Recipe, "keep", keep_or_end)
    for _ in range(2):
        with pytest.raises(KilledError):
            make_champion(SETTINGS, folder)
    networks = make_champion(SETTINGS, folder)
    made = {str(each.relative_to(networks).with_suffix("")) for each in networks.rglob("*.*")}
    assert made == NETWORKS
    assert_plays(networks)
    # Interruptions change nothing: these are the weights of a fit that had none.
    recipe = Recipe(SETTINGS, folder)
    fitted = fit(recipe.values(), recipe.play_own_games())
    found = load_file(networks / "value.safetensors")
    assert all((found[name] == each).all() for name, each in fitted.tensors.items())
    with pytest.raises(ValueError, match="with other settings"):
        make_champion(replace(SETTINGS, seed=1), folder)
    assert Recipe(SETTINGS, folder / ".." / folder.name).champion == recipe.champion

    ablated = tmp_path / "ablated"
    feature_ablation.ablate(folder, ["opponents:", "card:"], ablated)
    assert_plays(ablated)
    value, draft = (load_file(ablated / name / "value.safetensors") for name in ("", "draft"))
    # Both began with the same weights, which learning changes only where features are not 0.
    model = load_file(ablated / "draft" / "models" / "lowest.safetensors")
    names = PositionFeatures(GameConfig(3)).names
    for layer, features in zip(("table.weight", "card.weight"), names, strict=True):
        assert (model[layer] != draft[layer]).any()
        for place, name in enumerate(features):
            is_ignored = name.startswith(("opponents:", "card:"))
            assert (not value[layer][:, place].any()) == is_ignored, name
            assert not is_ignored or (model[layer] == draft[layer])[:, place].all(), name
            assert (value[layer] != draft[layer])[:, place].any() == is_ignored, name
    with pytest.raises(ValueError, match=r"no feature begins with 'oponents:'; there are .*own"):
        feature_ablation.ablate(folder, ["own:", "oponents:"], tmp_path / "other")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "2"], "players must be 3 to 6, not 2"),
        (["--workers", "0"], "--workers must be 1 to"),
    ],
)
def test_wrong_options_are_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", "champion", *words]) == 2
    assert message in capsys.readouterr().err


def test_each_start_has_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(champion, "make_champion", lambda _, folder, **__: folder)
    for folder in "runs/champion-4p-seed3", "runs/champion-4p-seed3-2":
        assert cli.main(["train", "champion", "--seed", "3"]) == 0
        assert f"networks: {folder}, to be" in capsys.readouterr().out
