"""What a seat sees: its own hand and all public information, as one flat int8 vector.

- ``layout``: the declared parts of the vector: names, shapes, bounds, offsets, views
- ``writer``: fills observations and action masks, compiled
- ``text``: one observation as text, for people and language models
"""

from mindup_env.observation.layout import Layout, LayoutPart, layout_of
from mindup_env.observation.text import observation_text

__all__ = ["Layout", "LayoutPart", "layout_of", "observation_text"]
