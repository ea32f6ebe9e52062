"""The measurements behind docs/why.md and docs/exact.md: ``python -m tools.why``."""
