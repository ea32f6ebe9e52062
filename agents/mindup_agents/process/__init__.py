"""Bots in any language: programs that speak JSON lines.

- ``bot``: ``process:COMMAND``, which finds the seats at which a program fails
- ``program``: a program that is asked within a time limit, and started again after a failure
- ``messages``: what seats see as fields, the checks of the answers, and the JSON Schemas
- ``command``: ``mindup protocol``
"""

from mindup_agents.process.bot import ProcessBot

__all__ = ["ProcessBot"]
