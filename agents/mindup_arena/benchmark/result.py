"""The result of a benchmark: the win shares of all deals, and what follows from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mindup_arena.benchmark.protocol import BenchmarkGame
from mindup_arena.benchmark.score import estimate_score
from mindup_arena.benchmark.settings import BenchmarkSettings
from mindup_arena.estimate import Estimate, Floats


@dataclass(frozen=True, eq=False)
class BenchmarkResult:
    """The result of a bot.

    Attributes:
        settings: What was run.
        win_shares: The bot's win shares, from 0 to 1, by game, rival and deal, each a mean over
            all rotations (games, rivals, deals).
        games_forfeited: Number of games that the bot forfeited.
        decisions_per_second: The speed of the bot; None if it was not measured.
        machine: The machine and the versions, as texts by title.
        fingerprints: For each bot that played, by its spec, the hashes of its versions: one, unless
            it changed during the run. Empty if they are not known.
        records: For each game, the record of the first deal against the strongest rival.
    """

    settings: BenchmarkSettings
    win_shares: Floats  # (games, rivals, deals)
    games_forfeited: int
    decisions_per_second: float | None
    machine: Mapping[str, str]
    fingerprints: Mapping[str, Sequence[str]] = field(default_factory=dict)
    records: Sequence[Mapping[str, Any]] = ()

    @property
    def score(self) -> Estimate:
        """The mean over all games and rivals."""
        return self.score_in(self.settings.rules.games)

    @property
    def num_games(self) -> int:
        """Number of games that the bot played."""
        return self.settings.rules.count_games(self.settings.bot, self.settings.size)

    def score_in(self, games: Sequence[BenchmarkGame]) -> Estimate:
        """The mean over some games and all rivals."""
        return self._estimate(games, list(self.settings.rules.panel))

    def score_against(self, rival: str, games: Sequence[BenchmarkGame]) -> Estimate:
        """The mean over some games against one rival; copies of the bot itself count 0."""
        if rival == self.settings.rules.panel_name(self.settings.bot):
            return Estimate(0.0, 0.0, 0.0)  # known, not estimated
        return self._estimate(games, [rival])

    def _estimate(self, games: Sequence[BenchmarkGame], rivals: Sequence[str]) -> Estimate:
        rules = self.settings.rules
        columns = [list(rules.panel).index(rival) for rival in rivals]
        return estimate_score(
            [self.win_shares[rules.games.index(game), columns] for game in games],
            [game.players for game in games],
        )
