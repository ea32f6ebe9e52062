"""Refits the networks of a champion without some of its features, to see what these add.

python examples/studies/feature_ablation.py runs/champion-4p-seed0 --without opponents: \
    --out runs/without
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from mindup_agents.features import ENCODERS, FeatureNames
from mindup_agents.features.base import Float32Array
from mindup_agents.features.position import PositionFeatures
from mindup_agents.lookahead.network_folder import OPPONENTS, POLICY, VALUE
from mindup_agents.policy import Policy, load_policy, save_policy
from mindup_env import GameConfig
from mindup_env.agent import ActArguments
from mindup_env.runs.run_folder import RunFolder
from mindup_training.champion import CHAMPION, GAMES, IMITATED, OWN_GAMES, ChampionSettings, Recipe
from mindup_training.imitation.config import ImitationConfig
from mindup_training.imitation.fit import fit

ABLATED = "ablated"
"""The id of the features while the networks are fitted."""


def ablate(champion: Path, prefixes: Sequence[str], out: Path) -> None:
    """Fits networks as the recipe of the champion does; those features are 0 in all decisions."""

    class AblatedFeatures(PositionFeatures):
        name = ABLATED

        def write(self, given: ActArguments, out: Float32Array) -> None:
            super().write(given, out)
            table, slots, _ = self.shape.split(out)
            in_table, in_card = find_features(self.names, prefixes)
            table[:, in_table] = 0
            slots[:, :, in_card] = 0

    settings = RunFolder.read(champion, CHAMPION, ChampionSettings).settings
    names = PositionFeatures(GameConfig(settings.players)).names
    check_prefixes(names, prefixes)
    recipe = Recipe(settings, champion)
    games, *own = (sorted((champion / each).iterdir()) for each in (GAMES, *OWN_GAMES))
    own_games = [folder for folders in own for folder in folders]

    def refit(config: ImitationConfig, datasets: Sequence[Path], network: str) -> None:
        print(f"{out / network}: a fit to {datasets[0].parent}", flush=True)
        policy = fit(replace(config, features=ABLATED), datasets)
        ignoring = without_features(policy, names, prefixes)
        for path, kept in ((draft / network, policy), (out / network, ignoring)):
            path.parent.mkdir(parents=True, exist_ok=True)
            save_policy(kept, path)

    draft = out / "draft"
    ENCODERS[ABLATED] = AblatedFeatures
    try:
        for bot in IMITATED:
            refit(recipe.imitation(bot), games, f"{OPPONENTS}/{bot}.safetensors")
        refit(recipe.first_values(), games, VALUE)
        refit(replace(recipe.values(), start=str(draft / VALUE)), own_games, VALUE)
    finally:
        del ENCODERS[ABLATED]
    save_policy(load_policy(recipe.networks / POLICY), out / POLICY)


def check_prefixes(names: FeatureNames, prefixes: Sequence[str]) -> None:
    """Refuses a prefix without a feature: the networks would be those of the champion."""
    every = [name for part in names for name in part]
    for prefix in prefixes:
        if not any(name.startswith(prefix) for name in every):
            groups = sorted({name.partition(":")[0] for name in every})
            raise ValueError(f"no feature begins with {prefix!r}; there are {', '.join(groups)}")


def find_features(names: FeatureNames, prefixes: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places of the features whose names begin so: of the table, and of each card."""
    table, card = (
        [place for place, name in enumerate(part) if name.startswith(tuple(prefixes))]
        for part in names
    )
    return table, card


def without_features(policy: Policy, names: FeatureNames, prefixes: Sequence[str]) -> Policy:
    """The same network with whole rows of position-1, of which it ignores those features."""
    tensors = dict(policy.tensors)
    for layer, places in zip(("table", "card"), find_features(names, prefixes), strict=True):
        tensors[f"{layer}.weight"] = tensors[f"{layer}.weight"].copy()  # (width, features)
        tensors[f"{layer}.weight"][:, places] = 0
    return Policy(replace(policy.description, features=PositionFeatures.name), tensors)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("champion", type=Path, help="folder that mindup train champion made")
    parser.add_argument("--without", nargs="+", required=True, help="how their names begin")
    parser.add_argument("--out", type=Path, required=True, help="folder of the networks")
    arguments = parser.parse_args()
    ablate(arguments.champion, arguments.without, arguments.out)
