"""Games of bots alone, to watch in the browser.

- ``command``: ``mindup watch``; which bot sits where
- ``tables``: the game that is watched, recorded or played in the background, and its routes
- ``insights``: what is shown of the bots: the prizes that a card may take, the features that matter
"""
