"""Make the networks of the bot champion from nothing: play games, fit networks, play with them.

Example: mindup train champion --players 4 --workers 2

Games and networks that are there are kept, so it can be continued anywhere:

1. The panel plays games with 0 to 5 objectives (``games``).
2. Networks are fitted to the cards of its strong bots: the models of opponents. Another is
   fitted to how the games ended: the first values (``draft.npz``).
3. With these networks, the champion plays against itself (``own_games``) and against all
   kinds of bots (``games_against_bots``).
4. The values are fitted on to the win probabilities that the champion found, which vary less
   than how games end. Another network is fitted to its cards, as one more model of opponents
   (``fitted.npz``).
5. The champion with these networks plays some more games against itself (``calibration``). The
   odds of its values are multiplied so that their mean is an equal share (``networks.npz``).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro

from mindup_agents.champion.bot import multiply_odds
from mindup_agents.champion.network import Tensors
from mindup_agents.champion.network_file import CALIBRATION, VALUE, read_networks, save_networks
from mindup_agents.champion.position import position_shape
from mindup_env.cards import MAX_OBJECTIVES
from mindup_env.checks import check_int
from mindup_env.config import MAX_PLAYERS, GameConfig
from mindup_env.engine.state import Float64Array
from mindup_training import champion_fit
from mindup_training.champion_games import Decisions, Games, load, load_expected, play
from mindup_training.run import RUN, RunOptions, has_run, open_run, read_options, resumable

CHAMPION = "champion"
PANEL = "search", "predictor", "planner"
"""The bots whose games are learned from."""
IMITATED = "search", "predictor"
"""Those that networks imitate, as models of opponents."""
PLAYED_AGAINST = *PANEL, "greedy", "random"
"""What the champion plays against: champions alone do not teach how to beat others."""
OBJECTIVES = range(MAX_OBJECTIVES + 1)
OWN_WORLDS = 32
"""Sampled games of the champion in its own games: few, for more positions."""
OWN_RANDOM_CARDS = 0.12
"""The part of random cards in these, for other positions."""
SHOWN_WORLDS = 512
"""Those of the bot by default: fewer give values that are higher, as they vary more."""
CALIBRATION_DECISIONS = 6_000
"""They give the mean of the values within about 0.003."""
STEPS = "games", "own_games", "games_against_bots", "calibration"
"""The folders of games."""
_FEWEST_GAMES = 11
"""With each number of objectives: some are held out."""


@dataclass
class ChampionSettings:
    """The settings of the recipe."""

    num_players: Annotated[int, tyro.conf.arg(name="players")] = 4  # number of players
    decisions: int = 600_000  # decisions in the games of the panel, about
    own_decisions: int = 600_000
    """decisions of the champion in its own games, half of them against other bots, about"""
    epochs: int = 5  # passes of each fit over its decisions
    seed: int = 0  # random seed

    def check(self) -> None:
        check_int("num_players", self.num_players, 3, MAX_PLAYERS)
        check_int("seed", self.seed, 0, 2**32 - 1)
        for name in ("decisions", "own_decisions", "epochs"):
            check_int(name, getattr(self, name), 1)


@dataclass
class Options(RunOptions):
    """The options of the command."""

    settings: tyro.conf.OmitArgPrefixes[ChampionSettings]
    workers: int = 1  # processes that play


def main(words: Sequence[str]) -> int:
    """Runs ``mindup train champion``."""
    about = "Make the networks of the bot champion: play games, fit networks, play with them."
    defaults = Options(ChampionSettings())
    given = read_options(words, "mindup train champion", about, defaults, "--workers")
    check_int("workers", given.workers, 1)
    settings = given.settings
    folder = given.folder(f"champion-{settings.num_players}p-seed{settings.seed}")
    with resumable("mindup train champion", folder):
        networks = make_champion(settings, folder, workers=given.workers)
    print(f"networks: {networks}\nthe bot: {CHAMPION}:networks={networks}")
    return 0


def make_champion(settings: ChampionSettings, folder: Path, *, workers: int = 1) -> Path:
    """Makes the networks of a champion, and returns their file.

    The same settings give the same networks with any number of workers, also if the recipe
    is continued.
    """
    settings.check()
    open_run(folder, settings, resume=has_run(folder))
    recipe = Recipe(settings, folder.resolve(), workers)
    games = recipe.play("games", settings.decisions, PANEL, PANEL)
    imitated = [recipe.fit(f"draft/{bot}", partial(load, games, bot)) for bot in IMITATED]
    value = recipe.fit(f"draft/{VALUE}", partial(load, games))
    draft = recipe.join("draft", *imitated, value)
    champion = f"{CHAMPION}:worlds={OWN_WORLDS},networks={draft}"
    own, against = recipe.play_own_games(champion)
    values = recipe.fit(f"final/{VALUE}", partial(load_expected, own, against), start=value)
    model = recipe.fit(f"final/{CHAMPION}", partial(load, [*own, *against]))
    return folder / recipe.calibrate(recipe.join("fitted", *imitated, model, values)).name


@dataclass
class Recipe:
    """The steps of the recipe; each leaves out what is there."""

    settings: ChampionSettings
    folder: Path  # of the run, as a complete path: the name of a bot has it
    workers: int  # processes that play

    def play(
        self,
        name: str,
        decisions: int,
        alone: tuple[str, ...],
        among: tuple[str, ...],
        random_cards: float = 0.0,
    ) -> list[Games]:
        """Plays games with about so many decisions, with each number of objectives."""
        games = []
        for objectives in OBJECTIVES:
            config = GameConfig(self.settings.num_players, objectives)
            of_a_game = config.num_players * config.num_turns
            number = max(_FEWEST_GAMES, round(decisions / len(OBJECTIVES) / of_a_game))
            folder = self.folder / name / f"{objectives}_objectives"
            seed = self.settings.seed, STEPS.index(name), objectives
            games.append(Games(folder, config, number, seed, alone, among, random_cards))
        print(f"{self.folder / name}: games of {' '.join(games[0].bots)}", flush=True)
        play(games, self.workers)
        return games

    def play_own_games(self, champion: str) -> tuple[list[Games], list[Games]]:
        """The champion plays against itself, and alone against each of the others."""
        own = (champion,)
        half = self.settings.own_decisions // 2
        against = half * self.settings.num_players  # it makes one in so many of these decisions
        return (
            self.play("own_games", half, own, own, OWN_RANDOM_CARDS),
            self.play("games_against_bots", against, own, PLAYED_AGAINST, OWN_RANDOM_CARDS),
        )

    def fit(self, name: str, read: Callable[[], Decisions], start: Path | None = None) -> Path:
        """Fits a network to the returns of decisions, and one that is no ``value`` to the cards."""
        file = self.folder / f"{name}.npz"
        if file.exists():
            return file
        print(f"{file}: a fit", flush=True)
        tensors = champion_fit.fit(
            position_shape(GameConfig(self.settings.num_players)),
            read(),
            champion_fit.VALUES if file.stem == VALUE else champion_fit.IMITATION,
            epochs=self.settings.epochs,
            seed=self.settings.seed,
            start=None if start is None else read_networks(start)[start.stem],
        )
        file.parent.mkdir(exist_ok=True)
        save_networks(file, {file.stem: tensors})
        return file

    def join(self, name: str, *files: Path) -> Path:
        """Writes the networks of several files into one."""
        joined = dict[str, Tensors]()
        for each in files:
            joined |= read_networks(each)
        file = self.folder / f"{name}.npz"
        save_networks(file, joined)
        return file

    def calibrate(self, fitted: Path) -> Path:
        """Writes the networks with chances whose mean is an equal share in the bot's own games."""
        bot = (f"{CHAMPION}:worlds={SHOWN_WORLDS},networks={fitted}",)
        equal = 1 / self.settings.num_players
        found = load(self.play("calibration", CALIBRATION_DECISIONS, bot, bot)).best_values
        values = equal + found.astype(np.float64)
        odds = fit_odds(values, equal)
        excess = values.mean() - equal
        print(f"  values are {excess:.3f} too high: their odds times {odds:.3f}", flush=True)
        networks = read_networks(fitted)
        networks[CALIBRATION] = {"odds": np.array([odds], np.float32)}
        file = self.folder / "networks.npz"
        save_networks(file, networks, (self.folder / RUN).read_text(encoding="utf-8"))
        return file


def fit_odds(values: Float64Array, mean: float) -> float:
    """By which the odds of values from 0 to 1 are multiplied so that they have this mean."""
    low = odds = 1e-3
    high = 1e3
    while high / low > 1 + 1e-6:
        odds = math.sqrt(low * high)
        is_low = multiply_odds(values, odds).mean() < mean
        low, high = (odds, high) if is_low else (low, odds)
    return odds
