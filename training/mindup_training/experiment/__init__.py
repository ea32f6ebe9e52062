"""Experiments: many seeds of several learners, and one report that compares them.

- ``settings``: seeds, and how final policies are evaluated
- ``entry``, ``sweep``, ``plan``: what is compared, from the command line and from TOML files
- ``folder``, ``run_process``, ``execution``: runs in processes of their own, also on a Ray cluster
- ``scores``, ``statistics``, ``report``: the estimates of Agarwal et al. (2021)
- ``report_files``, ``marl_eval``, ``markdown``, ``picture``, ``terminal``: the report as files
- ``command``: ``mindup experiment``
"""

from mindup_training.experiment.plan import Experiment
from mindup_training.experiment.run import report_folders, run_experiment
from mindup_training.experiment.settings import ExperimentSettings

__all__ = ["Experiment", "ExperimentSettings", "report_folders", "run_experiment"]
