"""One training for all learners: its loop, checkpoints, evaluations and figures.

- ``learner``: what a learner implements
- ``runs``: starts and resumes runs; ``loop``: a run
- ``checkpoint``: what a run resumes from; ``evaluation``: win shares
- ``log``: figures as CSV files and for TensorBoard; ``progress``: the screen
"""
