"""The game at the terminal, which needs rich. A screen has at most 24 lines of 80 columns.

game.py            asks for cards until the game is over
lines.py           cards, names and rows of cells as text with styles
table_screen.py    the table before a turn, and the help
score_screens.py   the end of a round, and of the game
"""
