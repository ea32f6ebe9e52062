"""Experiments: many seeds of several learners, and one report that compares them.

- ``plan``: what is compared, from the command line and from TOML files
- ``folder``: the runs and their records; ``run``: runs them in processes of their own, also on a
  Ray cluster; ``run_process``: what such a process does
- ``statistics``, ``report``: the estimates of Agarwal et al. (2021)
- ``report_files``: the report as files and pictures, and on the terminal
- ``command``: ``mindup experiment``
"""

from mindup_training.experiment.plan import Experiment, ExperimentSettings
from mindup_training.experiment.run import report_folders, run_experiment

__all__ = ["Experiment", "ExperimentSettings", "report_folders", "run_experiment"]
