"""The bots.

- ``simple``, ``greedy``, ``planner``, ``predictor``, ``search``, ``human``: one bot each
- ``policy``: trained policies, and the bot that plays them; ``champion_1``: those of the package
- ``heuristics``: what the bots that estimate and sample share, compiled
- ``features``: what policy networks read
- ``card_evaluation``: per-card evaluations that a bot exposes; ``play_prediction``: the same of
  the cards that it expects of the others
- ``labels``: short names of bots
"""
