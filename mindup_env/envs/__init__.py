"""The game behind the interfaces of PettingZoo and Gymnasium.

- ``parallel``, ``turn_based``: PettingZoo's two forms, every seat an agent
- ``learner_tables``, ``opponents``: one learner at each of many tables of bots
- ``vector_env``, ``single_agent``: Gymnasium's two forms of that
- ``spaces``, ``registration``: what is declared to both libraries
"""
