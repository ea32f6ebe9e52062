"""What a seat sees: its own hand and all that is public, as one flat vector of int8.

``layout`` declares the parts of the vector; ``writer`` fills them, compiled.
"""

from mindup_env.observation.layout import Layout, Part, layout_of

__all__ = ["Layout", "Part", "layout_of"]
