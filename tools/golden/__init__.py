"""The golden files: whole games, and what the yardstick bots play, as text in tests/golden."""
