"""The report of an experiment: each entry's scores and curves, and who improves on whom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np

from mindup_arena.estimate import COVERAGE, Estimate, Floats
from mindup_env.report import Column, Table
from mindup_training.experiment.folder import ExperimentFolder, ExperimentRun, RunRecord
from mindup_training.experiment.plan import Entry, ExperimentSettings
from mindup_training.experiment.statistics import (
    RESAMPLES,
    Runs,
    estimate_improvement,
    estimate_iqms,
    resample_runs,
)
from mindup_training.loggers.csv_files import OPPONENT, TIMESTEPS, read_table
from mindup_training.trainer.evaluation import at_players

METHODS = (
    f"Interquartile means of win shares over runs; P(row > column) is the probability that a run "
    f"of the row is better than one of the column. {COVERAGE} % intervals: {RESAMPLES:,} bootstrap "
    "resamples of whole runs, stratified by entry, with percentiles that are corrected for few "
    "runs."
)
"""How reports describe their numbers."""

FEW_RUNS = 5
"""Resamples of fewer runs know too little of how much runs differ."""
ALL = "all"
"""Stands for all bots together."""
DIGITS = 6
_ENDS = "low", "high"
ESTIMATE = Column("value", digits=DIGITS, ends=_ENDS)
"""How JSON has an estimate."""


class Curve(NamedTuple):
    """Win shares against one bot during the trainings of an entry."""

    timesteps: Floats  # (points,) decisions learned from
    scores: Floats  # (runs, points) from 0 to 1
    estimates: Sequence[Estimate]  # (points,) interquartile means


@dataclass(frozen=True)
class EntryResult:
    """What is known of an entry."""

    entry: Entry
    runs: Sequence[ExperimentRun]  # those that ended, by seed
    records: Sequence[RunRecord]  # how each of these runs ended
    scores: Floats  # (runs, bots) win shares of the final policies, from 0 to 1
    iqm: Mapping[str, Estimate]  # the interquartile mean of the scores: ALL, and by bot
    curves: Mapping[str, Curve]  # evaluations during training, by bot, where all runs have them

    @property
    def name(self) -> str:
        """The name of the entry."""
        return self.entry.name


@dataclass(frozen=True)
class ExperimentReport:
    """The results of an experiment, or of several that are merged."""

    commands: Sequence[str]  # of each experiment
    settings: ExperimentSettings  # with the seeds of the first experiment
    entries: Sequence[EntryResult]  # those of which runs ended
    improvements: Mapping[tuple[str, str], Estimate]  # probabilities of one entry over another
    unfinished: Sequence[ExperimentRun]  # that have not ended, or that failed
    players: Sequence[int]  # numbers of the games

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
                f"number in its folder, such as {players_folder(self.players[0])}."
            )
        for result in self.entries:
            without = [bot for bot in self.bots if bot not in result.curves]
            if without:
                yield f"{result.name} has no learning curve against {', '.join(without)}."
        for run in self.unfinished:
            yield f"Not ended: {run}; log: {run.log}"


def shares_table(report: ExperimentReport) -> Table:
    """The interquartile means of each entry: of all bots, and against each."""
    value = Column("iqm_win_share", form="{:.1f}", scale=100, digits=DIGITS, ends=_ENDS)
    rows = [
        (result.name, bot, estimate)
        for result in report.entries
        for bot, estimate in result.iqm.items()
    ]
    return Table("", [Column("entry"), Column("against"), value], rows)


def improvements_table(report: ExperimentReport) -> Table:
    """The probability of improvement of each entry over each other."""
    value = Column("probability_of_improvement", form="{:.2f}", digits=DIGITS, ends=_ENDS)
    rows = [(*names, estimate) for names, estimate in report.improvements.items()]
    return Table("", [Column("entry", "P(row > column)"), Column("over"), value], rows)


def players_folder(players: int) -> str:
    """The folder of the report of one number of players, in that of the experiment."""
    return f"{players}-players"


def make_report(
    folders: Sequence[ExperimentFolder], players: int | None = None
) -> ExperimentReport:
    """The report of the experiments in these folders, which differ in their seeds only.

    With ``players``, it has only games with so many players, and the entries that play them.
    """
    first, unfinished = folders[0], []
    ended: dict[str, dict[int, tuple[ExperimentRun, RunRecord]]] = {}
    for folder in folders:
        if folder.settings != first.settings:
            raise ValueError(
                f"{first.path} and {folder.path} cannot be merged: their experiments differ in "
                "more than the seeds"
            )
        for run in folder.runs():
            record = run.result()
            if record is None:
                unfinished.append(run)
                continue
            runs = ended.setdefault(run.entry.name, {})
            if run.seed in runs:
                raise ValueError(f"{runs[run.seed][0].path} and {run.path} are the same run: {run}")
            if players is None or players in record.players:
                runs[run.seed] = run, record
    found = [entry for entry in first.settings.entries if ended.get(entry.name)]
    if not found:
        paths = ", ".join(str(folder.path) for folder in folders)
        raise ValueError(f"no run has ended in {paths}: there is nothing to report")
    bots = first.settings.settings.evaluate_against
    results, drawn = [], {}
    for place, entry in enumerate(found):
        own = [each for _, each in sorted(ended[entry.name].items())]
        drawn[entry.name] = resample_runs(len(own), place)
        results.append(_result(entry, own, bots, drawn[entry.name], players))
    return ExperimentReport(
        [folder.command for folder in folders],
        first.settings.settings,
        results,
        {
            (one.name, other.name): estimate_improvement(
                one.scores, other.scores, drawn[one.name], drawn[other.name]
            )
            for one, other in permutations(results, 2)
        },
        [run for run in unfinished if run.seed not in ended.get(run.entry.name, {})],
        sorted({number for each in results for record in each.records for number in record.players})
        if players is None
        else [players],
    )


def _result(
    entry: Entry,
    ended: Sequence[tuple[ExperimentRun, RunRecord]],
    bots: Sequence[str],
    resampled: Runs,
    players: int | None,
) -> EntryResult:
    """What the runs of an entry show; ``players`` is that of ``make_report``."""
    runs, records = zip(*ended, strict=True)
    names = {bot: bot for bot in bots}
    if players is not None and len(records[0].players) > 1:
        names = {bot: at_players(bot, players) for bot in bots}
    scores = np.array([[each.win_shares[name] for name in names.values()] for each in records])
    estimates = estimate_iqms(scores[:, None, :], resampled)
    estimates += estimate_iqms(scores[:, :, None], resampled)
    curves = {bot: read_curve(runs, name, resampled) for bot, name in names.items()}
    return EntryResult(
        entry,
        runs,
        records,
        scores,
        dict(zip([ALL, *bots], estimates, strict=True)),
        {bot: curve for bot, curve in curves.items() if curve is not None},
    )


def read_curve(runs: Sequence[ExperimentRun], bot: str, resampled: Runs) -> Curve | None:
    """The evaluations of runs against a bot; None if a run has none.

    Runs of equal length are evaluated at the same timesteps. Others, such as those limited by
    minutes, are interpolated at all timesteps that lie within every run.
    """
    found = []
    for run in runs:
        table = read_table(run.paths.evaluations)
        if bot not in table.get(OPPONENT, ()):
            return None
        rows = table[OPPONENT] == bot
        found.append((table[TIMESTEPS][rows], table["value"][rows]))
    first, last = max(steps[0] for steps, _ in found), min(steps[-1] for steps, _ in found)
    every = np.unique(np.concatenate([steps for steps, _ in found]))
    timesteps = every[(every >= first) & (every <= last)]
    if not timesteps.size:
        return None
    scores = np.array([np.interp(timesteps, *each) for each in found])
    return Curve(timesteps, scores, estimate_iqms(scores[:, :, None], resampled))
