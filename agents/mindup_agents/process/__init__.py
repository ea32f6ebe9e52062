"""Bots in any language: programs that speak JSON lines, as docs/protocol.md describes.

- ``bot``: ``process:COMMAND``
- ``program``: a program that is started, asked, and started again after a failure
- ``retries``: finds the seats at which it fails
- ``child``: the process, and its lines within a time limit
- ``command_line``, ``stderr_file``: the words of the command; the file of its standard error
- ``messages``: the messages, and the checks of the answers
- ``fields``, ``seat_views``: what seats see, as the fields of a message
- ``schema``: JSON Schemas of the messages
- ``conformance``, ``command``: ``mindup protocol-check``
"""

from mindup_agents.process.bot import ProcessBot

__all__ = ["ProcessBot"]
