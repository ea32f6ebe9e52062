"""What a policy file holds, what its policy prefers in a position, and which features matter.

- ``occlusion``: how much a policy depends on groups of features, and positions to measure it in
- ``command``: ``mindup policy``, and its texts
"""
