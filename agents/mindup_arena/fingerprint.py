"""The former place of ``mindup_env.runs.fingerprints``."""

from mindup_env.agent import agent_options, find_agent
from mindup_env.runs.fingerprints import (
    FileHashes,
    Fingerprints,
    file_changes,
    hash_code,
    hash_file,
)

hash_files = hash_code

__all__ = ["FileHashes", "Fingerprints", "file_changes", "hash_bot", "hash_file", "hash_files"]


def hash_bot(bot: str) -> dict[str, str]:
    """Of the source of a bot, and of the files that its options name."""
    agent = find_agent(bot)
    return hash_code(agent, agent_options(agent))
