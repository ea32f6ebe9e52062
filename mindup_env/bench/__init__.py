"""Measures how fast things are: ``mindup bench``."""
