"""The benchmark: a fixed protocol that gives a bot one number, comparable between all who run it.

- ``protocol``: the games, the panel of rivals and the sizes, which never change
- ``running``: an arena for each game, in a folder that can be resumed
- ``score``: from win shares to the score and its parts, with intervals
- ``settings``: what one run needs to know
- ``result``: the result, also on the terminal; ``result_file`` writes, reads and checks it
- ``machine``: what a result says about the machine that it was made on
- ``command``: ``mindup benchmark``
"""
