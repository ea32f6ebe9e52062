"""The table of a game as a picture, drawn by pygame, and a window to watch it in."""
