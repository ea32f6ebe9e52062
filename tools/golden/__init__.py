"""The golden files: whole games and the choices of the baseline bots, as text in tests/golden."""
