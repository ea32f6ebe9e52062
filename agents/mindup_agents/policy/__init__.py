"""Trained policies, and the bot that plays them without PyTorch.

- ``description``: what a policy file says about its games, features and network
- ``file``: policy files
- ``network``: the architecture of the package's policies; ``compiled_network`` computes it
- ``evaluator``: card probabilities and values, in NumPy
- ``agent``: the bot ``policy``
"""

from mindup_agents.policy.agent import PolicyAgent
from mindup_agents.policy.description import Description
from mindup_agents.policy.evaluator import PolicyEvaluator
from mindup_agents.policy.file import Policy, check_size, load_policy, save_policy
from mindup_agents.policy.network import Widths

__all__ = [
    "Description",
    "Policy",
    "PolicyAgent",
    "PolicyEvaluator",
    "Widths",
    "check_size",
    "load_policy",
    "save_policy",
]
