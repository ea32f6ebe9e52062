"""One training for all learners: its loop, checkpoints, evaluations and figures.

- ``learner``: what a learner implements; ``stages``: changes it where a stage begins
- ``runs``: starts, resumes and extends runs; ``loop``: a run; ``checkpoint``: what it resumes from
- ``evaluation``: win shares; ``snapshot_pool``: opponents in self-play
- ``metrics``, ``progress``, ``curve``: figures for loggers, on the screen and in a picture
- ``result``: what a run has written, for Python
"""
