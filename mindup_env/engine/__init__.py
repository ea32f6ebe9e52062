"""The rules of the game, for many games at once.

They are written once, as scalar functions over game ``g`` of a few arrays, and compiled:

- ``state``: the arrays, and what a config fixes
- ``streams``: random words that depend on seed, slot and episode alone
- ``dealing``: the shuffle, and the table before the first turn
- ``turns``: prizes, columns, the end of a round
- ``conditions``: the bonus objectives
- ``results``: ranks and winners
- ``random_play``: a uniformly random card
- ``kernels``: loops over all games, for Python to call
- ``batch``: games of one config, ready for the kernels
- ``bitset``, ``compiler``: sets in one word; the compiler and its cache
"""
