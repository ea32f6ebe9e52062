"""The estimators of Agarwal et al. (2021), "Deep RL at the edge of the statistical precipice".

The unit is the run. The policy of a run is evaluated against several bots, so its scores depend on
each other, and a resample draws whole runs. (In the paper, each task has runs of its own, which are
drawn separately; here such intervals would be too short.) The runs of each entry are a stratum.
"""

import numpy as np
import numpy.typing as npt

from mindup_arena.estimate import Estimate, Floats, estimate_by_bootstrap

RESAMPLES = 10_000
_SEED = 0

Runs = npt.NDArray[np.int64]


def interquartile_mean(scores: Floats) -> Floats:
    """The mean of the middle half of scores (..., n): without the lowest and highest quarter.

    The quarters are rounded down: of five scores, the middle three count.
    """
    count = scores.shape[-1]
    cut = count // 4
    return np.asarray(np.sort(scores, axis=-1)[..., cut : count - cut].mean(axis=-1))


def resample_runs(num_runs: int, stratum: int, resamples: int = RESAMPLES) -> Runs:
    """Bootstrap resamples of the runs of an entry: their indices (resamples, runs).

    Different strata are drawn independently, and each is always drawn in the same way.
    """
    random = np.random.default_rng([_SEED, stratum])
    return random.integers(num_runs, size=(resamples, num_runs))


def estimate_iqms(scores: Floats, runs: Runs) -> list[Estimate]:
    """The interquartile means of scores (runs, n, tasks) over runs and tasks, with intervals.

    ``n`` are, for example, points of the trainings; ``runs`` are those of ``resample_runs``.
    """
    places = scores.shape[1]
    values = interquartile_mean(scores.swapaxes(0, 1).reshape(places, -1))
    resampled = scores[runs].swapaxes(1, 2).reshape(len(runs), places, -1)
    return estimate_by_bootstrap(values, interquartile_mean(resampled), len(scores))


def estimate_improvement(ones: Floats, others: Floats, runs: Runs, other_runs: Runs) -> Estimate:
    """How likely a run of one entry is better than a run of another, with its interval.

    It is the Mann-Whitney statistic divided by the number of pairs, averaged over the tasks; ties
    count half. Scores are (runs, tasks), and ``runs`` are resamples of each entry's runs.
    """
    one, other = ones[:, None, :], others[None, :, :]
    wins = ((one > other) + 0.5 * (one == other)).mean(axis=-1)  # (runs, other runs)
    resampled = ((_counts(runs) @ wins) * _counts(other_runs)).sum(axis=1) / wins.size
    (estimate,) = estimate_by_bootstrap(
        wins.mean(keepdims=True)[0], resampled[:, None], min(wins.shape)
    )
    return estimate


def _counts(runs: Runs) -> Floats:
    """How often each resample has each run (resamples, runs)."""
    counts = np.zeros(runs.shape)
    np.add.at(counts, (np.arange(len(runs))[:, None], runs), 1)
    return counts
