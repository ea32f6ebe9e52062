"""Datasets that are made in the process of a test, which takes a fraction of the time."""

from pathlib import Path

from mindup_arena.chunk import ChunkTask
from mindup_arena.schedule import chunks
from mindup_training.dataset import DatasetSettings
from mindup_training.dataset.folder import DatasetFolder
from mindup_training.dataset.player import DatasetPlayer


class NoMonitor:
    def call_begins(self, bot: int, decision: int, games: range) -> None:
        pass

    def call_ends(self) -> None:
        pass


def play_dataset(settings: DatasetSettings, folder: Path) -> None:
    """Makes all files of a dataset but its README."""
    settings = settings.with_format()
    DatasetFolder(folder).begin(settings)
    player = DatasetPlayer(folder, settings, NoMonitor())
    for chunk in chunks(settings):
        assert not player.play(ChunkTask(chunk)).forfeits
