"""The leaderboard: results as one page that needs no network and runs no script.

- ``board``: what the page shows
- ``benchmark_board``, ``arena_board``: a board of results of the benchmark, or of one arena
- ``ranking``, ``cross_table``, ``cost_chart``, ``bot_details``: the parts of the page
- ``elements``: HTML elements, which escape their text
- ``page``: the page and its files; ``command`` is ``mindup leaderboard``
"""
