"""What a seat sees: its own hand and all public information, as one flat int8 vector.

- ``layout``: the parts of an observation and of the full state
- ``writer``: fills observations and action masks, compiled
- ``wide_writes``: writes of many entries at once
- ``seen``: what the seats of many games see
- ``text``: one observation as text, for people and language models
"""

from mindup_env.observation.layout import Layout, StateLayout, layout_of, state_layout_of
from mindup_env.observation.text import observation_text

__all__ = ["Layout", "StateLayout", "layout_of", "observation_text", "state_layout_of"]
