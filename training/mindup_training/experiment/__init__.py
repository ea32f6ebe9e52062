"""Train many seeds of several learners, and compare them in one report.

Group: train
Example: mindup experiment run quick --seeds 5

- ``plan``: what is compared, from the command line and from TOML files
- ``folder``: the runs and their records; ``run``: runs them in processes of their own, also on a
  Ray cluster; ``run_process``: what such a process does
- ``statistics``, ``report``: the estimates of Agarwal et al. (2021)
- ``report_files``: the report as files and pictures, and on the terminal
- ``command``, ``report_command``: ``mindup experiment run`` and ``mindup experiment report``
"""

from mindup_training.experiment.plan import Experiment, ExperimentSettings
from mindup_training.experiment.run import report_folders, run_experiment

__all__ = ["Experiment", "ExperimentSettings", "report_folders", "run_experiment"]
