"""The review of a game, for people: what every choice cost, as text, JSON and a web page.

- ``command``: ``mindup review``
- ``text``: the review at the terminal
- ``progress``: how far it is, at the terminal
- ``jobs``: reviews in the background of the server
"""
