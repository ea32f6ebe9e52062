"""Bots: what they implement, and the registry of their names.

- ``protocol``: ``Agent``, and the errors by which a bot fails in some rows or stops a run
- ``registry``: from a spec such as ``search:simulations=400`` to a bot
- ``spec_list``: several specs in one text
"""

from mindup_env.agent.protocol import (
    Agent,
    FailedRowsError,
    StopRunError,
    check_act_arguments,
)
from mindup_env.agent.registry import (
    AGENTS,
    agent_options,
    find_agent,
    list_agents,
    make_agent,
    numbered_spec,
)
from mindup_env.agent.spec_list import join_specs, split_specs
from mindup_env.specs import OtherOption, RestOfSpec

__all__ = [
    "AGENTS",
    "Agent",
    "FailedRowsError",
    "OtherOption",
    "RestOfSpec",
    "StopRunError",
    "agent_options",
    "check_act_arguments",
    "find_agent",
    "join_specs",
    "list_agents",
    "make_agent",
    "numbered_spec",
    "split_specs",
]
