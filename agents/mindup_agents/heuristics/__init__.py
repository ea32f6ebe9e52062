"""What the bots that estimate and sample share, in compiled code.

- ``observed_games``: observations, read into games that the functions of the engine accept
- ``workspace``: scratch arrays for one decision
- ``card_values``: the points that a card adds to a tableau
- ``prize_probabilities``: how likely a card takes each prize
- ``formulas``: the formulas of ``greedy`` and ``planner``, which are also models of a seat
- ``determinization``: random assignments of the hidden cards
- ``opponent_model``: predictions of the opponents' cards, fitted to what they played
- ``playout``: games that models of all players play on
- ``win_probability``: the value of a position
- ``bot``: the base classes of the bots
"""
