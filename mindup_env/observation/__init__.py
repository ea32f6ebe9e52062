"""What a seat sees: its own hand and all public information, as one flat int8 vector.

- ``vector_layout``: a vector of declared parts: names, shapes, bounds, views
- ``layout``: the parts of an observation and of the full state, and their offsets
- ``writer``: fills observations, action masks and full states, compiled
- ``text``: one observation as text, for people and language models
"""

from mindup_env.observation.layout import Layout, StateLayout, layout_of, state_layout_of
from mindup_env.observation.text import observation_text
from mindup_env.observation.vector_layout import LayoutPart

__all__ = [
    "Layout",
    "LayoutPart",
    "StateLayout",
    "layout_of",
    "observation_text",
    "state_layout_of",
]
