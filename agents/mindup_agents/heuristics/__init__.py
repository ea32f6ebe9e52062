"""What the bots that estimate and sample share, in compiled code.

- ``bot``: the base class of the bots
- ``observed_games``: observations, read into games that the functions of the engine accept
- ``card_values``: the points that a card adds to a tableau, and how likely it takes each prize
- ``formulas``: the formulas of ``greedy`` and ``planner``, and the value of a position
- ``predictions``: predictions of the opponents' cards, fitted to what they played
- ``worlds``: random assignments of the hidden cards, and how models of all players play on
"""
