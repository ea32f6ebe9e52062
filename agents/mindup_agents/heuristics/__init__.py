"""What the bots that estimate and sample share, in compiled code.

- ``observed_games``: observations, read into games that the functions of the engine accept
- ``observed_cards``: the cards of an observation as sets, and whether they agree
- ``workspace``: scratch arrays for one decision
- ``card_values``: the points that a card adds to a tableau
- ``prize_probabilities``: how likely a card takes each prize
- ``greedy_values``: the formula of the bot ``greedy``
- ``planner_values``: the formula of the bot ``planner``
- ``formulas``: both formulas as models of a seat, and the bots that play them
- ``determinization``: random assignments of the hidden cards
- ``opponent_model``: predictions of the opponents' cards, fitted to what they played
- ``playout``: games that models of all players play on
- ``win_probability``: the value of a position
- ``bot``: the base class of the bots
"""
