"""The bots.

- ``simple``: ``lowest`` and ``highest``; ``baselines``: ``greedy``, ``planner``, ``predictor``
- ``search``: the bot that plays its cards in sampled games; ``champion``: the same with networks
- ``mixture``: one of several bots in each game
- ``policy``: a trained network in an ONNX file; ``network_agent`` plays with any network
- ``trained``: the bots ``self-play`` and ``distilled``, such policies; ``weights`` finds files
- ``heuristics``: what these bots share, compiled
- ``card_evaluation``: per-card evaluations that a bot exposes
- ``review``: what the choices of a game cost
- ``labels``: short names of bots
"""
