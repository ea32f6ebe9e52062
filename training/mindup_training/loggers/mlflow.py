"""MLflow (https://mlflow.org): a database in the folder of the run, or a server."""

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from mindup_env.runs.files import write_text
from mindup_training.loggers.protocol import FigureLogger, LoggedRun, UnloggedFigures
from mindup_training.settings.options import without_sections

# MLflow reads it when it is imported, and would report its use to its makers.
os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
try:
    import alembic  # noqa: F401  # MLflow loads these two with its first database
    import sqlalchemy  # noqa: F401
    from mlflow import MlflowClient
    from mlflow.entities import Metric, Param
    from mlflow.exceptions import MlflowException
except ImportError:
    raise ImportError("it needs the extra mlflow: pip install 'mindup-env[mlflow]'") from None

_NOT_IN_NAMES = re.compile(r"[^\w\-. :]")


class MlflowLogger(FigureLogger):
    """Logs to MLflow, in the file ``mlflow.db`` of the run folder.

    ``uri`` names a server or another database instead, such as `http://127.0.0.1:5000`. A resumed
    run continues the same run of MLflow, whose id is in ``mlflow.json``.
    """

    def __init__(self, run: LoggedRun, experiment: str = "mindup-env", uri: str = "") -> None:
        folder = run.path.resolve()
        with _errors_name_the_logger():
            self._client = MlflowClient(uri or f"sqlite:///{folder / 'mlflow.db'}")
            state = run.path / "mlflow.json"
            if state.exists():
                self._run_id = json.loads(state.read_text(encoding="utf-8"))["run_id"]
                self._client.update_run(self._run_id, status="RUNNING")
            else:
                found = self._client.get_experiment_by_name(experiment)
                artifacts = None if uri else (folder / "mlflow").as_uri()
                own = found and found.experiment_id
                own = own or self._client.create_experiment(experiment, artifacts)
                self._run_id = self._client.create_run(own, run_name=folder.name).info.run_id
                parameters = [
                    Param(key, str(value)) for key, value in without_sections(run.settings)
                ]
                self._client.log_batch(self._run_id, params=parameters, synchronous=True)
                write_text(state, json.dumps({"run_id": self._run_id}))
            history = self._client.get_metric_history
            names = self._client.get_run(self._run_id).data.metrics
            last = {name: max(each.step for each in history(self._run_id, name)) for name in names}
            self._unlogged = UnloggedFigures(last)

    def log(self, timesteps: int, figures: Mapping[str, float]) -> None:
        new = self._unlogged.pick(timesteps, {_name(key): figures[key] for key in figures})
        now = round(1000 * time.time())
        metrics = [Metric(name, figure, now, timesteps) for name, figure in new.items()]
        with _errors_name_the_logger():
            self._client.log_batch(self._run_id, metrics=metrics, synchronous=True)

    def close(self, *, finished: bool) -> None:
        with _errors_name_the_logger():
            self._client.set_terminated(self._run_id, "FINISHED" if finished else "KILLED")


@contextmanager
def _errors_name_the_logger() -> Iterator[None]:
    """An error of MLflow ends the training like one of the system: it can be resumed."""
    try:
        yield
    except MlflowException as error:
        raise OSError(f"logger mlflow: {error}") from error


def _name(figure: str) -> str:
    """A name that MLflow accepts: the options of a bot have other characters."""
    group, slash, rest = figure.partition("/")
    return f"{_NOT_IN_NAMES.sub('_', group)}{slash}{_NOT_IN_NAMES.sub('_', rest)}"
