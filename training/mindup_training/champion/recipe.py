"""The steps of the recipe. A step that was done is left out, so it can be interrupted anywhere.

1. The panel plays games with 0 to 5 objectives (``games``).
2. For each strong bot of the panel a network is fitted to its cards: the models of opponents. A
   network is fitted to how the games ended: the first values of positions (``draft``).
3. The champion plays with these networks against itself (``own_games``), in few sampled games and
   with some random cards, for more positions.
4. The network of the values is fitted on to the win probabilities that the champion found: they
   vary less than how games end. The policy of champion-1 is fitted to what the champion found for
   all cards, to play alone (``networks``).
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from mindup_agents.champion_1 import policy_file
from mindup_agents.champion_2.network_folder import OPPONENTS, POLICY, VALUE
from mindup_agents.features.position import PositionFeatures
from mindup_agents.policy import Widths, load_policy, save_policy
from mindup_env.runs.run_folder import RunFolder, has_run
from mindup_env.settings.declaration import to_plain
from mindup_training.champion.settings import CHAMPION, IMITATED, ChampionSettings
from mindup_training.dataset import DatasetSettings, make_dataset
from mindup_training.imitation.config import CARD_VALUES, ImitationConfig
from mindup_training.run_folder import RunFolder as TrainingFolder
from mindup_training.settings.options import command_text
from mindup_training.train.runs import NewRun, resumed_run, trained_run

_WIDTHS = Widths(64, 32, 32)
"""Of the networks that sampled games read: wider ones are slower, and hardly more exact."""
_REGRET_WEIGHT = 20.0
"""Regrets are about 0.02, and the errors of the values about 0.01."""


def make_champion(settings: ChampionSettings, folder: Path, *, workers: int = 1) -> Path:
    """Makes the networks of a champion, and returns their folder.

    The same settings give the same networks with any number of workers, also if the recipe is
    interrupted and continued with the same folder.

    Args:
        settings: What the networks depend on.
        folder: The folder of games, fits and networks.
        workers: Number of processes that play.

    Raises:
        ValueError: The folder has the champion of other settings.
    """
    command = f"{_command(settings)} --out {folder}"
    with RunFolder.create_or_resume(folder, CHAMPION, settings, command=command):
        recipe = Recipe(settings, folder, workers)
        games = recipe.play("games", settings.panel_games())
        for bot in IMITATED:
            model = f"{OPPONENTS}/{bot}.safetensors"
            recipe.fit(recipe.draft / model, recipe.imitation(bot), games)
            recipe.keep(recipe.draft / model, recipe.networks / model)
        recipe.fit(recipe.draft / VALUE, recipe.first_values(), games)
        own_games = recipe.play("own_games", settings.own_games(recipe.draft))
        recipe.fit(recipe.networks / VALUE, recipe.values(), own_games)
        recipe.fit(recipe.networks / POLICY, recipe.policy(), own_games)
    return recipe.networks


class Recipe:
    """The steps, with the hyperparameters of each fit."""

    def __init__(self, settings: ChampionSettings, folder: Path, workers: int) -> None:
        self.draft, self.networks = folder / "draft", folder / "networks"
        self._settings, self._folder, self._workers = settings, folder, workers

    def play(self, name: str, games: Sequence[DatasetSettings]) -> list[Path]:
        """Makes a dataset for each number of objectives, and returns their folders."""
        made = []
        for dataset in games:
            made.append(self._folder / name / f"{dataset.config.num_objectives}_objectives")
            print(f"{made[-1]}: games of {' '.join(dataset.bots)}", flush=True)
            make_dataset(dataset, made[-1], workers=self._workers)
        return made

    def fit(self, network: Path, config: ImitationConfig, datasets: Sequence[Path]) -> None:
        """Fits a network in a run of its own, which resumes, and keeps it."""
        if network.exists():
            return
        name = network.relative_to(self._folder).with_suffix("")
        path = self._folder / "fits" / name
        print(f"{path}: a fit to {datasets[0].parent}", flush=True)
        with self._fitted(path, config.changed({"imitate": [*map(str, datasets)]})) as run:
            self.keep(run.policy, network)

    def _fitted(
        self, path: Path, config: ImitationConfig
    ) -> AbstractContextManager[TrainingFolder]:
        if has_run(path):
            return resumed_run(path)
        return trained_run(config, NewRun(path, command=_command(self._settings)))

    def keep(self, made: Path, network: Path) -> None:
        """Copies a network; it then says by which command it was made, and names no folder."""
        if network.exists():
            return
        network.parent.mkdir(parents=True, exist_ok=True)
        policy = load_policy(made)
        about = {"learner": "mindup_training.champion", "command": _command(self._settings)}
        description = replace(policy.description, about=about)
        save_policy(policy._replace(description=description), network)

    def imitation(self, bot: str) -> ImitationConfig:
        return replace(self._seat_network(), bots=(bot,))

    def first_values(self) -> ImitationConfig:
        return replace(self._seat_network(), policy_coef=0.0, vf_coef=1.0, batch_size=1024)

    def values(self) -> ImitationConfig:
        start = str(self.draft / VALUE)
        return replace(self.first_values(), start=start, value_target=CARD_VALUES)

    def policy(self) -> ImitationConfig:
        start = policy_file(self._settings.players)
        plays = load_policy(start).description
        return ImitationConfig(
            start=str(start),
            features=plays.features,
            widths=plays.widths,
            policy_target=CARD_VALUES,
            policy_coef=_REGRET_WEIGHT,
            value_target=CARD_VALUES,
            learning_rate=1e-3,
            epochs=self._settings.epochs,
            seed=self._settings.seed,
        )

    def _seat_network(self) -> ImitationConfig:
        return ImitationConfig(
            features=PositionFeatures.name,
            widths=_WIDTHS,
            epochs=self._settings.epochs,
            seed=self._settings.seed,
        )


def _command(settings: ChampionSettings) -> str:
    return command_text(["mindup", CHAMPION], to_plain(settings), ChampionSettings)
