"""The review of a game: what every choice cost, and how much of the result came from the deal.

Every choice is valued by win probability, from what its seat could know at that moment, by the
evaluation of champion-2. It is the same for every seat and every player.

- ``choice``: what a choice cost, from the cards of the hand in the same sampled games
- ``deal_strength``: what each seat of a deal is worth, from strong play of all seats
- ``game_review``: ``review_game``, the review of a whole game
"""

from mindup_agents.review.choice import Choice
from mindup_agents.review.game_review import GameReview, review_game

__all__ = ["Choice", "GameReview", "review_game"]
