"""The review of a game, for people; ``mindup_agents.review`` computes it.

- ``command``: ``mindup review``, as text, JSON and a web page
- ``jobs``: reviews in the background of the server
"""
