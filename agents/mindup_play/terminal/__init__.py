"""The game at the terminal, which needs rich. A screen has at most 24 lines of 80 columns.

game.py            asks for cards until the game is over
lines.py           cards, names and rows of cells as text with styles
table_screen.py    the table before a turn, with the results of the turn before
score_screens.py   the end of a round, and of the game
help_screen.py     the rules and the signs
"""
