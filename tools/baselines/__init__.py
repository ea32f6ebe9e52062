"""Compares learners and games over five seeds each, for docs/results.md."""
