"""What the networks of a champion depend on."""

from dataclasses import replace
from pathlib import Path

from mindup_agents.champion_2.network_folder import PLAYERS
from mindup_env.config import GameConfig
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.settings.declaration import option, settings
from mindup_training.dataset.seats import total_rows
from mindup_training.dataset.settings import DatasetSettings
from mindup_training.settings.hyperparameters import MAX_EPOCHS, MAX_ROLLOUT

CHAMPION = "champion"
"""The kind of the run, and the command that makes it."""
PANEL = "search", "champion-1", "predictor", "planner"
"""The bots whose games are learned from."""
IMITATED = "search", "champion-1", "predictor"
"""Those of them that a network imitates, as a model of opponents."""
OBJECTIVES = range(MAX_OBJECTIVES + 1)
OWN_WORLDS, OWN_RANDOM_CARDS = 32, 0.12
"""How the champion plays its own games: in fewer sampled games, and with some random cards."""
_FIRST_SEED = 10**6  # so that no arena with a seed of its own plays the same deals
_CHUNK_DEALS = 8  # a chunk of the champion's own games takes about a minute


@settings
class ChampionSettings:
    """The settings of the recipe, each also an option of the command."""

    players: int = option("number of players", default=4, low=PLAYERS[0], high=PLAYERS[-1])
    decisions: int = option(
        "decisions in the games of the panel, about", default=600_000, low=1, high=MAX_ROLLOUT
    )
    own_decisions: int = option(
        "decisions in the champion's own games, about", default=120_000, low=1, high=MAX_ROLLOUT
    )
    epochs: int = option("passes of each fit over its decisions", default=5, low=1, high=MAX_EPOCHS)
    seed: int = option("random seed", default=0, low=0, high=2**32 - 1)

    def panel_games(self) -> list[DatasetSettings]:
        """The games of the panel, with each number of objectives."""
        return self._games(PANEL, self.decisions)

    def own_games(self, networks: Path) -> list[DatasetSettings]:
        """The games of the champion, with each number of objectives."""
        champion = f"champion-2:worlds={OWN_WORLDS},networks={networks}"
        games = self._games((champion,), self.own_decisions)
        return [replace(each, random_cards=OWN_RANDOM_CARDS) for each in games]

    def _games(self, bots: tuple[str, ...], decisions: int) -> list[DatasetSettings]:
        """As many deals as have so many decisions in all."""
        games = []
        for objectives in OBJECTIVES:
            config = GameConfig(self.players, objectives)
            seed = _FIRST_SEED + self.seed * len(OBJECTIVES) + objectives
            one_deal = DatasetSettings(bots, config, deals=1, seed=seed, chunk_deals=_CHUNK_DEALS)
            deals = round(decisions / len(OBJECTIVES) / total_rows(one_deal))
            deals = max(2, deals)  # one is held out
            games.append(replace(one_deal, deals=deals))
        return games
