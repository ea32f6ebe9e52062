"""One training for all learners: its loop, checkpoints, evaluations and figures.

- ``learner``: what a learner implements
- ``runs``: starts, resumes and extends runs; ``loop``: a run, with the snapshots of self-play
- ``checkpoint``: what a run resumes from; ``evaluation``: win shares; ``progress``: the screen
"""
