"""Makes a dataset: plays all chunks that its folder lacks."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from mindup_arena.chunk import PlayedChunk
from mindup_arena.run import MAX_WORKERS, check_writable, progress_bar
from mindup_arena.schedule import chunks
from mindup_arena.worker_pool import play_in_processes
from mindup_env.runs.files import write_text
from mindup_env.runs.folder_lock import lock_folder
from mindup_env.settings.checks import check_int
from mindup_env.settings.extras import require
from mindup_training.dataset.card import card_text
from mindup_training.dataset.folder import DatasetFolder
from mindup_training.dataset.player import DatasetPlayer
from mindup_training.dataset.seats import num_rows
from mindup_training.dataset.settings import DatasetSettings


def make_dataset(
    settings: DatasetSettings, folder: Path, *, workers: int = 1, progress: bool = True
) -> None:
    """Plays games of bots and writes a row for each decision.

    The same settings give the same files with any number of workers, also if the dataset is
    interrupted and made in several calls. Bots run in processes of their own, which import the
    main module: a script calls this under ``if __name__ == "__main__":``.

    Args:
        settings: The bots, their game, the deals and the seed.
        folder: The folder of the dataset. A dataset that was interrupted in this folder is
            resumed, if it has the same settings.
        workers: Number of processes that play.
        progress: Show a progress bar, if stderr is a terminal.

    Raises:
        ValueError: A bot cannot be made or fails, or the folder has a dataset with other settings.
    """
    require("a dataset", "arena", "rich")
    settings = settings.with_format()
    settings.file_format.check_installed()
    check_int("workers", workers, 1, MAX_WORKERS)
    settings.check_bots()
    with _open_folder(folder, settings) as kept:
        missing = [
            chunk for chunk in chunks(settings) if not kept.file_of(chunk, settings).exists()
        ]
        make_player = partial(DatasetPlayer, folder, settings)
        with progress_bar(shown=progress and sys.stderr.isatty(), unit="decisions") as bar:
            task = bar.add_task("", total=sum(num_rows(settings, chunk) for chunk in missing))
            for played in play_in_processes(settings, missing, workers, make_player):
                _check_forfeits(settings, played)
                bar.advance(task, num_rows(settings, played.chunk))
        write_text(kept.readme, card_text(settings))


@contextmanager
def _open_folder(folder: Path, settings: DatasetSettings) -> Iterator[DatasetFolder]:
    """The folder of a new dataset or of one with the same settings; no other process writes it."""
    kept = DatasetFolder(folder)
    check_writable(folder, folder)
    with lock_folder(folder):
        if kept.read_settings() not in (None, settings):
            raise ValueError(f"{folder} has a dataset with other settings: choose another folder")
        kept.begin(settings)
        yield kept


def _check_forfeits(settings: DatasetSettings, played: PlayedChunk) -> None:
    """A bot that fails ends the command: the cards that it forfeits with are not its choices."""
    for forfeit in played.forfeits:
        deals = played.chunk.deals
        raise ValueError(
            f"bot {settings.bots[forfeit.bot]!r} failed in decision {forfeit.decision + 1} of the "
            f"deals {deals[0]} to {deals[-1]}: {forfeit.reason}"
            + (forfeit.traceback and f"\n{forfeit.traceback}")
        )
