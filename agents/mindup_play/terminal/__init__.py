"""The game at the terminal, which needs rich. A screen has at most 24 lines of 80 columns.

- ``game``: asks for cards until the game is over
- ``screens``: the table, the help, the ends of rounds and of the game
- ``lines``: cards, names and rows of cells as text with styles
"""
