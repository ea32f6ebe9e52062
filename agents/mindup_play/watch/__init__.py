"""Games of bots alone, to watch in the browser.

- ``command``: ``mindup watch``; which bot sits where
- ``routes``: what its page asks the server
- ``tables``: the game that is watched, recorded or played in the background, and the next ones
- ``insights``: what is shown of the bots: the prizes that a card may take, the features that matter
"""
