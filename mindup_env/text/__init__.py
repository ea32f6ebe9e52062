"""The game as text for language models.

- ``rules``: the rules and the cards of a config in words, the same for all seats and turns
- ``seat``: the question to a seat, the card that its answer names, and its reward for a game
"""

from mindup_env.text.rules import rules_text
from mindup_env.text.seat import game_reward, parse_card, seat_prompt

__all__ = ["game_reward", "parse_card", "rules_text", "seat_prompt"]
