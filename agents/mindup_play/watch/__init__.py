"""Games of bots alone, to watch in the browser.

- ``command``: ``mindup watch``
- ``seats``: which bot sits where: bots, training runs, and their earlier policies
- ``games``: the game that is watched, and the next ones
- ``table``: a game that bots play in the background
- ``recorded``: a recorded game in its place
- ``forecast``: the probability that each card takes each prize, from what its player can know
- ``features``: the features that matter most to a policy in a turn
"""
