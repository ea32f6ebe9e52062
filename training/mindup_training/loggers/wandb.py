"""Weights & Biases (https://docs.wandb.ai): on this machine alone, unless ``online=true``."""

import json
import os
import secrets
from collections.abc import Mapping

from mindup_env.runs.files import write_text
from mindup_training.loggers.protocol import FigureLogger, LoggedRun, UnloggedFigures

try:
    import wandb
except ImportError:
    raise ImportError("it needs the extra wandb: pip install 'mindup-env[wandb]'") from None

_TIMESTEPS = "timesteps"


class WandbLogger(FigureLogger):
    """Logs to Weights & Biases, in the folder ``wandb`` of the run; ``wandb sync`` uploads it.

    The run folder keeps what was logged in ``wandb.json``. A resumed run continues the same run of
    Weights & Biases with ``online=true``. Files cannot be continued: without it, a resumed run
    begins another one, in the same group. ``entity`` is a user or team, by default the account's.
    """

    def __init__(
        self, run: LoggedRun, project: str = "mindup-env", entity: str = "", *, online: bool = False
    ) -> None:
        if not online:
            # Reports of errors would ask the network for their server.
            os.environ.setdefault("WANDB_ERROR_REPORTING", "false")
        self._state = run.path / "wandb.json"
        text = self._state.read_text(encoding="utf-8") if self._state.exists() else "{}"
        before = json.loads(text)
        self._id = before.get("id") or secrets.token_hex(4)
        self._unlogged = UnloggedFigures(before.get("logged", {}))
        try:
            self._run = wandb.init(
                project=project,
                entity=entity or None,
                dir=str(run.path),
                id=None if before and not online else self._id,
                resume="allow" if online else None,
                group=None if online else self._id,
                name=run.path.name,
                config=dict(run.settings),
                mode="online" if online else "offline",
                reinit="create_new",  # a run that the program has begun itself goes on
                settings=wandb.Settings(console="off"),  # leaves the progress bar alone
            )
        except wandb.errors.Error as error:
            raise ValueError(f"logger wandb: {error}") from None
        # Rows have steps of their own: timesteps, which may be repeated, are a figure.
        self._run.define_metric(_TIMESTEPS)
        self._run.define_metric("*", step_metric=_TIMESTEPS)

    def log(self, timesteps: int, figures: Mapping[str, float]) -> None:
        new = self._unlogged.pick(timesteps, figures)
        if new:
            self._run.log({_TIMESTEPS: timesteps, **new})
            write_text(self._state, json.dumps({"id": self._id, "logged": self._unlogged.last}))

    def close(self, *, finished: bool) -> None:
        self._run.finish(exit_code=0 if finished else 1)
