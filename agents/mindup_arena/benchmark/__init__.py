"""Give a bot one score that others can compare with, or rank such results on a page.

Group: measure
Example: mindup benchmark run mybot:Bot --size small

- ``protocol``: the games, the rivals and the sizes; the settings of a run
- ``result``: the score and its parts, with intervals; ``result_file`` writes, reads and checks it
- ``command``: ``mindup benchmark run``: an arena for each game, in a folder that can be resumed
- ``board_page``: ``mindup benchmark board``: a page that needs no network and runs no script, from
  the templates beside it; ``board`` is what it shows, ``charts`` where lines and labels are
"""
