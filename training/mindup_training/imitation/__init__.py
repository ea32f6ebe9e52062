"""Imitation: a learner that fits a policy to the decisions of bots in datasets.

- ``config``: its settings
- ``samples``: the features, choices and values of datasets
- ``fit``: fits a network to them
"""
