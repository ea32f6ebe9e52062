"""The bots.

- ``simple``, ``greedy``, ``planner``, ``predictor``, ``search``, ``champion``: one bot each
- ``mixture``: one of several bots in each game
- ``policy``: trained policies, and the bot that plays them
- ``heuristics``: what the bots that estimate and sample share, compiled
- ``features``: what policy networks read
- ``card_evaluation``: per-card evaluations that a bot exposes
- ``review``: what the choices of a game cost
- ``labels``: short names of bots
"""
