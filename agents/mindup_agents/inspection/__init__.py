"""Look into a policy file: what it holds, what its policy prefers, and which features matter.

Group: inspect
Example: mindup policy show runs/quick-4p-seed0/policy.safetensors

- ``occlusion``: how much a policy depends on groups of features, and positions to measure it in
- ``command``: ``mindup policy show``, and its texts
"""
