"""Trained policies: their files, and the agent that plays them by NumPy alone."""

from mindup_agents.policy.agent import PolicyAgent
from mindup_agents.policy.description import Description
from mindup_agents.policy.file import Policy, load_policy, save_policy
from mindup_agents.policy.network import Widths

__all__ = ["Description", "Policy", "PolicyAgent", "Widths", "load_policy", "save_policy"]
