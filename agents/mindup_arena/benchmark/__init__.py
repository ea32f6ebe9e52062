"""The benchmark: a fixed protocol that gives a bot one number, comparable between all who run it.

- ``protocol``: the games, the panel of rivals and the sizes, which never change; the settings of a
  run
- ``result``: the score and its parts, with intervals; ``result_file`` writes, reads and checks it
- ``command``: ``mindup benchmark``: an arena for each game, in a folder that can be resumed
"""
