"""Make the networks of champion-3 from nothing: play games, fit networks, play with them.

Example: mindup train champion --players 4 --workers 2

A step that was done is left out, so the recipe can be interrupted anywhere:

1. The panel plays games with 0 to 5 objectives (``games``).
2. For each strong bot of the panel a network is fitted to its cards: the models of opponents. A
   network is fitted to how the games ended: the first values of positions (``draft``).
3. The champion plays with these networks against itself (``own_games``) and against all kinds of
   bots (``games_against_bots``), in few sampled games and with some random cards, for more
   positions.
4. The network of the values is fitted on to the win probabilities that the champion found: they
   vary less than how games end. Another is fitted to its cards, as one more model of opponents.
   A network with the shape of the game is fitted to what it found for all cards, and then trained
   by PPO against bots, to play alone (``networks``).
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mindup_agents.champion_1 import PLAYERS
from mindup_agents.features.position import PositionFeatures
from mindup_agents.lookahead.network_folder import OPPONENTS, POLICY, VALUE
from mindup_agents.policy import Widths, load_policy, save_policy
from mindup_env.config import GameConfig
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.runs.options import add_folder_options, add_workers, run_path, workers_of
from mindup_env.runs.run_folder import RunFolder, has_run
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.declaration import option, settings, to_plain
from mindup_env.settings.extras import require
from mindup_training.api import LIBRARIES
from mindup_training.dataset import DatasetSettings, make_dataset
from mindup_training.dataset.seats import total_rows
from mindup_training.imitation.config import CARD_VALUES, ImitationConfig
from mindup_training.run_folder import make_folder
from mindup_training.settings import RunSettings, TrainSettings
from mindup_training.settings.hyperparameters import MAX_EPOCHS, MAX_ROLLOUT, MAX_TIMESTEPS
from mindup_training.settings.options import command_text
from mindup_training.settings.train_settings import PPOSettings

CHAMPION = "champion"
"""The kind of the run."""
PANEL = "search", "champion-1", "predictor", "planner"
"""The bots whose games are learned from."""
IMITATED = "search", "champion-1", "predictor"
"""Those of them that a network imitates, as a model of opponents."""
PLAYED_AGAINST = *PANEL, "greedy", "random"
"""What the champion plays against: a table of champions does not teach how to beat others."""
OPPONENTS_OF_PPO = "1:random", "2:greedy", "3:planner", "2:predictor"
"""Bots that play quickly: champion-1 would take half of the time of the games."""
OWN_MODEL = f"{OPPONENTS}/champion-3.safetensors"
GAMES, OWN_GAMES = "games", ("own_games", "games_against_bots")
"""The folders of datasets."""
OBJECTIVES = range(MAX_OBJECTIVES + 1)
OWN_WORLDS, OWN_RANDOM_CARDS = 32, 0.12
"""How the champion plays its own games: in fewer sampled games, and with some random cards."""
_FIRST_SEED = 10**6  # so that no arena with a seed of its own plays the same deals
_CHUNK_DEALS = 8  # a chunk of the champion's own games takes about a minute
_WIDTHS = Widths(64, 32, 32)
"""Of the networks that sampled games read: wider ones are slower, and hardly more exact."""
_POLICY: dict[str, Any] = {
    "features": "raw-1+playout-2",
    "network": "bidding-1",
    "widths": Widths(128, 64, 64),
}
"""Of the network that plays alone."""
_REGRET_WEIGHT = 20.0
"""Regrets are about 0.02, and the errors of the values about 0.01."""


@settings
class ChampionSettings:
    """The settings of the recipe, each also an option of the command."""

    players: int = option("number of players", default=4, low=PLAYERS[0], high=PLAYERS[-1])
    decisions: int = option(
        "decisions in the games of the panel, about", default=600_000, low=1, high=MAX_ROLLOUT
    )
    own_decisions: int = option(
        "decisions of the champion in its own games, half of them against other bots, about",
        default=600_000,
        low=1,
        high=MAX_ROLLOUT,
    )
    ppo_decisions: int = option(
        "decisions that the policy learns from by PPO", default=400_000, low=1, high=MAX_TIMESTEPS
    )
    epochs: int = option("passes of each fit over its decisions", default=5, low=1, high=MAX_EPOCHS)
    seed: int = option("random seed", default=0, low=0, high=2**32 - 1)

    @property
    def command(self) -> str:
        return command_text(["mindup", "train", CHAMPION], to_plain(self), ChampionSettings)

    def games(self, bots: tuple[str, ...], decisions: int, **changes: Any) -> list[DatasetSettings]:
        """With each number of objectives, as many deals as have so many decisions in all."""
        games = []
        for objectives in OBJECTIVES:
            config = GameConfig(self.players, objectives)
            seed = _FIRST_SEED + self.seed * len(OBJECTIVES) + objectives
            one_deal = DatasetSettings(
                bots, config, deals=1, seed=seed, chunk_deals=_CHUNK_DEALS, **changes
            )
            deals = round(decisions / len(OBJECTIVES) / total_rows(one_deal))
            games.append(replace(one_deal, deals=max(2, deals)))  # one is held out
        return games


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, ChampionSettings)
    add_workers(parser, "processes that play")
    out = "folder of the run (default: a new one in runs/)"
    add_folder_options(parser, out, beside_resume=["workers"])
    parser.epilog = "docs/bots.md has the recipe."
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    require("training", "train", *LIBRARIES)
    path, (workers, _) = run_path(arguments), workers_of(arguments)
    if arguments.resume:
        chosen = RunFolder.read(arguments.resume, CHAMPION, ChampionSettings).settings
    else:
        chosen = ChampionSettings(**given_options(arguments, ChampionSettings))
    folder = path or make_folder(f"{CHAMPION}-{chosen.players}p-seed{chosen.seed}")
    networks = make_champion(chosen, folder, workers=workers)
    print(f"networks: {networks}, to be played as the bot champion-3:networks={networks}")
    return 0


def make_champion(settings: ChampionSettings, folder: Path, *, workers: int = 1) -> Path:
    """Makes the networks of a champion, and returns their folder in that of the run.

    The same settings give the same networks with any number of workers, also if the recipe is
    interrupted and continued with the same folder.
    """
    command = f"{settings.command} --out {folder}"
    with RunFolder.create_or_resume(folder, CHAMPION, settings, command=command):
        recipe = Recipe(settings, folder, workers)
        games = recipe.play(GAMES, settings.games(PANEL, settings.decisions))
        for bot in IMITATED:
            model = f"{OPPONENTS}/{bot}.safetensors"
            recipe.fit(recipe.draft / model, recipe.imitation(bot), games)
            recipe.keep(recipe.draft / model, recipe.networks / model)
        recipe.fit(recipe.draft / VALUE, recipe.first_values(), games)
        own_games = recipe.play_own_games()
        recipe.fit(recipe.networks / VALUE, recipe.values(), own_games)
        recipe.fit(recipe.networks / OWN_MODEL, recipe.imitation(recipe.champion), own_games)
        recipe.fit(recipe.draft / POLICY, recipe.policy(), own_games)
        recipe.train(recipe.networks / POLICY, recipe.ppo(), "PPO against bots")
    return recipe.networks


class Recipe:
    """The steps, with the hyperparameters of each fit."""

    def __init__(self, settings: ChampionSettings, folder: Path, workers: int = 1) -> None:
        folder = folder.resolve()  # the settings of the games name it
        self.draft, self.networks = folder / "draft", folder / "networks"
        self.champion = f"champion-3:worlds={OWN_WORLDS},networks={self.draft}"
        self._settings, self._folder, self._workers = settings, folder, workers

    def play(self, name: str, games: Sequence[DatasetSettings]) -> list[Path]:
        """Makes a dataset for each number of objectives, and returns their folders."""
        made = []
        for dataset in games:
            made.append(self._folder / name / f"{dataset.config.num_objectives}_objectives")
            print(f"{made[-1]}: games of {' '.join(dataset.bots)}", flush=True)
            make_dataset(dataset, made[-1], workers=self._workers)
        return made

    def play_own_games(self) -> list[Path]:
        """The games of the champion against itself, and alone against each of the others."""
        decisions, changes = self._settings.own_decisions // 2, {"random_cards": OWN_RANDOM_CARDS}
        alone = self._settings.games((self.champion,), decisions, **changes)
        against = self._settings.games(
            (self.champion, *PLAYED_AGAINST),
            decisions * self._settings.players,
            one_vs_field=True,
            **changes,
        )
        return [*self.play(OWN_GAMES[0], alone), *self.play(OWN_GAMES[1], against)]

    def fit(self, network: Path, config: ImitationConfig, datasets: Sequence[Path]) -> None:
        """Fits a network to the decisions of datasets."""
        config = config.changed({"imitate": [*map(str, datasets)]})
        self.train(network, config, f"a fit to {datasets[0].parent}")

    def train(self, network: Path, config: RunSettings, what: str) -> None:
        """Trains a network in a run of its own, which resumes, and keeps it."""
        # PyTorch takes seconds to load, and the help does without it.
        from mindup_training.trainer.runs import resumed_run, trained_run  # noqa: PLC0415

        if network.exists():
            return
        path = self._folder / "fits" / network.relative_to(self._folder).with_suffix("")
        print(f"{path}: {what}", flush=True)
        new = trained_run(config, path, command=self._settings.command)
        with resumed_run(path) if has_run(path) else new as fitted:
            self.keep(fitted.policy, network)

    def keep(self, made: Path, network: Path) -> None:
        """Copies a network; it then says by which command it was made, and names no folder."""
        if network.exists():
            return
        network.parent.mkdir(parents=True, exist_ok=True)
        policy = load_policy(made)
        about = {"learner": "mindup_training.champion", "command": self._settings.command}
        description = replace(policy.description, about=about)
        save_policy(policy._replace(description=description), network)

    def imitation(self, bot: str) -> ImitationConfig:
        return self._network(bots=(bot,))

    def first_values(self) -> ImitationConfig:
        return self._network(policy_coef=0.0, vf_coef=1.0, batch_size=1024)

    def values(self) -> ImitationConfig:
        start, bots = str(self.draft / VALUE), (self.champion,)
        return replace(self.first_values(), start=start, bots=bots, value_target=CARD_VALUES)

    def policy(self) -> ImitationConfig:
        return self._network(
            bots=(self.champion,),
            **_POLICY,
            policy_target=CARD_VALUES,
            policy_coef=_REGRET_WEIGHT,
            value_target=CARD_VALUES,
            learning_rate=1e-3,
        )

    def ppo(self) -> TrainSettings:
        return TrainSettings(
            **_POLICY,
            init=str(self.draft / POLICY),
            players=(self._settings.players,),
            objectives=tuple(OBJECTIVES),
            opponents=OPPONENTS_OF_PPO,
            reward="win",
            timesteps=self._settings.ppo_decisions,
            evaluate_against=("planner",),
            evaluation_deals=48,
            # An entropy bonus would bring back the bad cards that the fit has ruled out.
            ppo=PPOSettings(num_envs=132, batch_size=512, learning_rate=5e-4, ent_coef=0.0),
            seed=self._settings.seed,
            threads=1,
        )

    def _network(self, **given: Any) -> ImitationConfig:
        network = {"features": PositionFeatures.name, "widths": _WIDTHS}
        epochs, seed = self._settings.epochs, self._settings.seed
        return ImitationConfig(**{**network, "epochs": epochs, "seed": seed, **given})
