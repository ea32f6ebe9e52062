"""Bots: what they implement, and how they are named.

- ``protocol``: ``Agent``, and the error by which it stops a run
- ``registry``: from a spec such as ``search:simulations=400`` to a bot; several in one text
- ``named_code``: the same for any code that a text names
"""

from mindup_env.agent.named_code import (
    CodeKind,
    NamedCode,
    RestOfSpec,
    check_code_name,
    code_name,
    find_code,
    from_text,
    names_code,
)
from mindup_env.agent.protocol import (
    ActArguments,
    Agent,
    check_act_arguments,
)
from mindup_env.agent.registry import (
    AGENTS,
    POLICY_FILE,
    agent_options,
    as_agent,
    find_agent,
    full_spec,
    list_agents,
    make_agent,
    split_specs,
)

__all__ = [
    "AGENTS",
    "POLICY_FILE",
    "ActArguments",
    "Agent",
    "CodeKind",
    "NamedCode",
    "RestOfSpec",
    "agent_options",
    "as_agent",
    "check_act_arguments",
    "check_code_name",
    "code_name",
    "find_agent",
    "find_code",
    "from_text",
    "full_spec",
    "list_agents",
    "make_agent",
    "names_code",
    "split_specs",
]
