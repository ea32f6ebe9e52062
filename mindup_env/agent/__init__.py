"""Bots: what they implement, and how they are named.

- ``protocol``: ``Agent``, and the errors by which a bot fails in some rows or stops a run
- ``registry``: from a spec such as ``search:simulations=400`` to a bot
- ``named_code``, ``spec_options``: the same for any code that a text names
- ``spec_list``: several specs in one text
"""

from mindup_env.agent.named_code import (
    CodeKind,
    NamedCode,
    check_code_name,
    code_name,
    find_code,
    names_code,
)
from mindup_env.agent.protocol import (
    ActArguments,
    Agent,
    FailedRowsError,
    StopRunError,
    check_act_arguments,
)
from mindup_env.agent.registry import (
    AGENTS,
    agent_options,
    build_agent,
    find_agent,
    list_agents,
    make_agent,
    numbered_spec,
)
from mindup_env.agent.spec_list import join_specs, split_specs
from mindup_env.agent.spec_options import OtherOption, RestOfSpec

__all__ = [
    "AGENTS",
    "ActArguments",
    "Agent",
    "CodeKind",
    "FailedRowsError",
    "NamedCode",
    "OtherOption",
    "RestOfSpec",
    "StopRunError",
    "agent_options",
    "build_agent",
    "check_act_arguments",
    "check_code_name",
    "code_name",
    "find_agent",
    "find_code",
    "join_specs",
    "list_agents",
    "make_agent",
    "names_code",
    "numbered_spec",
    "split_specs",
]
