"""The folder of a dataset: its settings, a file for each chunk, and a README."""

import json
from pathlib import Path

from mindup_arena.schedule import Chunk
from mindup_env.runs.files import atomic_write, remove_leftovers, write_text
from mindup_training.dataset.columns import Arrays
from mindup_training.dataset.settings import DatasetSettings


class DatasetFolder:
    """Each file is written atomically, so a process can be killed at any time.

    Attributes:
        path (Path): the folder.
        settings (Path): the settings, as JSON.
        data (Path): the folder of the chunks.
        bots (Path): the folder of the files that bots keep.
        readme (Path): the README, which is written when all chunks are there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.settings = path / "dataset.json"
        self.data = path / "data"
        self.bots = path.resolve() / "bots"
        self.readme = path / "README.md"

    def read_settings(self) -> DatasetSettings | None:
        """The settings of the dataset in the folder; None if there is no dataset."""
        try:
            settings = DatasetSettings.from_dict(
                json.loads(self.settings.read_text(encoding="utf-8"))
            )
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (LookupError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"{self.settings} does not describe a dataset: {error}") from None
        return settings.with_format()

    def begin(self, settings: DatasetSettings) -> None:
        self.data.mkdir(parents=True, exist_ok=True)
        for folder in (self.path, self.data):
            remove_leftovers(folder)
        write_text(self.settings, json.dumps(settings.to_dict(), indent=2) + "\n")

    def file_of(self, chunk: Chunk, settings: DatasetSettings) -> Path:
        return self.data / f"chunk-{chunk.number:05}{settings.file_format.SUFFIX}"

    def save(self, chunk: Chunk, settings: DatasetSettings, rows: Arrays) -> None:
        with atomic_write(self.file_of(chunk, settings)) as file:
            settings.file_format.write(file, rows)
