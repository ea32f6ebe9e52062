"""What a policy file holds, what its policy prefers in a position, and which features matter.

- ``positions``: the positions of recorded games, of deals, and of games against itself
- ``occlusion``: how much a policy depends on groups of features
- ``command``: ``mindup policy``, and its texts
"""
