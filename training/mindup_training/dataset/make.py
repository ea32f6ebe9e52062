"""Makes a dataset: plays all chunks that its folder lacks, and writes the decisions of each."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from mindup_agents.card_evaluation import UNITS
from mindup_arena.bot import ArenaBot, ReportCall
from mindup_arena.chunk import ChunkPlayer, ChunkTask, PlayedChunk
from mindup_arena.failures import FailedCallError, Forfeit
from mindup_arena.match import MatchResults, RotatedDeals
from mindup_arena.schedule import Chunk, Match, chunks
from mindup_arena.workers import play_in_processes
from mindup_env.engine.state import Int64Array
from mindup_env.envs.seat_inputs import Observations
from mindup_env.runs.files import atomic_write, write_text
from mindup_env.runs.processes import MAX_WORKERS, with_progress
from mindup_env.runs.run_folder import RunFolder
from mindup_env.settings.checks import check_int
from mindup_env.settings.extras import require
from mindup_training.dataset.card import card_text, command_of
from mindup_training.dataset.columns import (
    NO_UNIT,
    Arrays,
    check_installed,
    columns_of,
    number_parts,
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
    command = command_of(settings, str(folder))
    with RunFolder.create_or_resume(folder, DATASET, settings, command=command) as run:
        run.subfolder(DATA)
        missing = [
            each for each in chunks(settings) if not file_of(folder, each, settings).exists()
        ]
        for _ in with_progress(
            play_in_processes(missing, partial(DatasetPlayer, settings, folder), workers),
            sum(num_rows(settings, chunk) for chunk in missing),
            "decisions",
            size=lambda played: num_rows(settings, played.chunk),
            shown=progress,
        ):
            pass
        write_text(folder / "README.md", card_text(settings))


def file_of(folder: Path, chunk: Chunk, settings: DatasetSettings) -> Path:
    """The file of a chunk in the folder of its dataset."""
    return folder / DATA / f"chunk-{chunk.number:05}.{settings.format}"


class DatasetPlayer(ChunkPlayer):
    """Plays chunks as an arena does, and writes the decisions of each to its file.

    The first failure of a bot ends the command: cards that it did not choose are no decisions.
    """

    def __init__(self, settings: DatasetSettings, folder: Path, report_call: ReportCall) -> None:
        super().__init__(settings, report_call, folder.resolve() / "bots")
        self.reward = settings.reward
        self._folder, self._dataset = folder, settings
        config = settings.config
        self._numbers = number_parts(config)
        most_rows = settings.chunk_deals * config.num_players**2 * config.num_turns
        # Memory for all chunks: new memory for each would cost more.
        self._buffers: Arrays = {
            column.name: np.zeros((most_rows, *column.row_shape), column.dtype)
            for column in columns_of(config)
        }

    def num_rotations(self, match: Match) -> int:
        return num_rotations(match)

    def play(self, task: ChunkTask) -> PlayedChunk:
        for failure in task.failures:  # each ended its process
            raise self._error(task.chunk, failure)
        return super().play(task)

    def play_games(
        self, games: RotatedDeals, chunk: Chunk, bots: Sequence[ArenaBot]
    ) -> MatchResults:
        """Plays all games of the chunk; a chunk in which a bot fails has no file."""
        seats, turns = seats_of(self._dataset, chunk), self._dataset.config.num_turns
        # Turn by turn, which is also the order of the rows: each (turns, seats, ...).
        arrays: Arrays = {
            name: each[: turns * len(seats.deal)].reshape(turns, -1, *each.shape[1:])
            for name, each in self._buffers.items()
        }
        for name, values in seats._asdict().items():
            arrays[name][:] = values
        arrays["turn"][:] = np.arange(turns)[:, None]
        arrays["card_values"].fill(np.nan)
        arrays["card_values_unit"].fill(NO_UNIT)
        rng = np.random.default_rng([self._dataset.seed, chunk.number])

        def record(decision: int, seen: Observations, actions: Int64Array) -> None:
            now = {name: each[decision] for name, each in arrays.items()}
            self._record(now, {*bots}, seen, actions)
            if self._dataset.random_cards > 0:
                masks = seen["action_mask"]
                is_random = rng.random(actions.shape) < self._dataset.random_cards
                drawn = (rng.random(masks.shape) * masks).argmax(axis=-1)
                actions[is_random] = drawn[is_random]

        try:
            results = games.play(bots, record)
        except FailedCallError as error:
            raise self._error(chunk, error.failure) from None
        for forfeit in (each for bot in bots for each in bot.forfeits):
            raise self._error(chunk, forfeit)
        arrays["reward"][:] = games.rewards.reshape(turns, -1)
        rewards = arrays["reward"].astype(np.float64)
        arrays["return"][:] = rewards[::-1].cumsum(axis=0)[::-1]
        with atomic_write(file_of(self._folder, chunk, self._dataset)) as file:
            rows = {name: each.reshape(-1, *each.shape[2:]) for name, each in arrays.items()}
            write_chunk(self._dataset.format, file, rows)
        return results

    def _record(
        self, now: Arrays, bots: set[ArenaBot], seen: Observations, actions: Int64Array
    ) -> None:
        """Fills in what the seats see and choose, and how the bots evaluate their cards."""
        observations, masks = (
            seen[name].reshape(actions.size, -1) for name in ("observation", "action_mask")
        )
        now["observation_bits"][:] = np.packbits(observations, axis=1)
        numbers = [observations[:, part] for part in self._numbers]
        np.concatenate(numbers, axis=1, out=now["observation_numbers"])
        now["action_mask"][:] = np.packbits(masks, axis=1)
        now["action"][:] = actions.ravel()
        for bot in bots:
            if evaluation := bot.evaluate_cards():
                unit, values = evaluation
                hands, slots = masks.take(bot.rows, axis=0), now["card_values"].shape[1]
                now["card_values"][bot.rows] = pack_values(values, hands, slots)
                now["card_values_unit"][bot.rows] = UNITS.index(unit)

    def _error(self, chunk: Chunk, failure: Forfeit) -> ValueError:
        return ValueError(
            f"bot {self.settings.bots[failure.bot]!r} failed in decision {failure.decision + 1} of "
            f"the deals {chunk.deals[0]} to {chunk.deals[-1]}: {failure.reason}"
            + (failure.traceback and f"\n{failure.traceback}")
        )
