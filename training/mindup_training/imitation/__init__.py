"""Imitation: fits a policy to the decisions of bots in datasets.

- ``config``: the hyperparameters
- ``samples``: the features, choices and values of datasets
- ``fit``: fits a network to them
- ``run``: ``mindup train --imitate``, with its folder and ``curve``, its picture
"""
