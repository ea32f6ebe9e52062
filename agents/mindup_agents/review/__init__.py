"""The review of a game: what every choice cost, and how much of the result came from the deal.

Every choice is valued by win probability, from what its seat could know at that moment, by the
evaluation of the bot ``champion``. It is the same for every seat and every player.

- ``choice``: what a choice cost, from the cards of the hand in the same sampled games
- ``game_review``: ``review_game``, the review of a whole game and what the seats of its deal are
  worth
"""

from mindup_agents.review.choice import Choice
from mindup_agents.review.game_review import GameReview, review_game

__all__ = ["Choice", "GameReview", "review_game"]
