"""Bots: what they implement, and how they are named.

- ``protocol``: ``Agent``, and its arguments
- ``registry``: from a spec such as ``search:worlds=400`` to a bot
- ``random_agent``: the bot ``random``
"""

from mindup_env.agent.protocol import ActArguments, Agent, check_act_arguments
from mindup_env.agent.registry import AGENTS, as_agent, find_agent, list_agents, make_agent

__all__ = [
    "AGENTS",
    "ActArguments",
    "Agent",
    "as_agent",
    "check_act_arguments",
    "find_agent",
    "list_agents",
    "make_agent",
]
