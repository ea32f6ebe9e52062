"""Playing the game in the browser, from a small server on this machine.

- ``command``: ``mindup play``; ``settings``: what a game is started with
- ``session``: one game of a person against ``bots``; ``saved``: games on disk
- ``session_manager``: the session that is served, and the answers to requests
- ``server``: what all pages share; their files are in web/
- ``table_state``: a table as JSON, as the pages draw it
- ``records``: recorded games; ``finished``: their reviews and advice; ``results``: win shares
- ``preparation``: compiles the table, hints and reviews once after installing
- ``watch``: ``mindup watch``; ``watched``: the game that bots play there
"""

from mindup_env.checks import require

require("the page", "play", "jinja2", "starlette", "uvicorn")
