"""Bots: what they implement, and how they are named.

- ``protocol``: ``Agent``, and its arguments
- ``registry``: from a spec such as ``search:worlds=400`` to a bot; several in one text
- ``named_agent``: the class behind a name, and its options
"""

from mindup_env.agent.named_agent import AGENTS, NamedAgent, RestOfSpec, list_agents
from mindup_env.agent.protocol import (
    ActArguments,
    Agent,
    check_act_arguments,
)
from mindup_env.agent.registry import (
    POLICY_FILE,
    as_agent,
    find_agent,
    full_spec,
    make_agent,
    split_specs,
)

__all__ = [
    "AGENTS",
    "POLICY_FILE",
    "ActArguments",
    "Agent",
    "NamedAgent",
    "RestOfSpec",
    "as_agent",
    "check_act_arguments",
    "find_agent",
    "full_spec",
    "list_agents",
    "make_agent",
    "split_specs",
]
