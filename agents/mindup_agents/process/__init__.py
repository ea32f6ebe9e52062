"""Bots in any language: programs that speak JSON lines, as docs/protocol.md describes.

- ``bot``: ``process:COMMAND``, which finds the seats at which a program fails
- ``program``: a program that is started, asked, and started again after a failure
- ``child``: the process, and its lines within a time limit
- ``messages``: the messages, the checks of the answers, and their JSON Schemas
- ``seat_views``: what seats see, as the fields of a message
- ``command``: ``mindup protocol-check``
"""

from mindup_agents.process.bot import ProcessBot

__all__ = ["ProcessBot"]
