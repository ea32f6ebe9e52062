"""The game as text for language models: a prompt for a seat, a card from an answer, a reward.

- ``rules``: the rules and the cards of a config in words, the same for all seats and turns
- ``prompt``: what one seat sees, and the question for a card
- ``answer``: the card that an answer names, or what is wrong with the answer
- ``reward``: the reward of a seat for a whole game
"""

from mindup_env.text.answer import parse_card
from mindup_env.text.prompt import seat_prompt
from mindup_env.text.reward import game_reward
from mindup_env.text.rules import rules_text

__all__ = ["game_reward", "parse_card", "rules_text", "seat_prompt"]
