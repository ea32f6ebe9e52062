"""One training for all learners: its loop, checkpoints, evaluations and figures.

- ``learner``: what a learner implements
- ``runs``: starts, resumes and extends runs; ``loop``: a run; ``checkpoint``: what it resumes from
- ``evaluation``: win shares; ``snapshot_pool``: opponents in self-play
- ``progress``, ``curve``: figures on the screen and in a picture
"""
