"""The leaderboard: results as one page that needs no network and runs no script.

- ``board``: what the page shows, of results of the benchmark or of one arena
- ``charts``: bars of scores, and strength against cost: where lines and labels are
- ``command``: ``mindup benchmark board``: the page and its files, from the templates beside it
"""
