"""Games of bots alone, to watch in the browser.

- ``command``: ``mindup watch``
- ``seats``: which bot sits where: bots, training runs, and their earlier policies
- ``table``: a game that bots play in the background
- ``recorded``: a recorded game in its place
- ``features``: the features that matter most to a policy in a turn
"""
