"""Playing the game: in the browser, from a small server on this machine, or at the terminal.

command.py           ``mindup play``
settings.py          what a game is started with: players, objectives, seed, seat, bots
session.py           one game of a person against bots
bots.py              the bots of a session
background_worker.py the thread in which they choose
preparation.py       compiles hints and reviews once, in a process of its own
session_manager.py   the session that is served, behind a lock
offer.py             what the new-game screen offers; bot_scores.json has the bots' scores
saved.py             games on disk
table_state.py       a table as JSON, as the pages draw it
page_state.py        a game as the page is told about it
records.py           recorded games, and the page of a game
replay.py            ``mindup replay``
browser.py           serves a page and opens it, until Ctrl-C
server.py            the HTTP server; routes.py has its routes, request_content.py reads requests
pages.py             what each page is made of: HTML, styles and scripts of web/
terminal/            the game at the terminal
review/              what every choice of a game cost
watch/               games of bots alone
languages/           the texts of the pages and of terminal play, by language
"""
