"""The measurements behind docs/why.md: ``python -m tools.why``."""
