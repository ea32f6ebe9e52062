"""The runs in the raw data format of marl-eval (github.com/instadeepai/marl-eval).

Environment, task, algorithm, run and step are nested in this order. A task is a bot that the
policies are evaluated against. A metric is a list; ``absolute_metrics`` are those of the final
policy. marl-eval itself needs equally many runs and steps of every algorithm.
"""

from typing import Any

from mindup_training.experiment.report import EntryResult, ExperimentReport

ENVIRONMENT, METRIC = "mindup", "win_share"


def marl_eval_data(report: ExperimentReport) -> dict[str, Any]:
    """The data, which marl-eval reads from a JSON file; its names of tasks are in lower case."""
    tasks = {
        bot.lower(): {result.entry.name: _runs(result, bot, at) for result in report.entries}
        for at, bot in enumerate(report.bots)
    }
    return {ENVIRONMENT: tasks}


def _runs(result: EntryResult, bot: str, at: int) -> dict[str, Any]:
    return {
        f"seed_{run.seed}": {
            **_steps(result, bot, place),
            "absolute_metrics": {METRIC: [float(result.scores[place, at])]},
        }
        for place, run in enumerate(result.runs)
    }


def _steps(result: EntryResult, bot: str, place: int) -> dict[str, Any]:
    """The evaluations of a run during the training."""
    if bot not in result.curves:
        return {}
    points = result.curves[bot].points
    return {
        f"step_{number}": {"step_count": int(timesteps), METRIC: [float(share)]}
        for number, (timesteps, share) in enumerate(
            zip(points.timesteps, points.scores[place], strict=True)
        )
    }
