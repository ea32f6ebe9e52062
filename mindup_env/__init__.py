"""Mind Up!: simultaneous bidding with hidden, then half-public hands."""

from importlib.metadata import version

from mindup_env.agent import Agent, list_agents, make_agent
from mindup_env.batch_env import BatchEnv, IllegalActionWarning
from mindup_env.cards import OBJECTIVES, OFFICIAL_DECK, Card, Objective
from mindup_env.config import GameConfig
from mindup_env.envs import register
from mindup_env.envs.seated_bots import SeatedBots
from mindup_env.game import Game
from mindup_env.game.deal import Deal
from mindup_env.observation import Layout, StateLayout

__all__ = [
    "OBJECTIVES",
    "OFFICIAL_DECK",
    "Agent",
    "BatchEnv",
    "Card",
    "Deal",
    "Game",
    "GameConfig",
    "IllegalActionWarning",
    "Layout",
    "Objective",
    "SeatedBots",
    "StateLayout",
    "list_agents",
    "make_agent",
]

__version__ = version("mindup-env")

register()
