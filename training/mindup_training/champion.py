"""Make the networks of the bot champion from nothing: play games, fit networks, play with them.

Example: mindup train champion --players 4 --workers 2

Games and networks that are there are kept, so the recipe can be interrupted and continued anywhere:

1. The panel plays games with 0 to 5 objectives (``games``).
2. For each strong bot of the panel a network is fitted to its cards: the models of opponents. A
   network is fitted to how the games ended: the first values of positions (``draft.npz``).
3. The champion plays with these networks against itself (``own_games``) and against all kinds of
   bots (``games_against_bots``), in few sampled games and with some random cards, for more
   positions.
4. The network of the values is fitted on to the win probabilities that the champion found: they
   vary less than how games end. Another is fitted to its cards, as one more model of opponents
   (``networks.npz``).
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mindup_agents.champion.networks import VALUE, read_networks, save_networks
from mindup_agents.champion.position import position_shape
from mindup_env.config import MAX_PLAYERS, GameConfig
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.runs.options import add_folder_options, add_workers, run_path, workers_of
from mindup_env.runs.run_folder import RunFolder, unused_folder
from mindup_env.settings.command_line import add_options, flag, given_options
from mindup_env.settings.declaration import option, settings, to_plain
from mindup_training.champion_games import Games, load, play

CHAMPION = "champion"
"""The kind of the run, and the bot."""
PANEL = "search", "predictor", "planner"
"""The bots whose games are learned from."""
IMITATED = "search", "predictor"
"""Those of them that a network imitates, as a model of opponents."""
PLAYED_AGAINST = *PANEL, "greedy", "random"
"""What the champion plays against: a table of champions does not teach how to beat others."""
OBJECTIVES = range(MAX_OBJECTIVES + 1)
OWN_WORLDS, OWN_RANDOM_CARDS = 32, 0.12
"""How the champion plays its own games: in fewer sampled games, and with some random cards."""
STEPS = GAMES, OWN_GAMES, GAMES_AGAINST_BOTS = "games", "own_games", "games_against_bots"
"""The folders of games."""
_FEWEST_PLAYERS = 3
_FEWEST_GAMES = 11
"""Of one number of objectives: one is held out, and others are learned from."""


@settings
class ChampionSettings:
    """The settings of the recipe, each also an option of the command."""

    players: int = option("number of players", default=4, low=_FEWEST_PLAYERS, high=MAX_PLAYERS)
    decisions: int = option(
        "decisions in the games of the panel, about", default=600_000, low=1, high=2**32
    )
    own_decisions: int = option(
        "decisions of the champion in its own games, half of them against other bots, about",
        default=600_000,
        low=1,
        high=2**32,
    )
    epochs: int = option("passes of each fit over its decisions", default=5, low=1, high=1000)
    seed: int = option("random seed", default=0, low=0, high=2**32 - 1)

    @property
    def command(self) -> str:
        words = (f"{flag(name)} {value}" for name, value in to_plain(self).items())
        return " ".join(["mindup train", CHAMPION, *words])


def configure(parser: argparse.ArgumentParser) -> None:
    add_options(parser, ChampionSettings)
    add_workers(parser)
    out = "folder of the run (default: a new one in runs/)"
    add_folder_options(parser, out, beside_resume=["workers"])
    parser.epilog = "docs/bots.md has the recipe."
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    path, workers = run_path(arguments), workers_of(arguments)
    if arguments.resume:
        chosen = RunFolder.read(arguments.resume, CHAMPION, ChampionSettings).settings
    else:
        chosen = ChampionSettings(**given_options(arguments, ChampionSettings))
    folder = path or unused_folder(f"{CHAMPION}-{chosen.players}p-seed{chosen.seed}")
    networks = make_champion(chosen, folder, workers=workers)
    print(f"networks: {networks}, to be played as the bot {CHAMPION}:networks={networks}")
    return 0


def make_champion(settings: ChampionSettings, folder: Path, *, workers: int = 1) -> Path:
    """Makes the networks of a champion, and returns their file in the folder of the run.

    The same settings give the same networks with any number of workers, also if the recipe is
    interrupted and continued with the same folder.
    """
    command = f"{settings.command} --out {folder}"
    with RunFolder.create_or_resume(folder, CHAMPION, settings, command=command):
        recipe = Recipe(settings, folder.resolve(), workers)
        games = recipe.play(GAMES, settings.decisions, PANEL, PANEL, kept=PANEL)
        imitated = [recipe.fit(f"draft/{bot}", games, bot) for bot in IMITATED]
        value = recipe.fit(f"draft/{VALUE}", games)
        draft = recipe.join("draft", *imitated, value)
        champion = f"{CHAMPION}:worlds={OWN_WORLDS},networks={draft}"
        own_games = recipe.play_own_games(champion)
        values = recipe.fit(f"final/{VALUE}", own_games, start=value)
        own = recipe.fit(f"final/{CHAMPION}", own_games, champion)
        return folder / recipe.join("networks", *imitated, own, values).name


class Recipe:
    """The steps of the recipe; each leaves out what is there.

    Args:
        settings: those of the run.
        folder: that of the run, as a complete path: the name of a bot has it.
        workers: processes that play.
    """

    def __init__(self, settings: ChampionSettings, folder: Path, workers: int) -> None:
        self._settings, self.folder, self._workers = settings, folder, workers

    def play(
        self,
        name: str,
        decisions: int,
        alone: tuple[str, ...],
        among: tuple[str, ...],
        *,
        kept: tuple[str, ...],
        random_cards: float = 0.0,
    ) -> list[Games]:
        """Plays as many games as have so many decisions, with each number of objectives."""
        games = []
        for objectives in OBJECTIVES:
            config = GameConfig(self._settings.players, objectives)
            of_a_game = config.num_players * config.num_turns
            number = max(_FEWEST_GAMES, round(decisions / len(OBJECTIVES) / of_a_game))
            folder = self.folder / name / f"{objectives}_objectives"
            seed = self._settings.seed, STEPS.index(name), objectives
            games.append(Games(folder, config, number, seed, alone, among, kept, random_cards))
        print(f"{self.folder / name}: games of {' '.join(games[0].bots)}", flush=True)
        play(games, self._workers)
        return games

    def play_own_games(self, champion: str) -> list[Games]:
        """The games of the champion against itself, and alone against each of the others."""
        half, own = self._settings.own_decisions // 2, (champion,)
        how: dict[str, Any] = {"kept": own, "random_cards": OWN_RANDOM_CARDS}
        against = half * self._settings.players  # it makes one in so many of these decisions
        return [
            *self.play(OWN_GAMES, half, own, own, **how),
            *self.play(GAMES_AGAINST_BOTS, against, own, PLAYED_AGAINST, **how),
        ]

    def fit(
        self,
        name: str,
        games: Sequence[Games],
        bot: str | None = None,
        start: Path | None = None,
    ) -> Path:
        """Fits a network to the cards of a bot; or without one, to the values of all decisions."""
        # PyTorch takes seconds to load, and the help does without it.
        from mindup_training.champion_fit import IMITATION, VALUES, fit  # noqa: PLC0415

        file = self.folder / f"{name}.npz"
        if file.exists():
            return file
        print(f"{file}: a fit to {games[0].folder.parent}", flush=True)
        tensors = fit(
            position_shape(games[0].config),
            load(games, bot),
            VALUES if bot is None else IMITATION,
            epochs=self._settings.epochs,
            seed=self._settings.seed,
            start=None if start is None else read_networks(start)[start.stem],
        )
        file.parent.mkdir(exist_ok=True)
        save_networks(file, {file.stem: tensors})
        return file

    def join(self, name: str, *files: Path) -> Path:
        """Writes the networks of several files into one."""
        file, networks = self.folder / f"{name}.npz", map(read_networks, files)
        save_networks(file, {key: each for part in networks for key, each in part.items()})
        return file
