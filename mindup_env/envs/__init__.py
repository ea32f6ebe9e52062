"""The PettingZoo and Gymnasium APIs of the game.

- ``parallel``, ``turn_based``: PettingZoo's parallel and AEC APIs; every seat is an agent
- ``single_agent``, ``vector_env``: Gymnasium's ``Env`` and ``VectorEnv``: one learner against bots
- ``learner_tables``: N games with one learner in each, for both of Gymnasium's APIs
- ``opponents``: the bots around a learner, and bots that act for a batch of seats
- ``arguments``: keyword arguments, the options of ``reset``, and spaces
- ``registration``: the names of the environments
"""
