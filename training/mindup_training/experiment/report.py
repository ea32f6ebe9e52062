"""The report of an experiment: each entry's scores and curves, and who improves on whom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np

from mindup_arena.estimate import COVERAGE, Estimate, Floats
from mindup_training.experiment.folder import ExperimentFolder, ExperimentRun, RunRecord
from mindup_training.experiment.plan import Entry, ExperimentSettings
from mindup_training.experiment.statistics import (
    RESAMPLES,
    Runs,
    estimate_improvement,
    estimate_iqm,
    estimate_iqm_curve,
    resample_runs,
)
from mindup_training.loggers.csv_files import OPPONENT, TIMESTEPS, read_csv_log
from mindup_training.train.evaluation import at_players

METHODS = (
    f"Interquartile means of win shares over runs; P(row > column) is the probability that a run "
    f"of the row is better than one of the column. {COVERAGE} % intervals: {RESAMPLES:,} bootstrap "
    "resamples of whole runs, stratified by entry, with percentiles that are corrected for few "
    "runs."
)
"""How reports describe their numbers."""

FEW_RUNS = 5
"""Resamples of fewer runs know too little of how much runs differ."""


EndedRuns = dict[int, tuple[ExperimentRun, RunRecord]]
"""The runs of an entry that ended, by seed."""


class ScoreCurves(NamedTuple):
    """Win shares against one bot during the trainings of an entry.

    Attributes:
        timesteps: Decisions learned from (points,).
        scores: Win shares, from 0 to 1 (runs, points).
    """

    timesteps: Floats  # (points,)
    scores: Floats  # (runs, points)


@dataclass(frozen=True)
class EntryCurve:
    """The interquartile mean of an entry against one bot, during the training."""

    points: ScoreCurves
    estimates: Sequence[Estimate]  # (points,)


@dataclass(frozen=True)
class EntryResult:
    """What is known of an entry.

    Attributes:
        entry: the entry.
        runs: its runs that ended, by seed.
        commands: the command of each of these runs.
        scores: win shares of the final policies, from 0 to 1 (runs, bots).
        iqm: the interquartile mean of all scores.
        iqm_against: the interquartile mean against each bot.
        curves: the evaluations during the training, by bot, where all runs have them.
    """

    entry: Entry
    runs: Sequence[ExperimentRun]
    commands: Sequence[str]
    scores: Floats
    iqm: Estimate
    iqm_against: Mapping[str, Estimate]
    curves: Mapping[str, EntryCurve]

    @classmethod
    def of(
        cls,
        entry: Entry,
        ended: EndedRuns,
        bots: Sequence[str],
        resampled: Runs,
        players: int | None = None,
    ) -> "EntryResult":
        """What the runs of an entry show; ``players`` is that of ``make_report``."""
        runs, records = zip(*(ended[seed] for seed in sorted(ended)), strict=True)
        names = {bot: bot for bot in bots}
        if players is not None and len(records[0].players) > 1:
            names = {bot: at_players(bot, players) for bot in bots}
        scores = np.array([[each.win_shares[name] for name in names.values()] for each in records])
        curves = {bot: read_curves(runs, name) for bot, name in names.items()}
        return cls(
            entry,
            runs,
            [record.command for record in records],
            scores,
            estimate_iqm(scores, resampled),
            {bot: estimate_iqm(scores[:, [at]], resampled) for at, bot in enumerate(bots)},
            {
                bot: EntryCurve(curve, estimate_iqm_curve(curve.scores, resampled))
                for bot, curve in curves.items()
                if curve is not None
            },
        )


@dataclass(frozen=True)
class ExperimentReport:
    """The results of an experiment, or of several that are merged.

    Attributes:
        commands: the command of each experiment.
        settings: the settings; the seeds are those of the first experiment.
        entries: the entries of which runs ended.
        improvements: the probability of improvement of one entry over another, by their places.
        unfinished: the runs that have not ended, or that failed.
        players: the numbers of players of the games.
    """

    commands: Sequence[str]
    settings: ExperimentSettings
    entries: Sequence[EntryResult]
    improvements: Mapping[tuple[int, int], Estimate]
    unfinished: Sequence[ExperimentRun]
    players: Sequence[int]

    @property
    def equal_share(self) -> float | None:
        """The win share of equal players; None for games with different numbers of players."""
        return 1 / self.players[0] if len(self.players) == 1 else None

    @property
    def bots(self) -> Sequence[str]:
        """The bots that the final policies were evaluated against."""
        return self.settings.evaluate_against

    @property
    def warnings(self) -> Iterator[str]:
        """Why the numbers may not be what they seem, and what is missing."""
        if any(len(result.runs) < FEW_RUNS for result in self.entries):
            yield f"Intervals of fewer than {FEW_RUNS} runs are too short."
        if len(self.players) > 1:
            numbers = ", ".join(map(str, self.players))
            yield (
                f"These are means over games with {numbers} players; there is a report of each "
                "number in its folder, such as "
                f"{players_folder(self.players[0])}."
            )
        for result in self.entries:
            without = [bot for bot in self.bots if bot not in result.curves]
            if without:
                yield f"{result.entry.name} has no learning curve against {', '.join(without)}."
        for run in self.unfinished:
            yield f"Not ended: {run}; log: {run.log}"


def players_folder(players: int) -> str:
    """The folder of the report of one number of players, in that of the experiment."""
    return f"{players}-players"


def make_report(
    folders: Sequence[ExperimentFolder], players: int | None = None
) -> ExperimentReport:
    """The report of the experiments in these folders, which differ in their seeds only.

    Args:
        folders: the folders.
        players: only games with so many players, and the entries that play them; all if None.

    Raises:
        ValueError: they differ in more, have a run twice, or no run has ended.
    """
    _check_mergeable(folders)
    experiment = folders[0].settings
    settings = experiment.settings
    ended: dict[str, EndedRuns] = {}
    unfinished = []
    for run in (run for folder in folders for run in folder.runs()):
        record = run.read_record()
        if record is None or not record.is_done:
            unfinished.append(run)
            continue
        if players is not None and players not in record.players:
            continue
        runs = ended.setdefault(run.entry.name, {})
        if run.seed in runs:
            raise ValueError(f"{runs[run.seed][0].path} and {run.path} are the same run: {run}")
        runs[run.seed] = run, record
    if not ended:
        paths = ", ".join(str(folder.path) for folder in folders)
        raise ValueError(f"no run has ended in {paths}: there is nothing to report")
    entries = [entry for entry in experiment.entries if entry.name in ended]
    drawn = [resample_runs(len(ended[each.name]), stratum) for stratum, each in enumerate(entries)]
    results = [
        EntryResult.of(entry, ended[entry.name], settings.evaluate_against, resampled, players)
        for entry, resampled in zip(entries, drawn, strict=True)
    ]
    numbers = {
        number
        for runs in ended.values()
        for _, record in runs.values()
        for number in record.players
    }
    return ExperimentReport(
        tuple(folder.command for folder in folders),
        settings,
        results,
        {
            (one, other): estimate_improvement(
                results[one].scores, results[other].scores, drawn[one], drawn[other]
            )
            for one, other in permutations(range(len(results)), 2)
        },
        [run for run in unfinished if run.seed not in ended.get(run.entry.name, {})],
        sorted(numbers) if players is None else [players],
    )


def read_curves(runs: Sequence[ExperimentRun], bot: str) -> ScoreCurves | None:
    """The evaluations of runs against a bot; None if a run has none.

    Runs of equal length are evaluated at the same timesteps. Others, such as those limited by
    minutes, are interpolated at all timesteps that lie within every run.
    """
    found = [_evaluations(run, bot) for run in runs]
    if not all(len(each) for each in found):
        return None
    first = max(each[0, 0] for each in found)
    last = min(each[-1, 0] for each in found)
    every = np.unique(np.concatenate([each[:, 0] for each in found]))
    timesteps = every[(every >= first) & (every <= last)]
    if not timesteps.size:
        return None
    scores = [np.interp(timesteps, each[:, 0], each[:, 1]) for each in found]
    return ScoreCurves(timesteps, np.array(scores))


def _evaluations(run: ExperimentRun, bot: str) -> Floats:
    """Timesteps and win shares (points, 2)."""
    rows = read_csv_log(run.paths.evaluations)
    points = [(int(row[TIMESTEPS]), float(row["value"])) for row in rows if row[OPPONENT] == bot]
    return np.array(points, np.float64).reshape(-1, 2)


def _check_mergeable(folders: Sequence[ExperimentFolder]) -> None:
    first = folders[0]
    for other in folders[1:]:
        if other.differs_from(first.settings):
            raise ValueError(
                f"{first.path} and {other.path} cannot be merged: their experiments differ in more "
                "than the seeds"
            )
