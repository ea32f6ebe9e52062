"""Makes a dataset: plays all chunks that its folder lacks, and writes the decisions of each."""

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import UNITS
from mindup_arena.bot import ArenaBot, CallMonitor
from mindup_arena.chunk import ChunkPlayer
from mindup_arena.match import MatchResults, RotatedDeals
from mindup_arena.schedule import Chunk, Match, chunks
from mindup_arena.workers import play_in_processes
from mindup_env.engine.state import Int64Array
from mindup_env.runs.files import atomic_write, check_writable, write_text
from mindup_env.runs.processes import MAX_WORKERS, progress_bar
from mindup_env.runs.run_folder import RunFolder
from mindup_env.settings.checks import check_int
from mindup_env.settings.extras import require
from mindup_training.dataset.card import card_text, command_of
from mindup_training.dataset.columns import (
    NO_UNIT,
    Arrays,
    check_installed,
    columns_of,
    number_entries,
    pack_numbers,
    pack_values,
    write_chunk,
)
from mindup_training.dataset.seats import num_rotations, num_rows, seats_of
from mindup_training.dataset.settings import DATASET, DatasetSettings

DATA = "data"
"""The folder of the chunks."""


def make_dataset(
    settings: DatasetSettings,
    folder: Path,
    *,
    workers: int = 1,
    progress: bool = True,
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
    check_int("workers", workers, 1, MAX_WORKERS)
    check_installed(settings.format)
    settings.check_bots()
    check_writable(folder, folder)
    command = command_of(settings, str(folder))
    with RunFolder.create_or_resume(folder, DATASET, settings, command=command) as run:
        run.subfolder(DATA)
        missing = [
            each for each in chunks(settings) if not file_of(folder, each, settings).exists()
        ]
        make_player = partial(DatasetPlayer, folder, settings)
        with progress_bar(shown=progress and sys.stderr.isatty(), unit="decisions") as bar:
            task = bar.add_task("", total=sum(num_rows(settings, chunk) for chunk in missing))
            for played in play_in_processes(settings, missing, workers, make_player):
                for forfeit in played.forfeits:  # its cards are no choices of the bot
                    deals = played.chunk.deals
                    raise ValueError(
                        f"bot {settings.bots[forfeit.bot]!r} failed in decision "
                        f"{forfeit.decision + 1} of the deals {deals[0]} to {deals[-1]}: "
                        f"{forfeit.reason}" + (forfeit.traceback and f"\n{forfeit.traceback}")
                    )
                bar.advance(task, num_rows(settings, played.chunk))
        write_text(folder / "README.md", card_text(settings))


def file_of(folder: Path, chunk: Chunk, settings: DatasetSettings) -> Path:
    return folder / DATA / f"chunk-{chunk.number:05}.{settings.format}"


class DatasetPlayer(ChunkPlayer):
    """Plays chunks in a process of the arena, and writes the decisions of each to its file."""

    finds_failed_games = False  # the first failure ends the command

    def __init__(self, folder: Path, settings: DatasetSettings, monitor: CallMonitor) -> None:
        super().__init__(settings, monitor, folder.resolve() / "bots")
        self._folder = folder
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
        different = [self.bots[bot] for bot in sorted(set(match))]
        self._recorder.begin(chunk, different)
        results = deals.play([self.bots[bot] for bot in match], self._recorder)
        if not any(bot.forfeits for bot in different):
            with atomic_write(file_of(self._folder, chunk, settings)) as file:
                write_chunk(settings.format, file, self._recorder.rows())
        return results


class DecisionRecorder:
    """The columns of a chunk, in arrays that are allocated once.

    They are arrays (turns, seats, ...), which is also the order of the rows in a file.
    """

    def __init__(self, settings: DatasetSettings) -> None:
        config = settings.config
        self._settings, self._number_entries = settings, number_entries(config)
        most_rows = settings.chunk_deals * config.num_players**2 * config.num_turns
        self._buffers: Arrays = {
            column.name: np.zeros((most_rows, *column.row_shape), column.dtype)
            for column in columns_of(config)
        }

    def begin(self, chunk: Chunk, bots: Iterable[ArenaBot]) -> None:
        """Starts a chunk whose seats these bots take."""
        seats = seats_of(self._settings, chunk)
        self._rng = np.random.default_rng([self._settings.seed, chunk.number])
        turns, num_seats = self._settings.config.num_turns, len(seats.deal)
        self._arrays: Arrays = {
            name: each[: turns * num_seats].reshape(turns, num_seats, *each.shape[1:])
            for name, each in self._buffers.items()
        }
        self._bots = list(bots)
        for name, values in seats._asdict().items():
            self._arrays[name][:] = values
        self._arrays["turn"][:] = np.arange(turns)[:, None]
        self._arrays["card_values_unit"].fill(NO_UNIT)

    def record_choices(
        self, decision: int, seen: dict[str, npt.NDArray[np.int8]], actions: Int64Array
    ) -> None:
        now = {name: each[decision] for name, each in self._arrays.items()}
        observations, masks = (
            seen[name].reshape(actions.size, -1) for name in ("observation", "action_mask")
        )
        now["observation_bits"][:] = np.packbits(observations, axis=1)
        pack_numbers(observations, self._number_entries, now["observation_numbers"])
        now["action_mask"][:] = np.packbits(masks, axis=1)
        now["action"][:] = actions.ravel()
        for bot in self._bots:
            evaluation = bot.evaluate_cards()
            if evaluation is None:
                now["card_values"][bot.rows] = np.nan
                continue
            unit, values = evaluation
            pack_values(bot.rows, values, masks, now["card_values"])
            now["card_values_unit"][bot.rows] = UNITS.index(unit)

        if self._settings.random_cards > 0:
            is_random = self._rng.random(actions.shape) < self._settings.random_cards
            drawn = (self._rng.random(masks.shape) * masks).argmax(axis=1).reshape(actions.shape)
            actions[is_random] = drawn[is_random]

    def record_rewards(self, decision: int, rewards: npt.NDArray[np.float32]) -> None:
        self._arrays["reward"][decision] = rewards.ravel()

    def rows(self) -> Arrays:
        """The columns of the chunk as rows, turn by turn; the next chunk replaces them."""
        rewards = self._arrays["reward"].astype(np.float64)
        self._arrays["return"][:] = rewards[::-1].cumsum(axis=0)[::-1]
        return {name: each.reshape(-1, *each.shape[2:]) for name, each in self._arrays.items()}
