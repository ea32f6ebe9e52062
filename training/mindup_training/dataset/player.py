"""Plays chunks in a process of the arena, and writes the decisions of each to its file."""

from pathlib import Path

from mindup_arena.bot import CallMonitor
from mindup_arena.chunk import ChunkPlayer
from mindup_arena.match import MatchResults, RotatedDeals
from mindup_arena.schedule import Chunk, Match
from mindup_training.dataset.folder import DatasetFolder
from mindup_training.dataset.recorder import DecisionRecorder
from mindup_training.dataset.seats import num_rotations
from mindup_training.dataset.settings import DatasetSettings


class DatasetPlayer(ChunkPlayer):
    finds_failed_games = False  # the first failure ends the command

    def __init__(self, folder: Path, settings: DatasetSettings, monitor: CallMonitor) -> None:
        self._folder = DatasetFolder(folder)
        super().__init__(settings, monitor, self._folder.bots)
        self._dataset = settings
        self._recorder = DecisionRecorder(settings)

    def num_rotations(self, match: Match) -> int:
        return num_rotations(match)

    def play_games(self, chunk: Chunk, match: Match, games: range) -> MatchResults:
        """Plays all games of the chunk; a chunk in which a bot fails has no file."""
        settings = self._dataset
        deals = RotatedDeals(
            settings.config,
            settings.seed,
            chunk.deals,
            agent_seed=settings.agent_seed,
            num_rotations=num_rotations(match),
            part=games,
            reward=settings.reward,
        )
        bots = [self.bots[bot] for bot in match]
        different = [self.bots[bot] for bot in sorted(set(match))]
        self._recorder.begin(chunk, different)
        results = deals.play(bots, self._recorder)
        if not any(bot.forfeits for bot in different):
            self._folder.save(chunk, settings, self._recorder.rows())
        return results
