"""The rules of the game, for many games at once.

They are written once, as scalar functions of game ``g`` of a few arrays, and compiled:

- ``turns``: the lowest card takes the lowest prize; columns, the end of a round
- ``results``: totals, the tie-break, ranks and winners
- ``conditions``: the conditions of the bonus objectives
- ``dealing``: the shuffle, the table at the first turn, and uniformly random cards
- ``state``: the arrays, and a config as numbers; ``arrays`` makes arrays by their axes
- ``clock``: rounds, turns and log entries
- ``streams``: random bits that depend on the key of a game alone
- ``kernels``: loops over all games, for Python to call
- ``keys``: seed, slot, episode and agent seed of a game, from which everything random follows
- ``batch``: games of one config, ready for the kernels; ``validity``: which games can be
- ``bitset``: sets as one integer; ``compiler``, ``code_cache``: the compiler and its cache
"""
