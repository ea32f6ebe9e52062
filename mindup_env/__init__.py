"""Mind Up!: simultaneous bidding with hidden, then half-public hands."""

from mindup_env.cards import OFFICIAL_DECK, Card, Deck
from mindup_env.config import GameConfig
from mindup_env.deal import Deal
from mindup_env.game import Game
from mindup_env.objectives import OBJECTIVES, Objective

__all__ = [
    "OBJECTIVES",
    "OFFICIAL_DECK",
    "Card",
    "Deal",
    "Deck",
    "Game",
    "GameConfig",
    "Objective",
]
